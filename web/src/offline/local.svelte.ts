// What answers without a server: the engine in workers of its own (web/engine), and one with the Python rooms, which is
// asked like a server.

import { renew } from './renew';
import type { Asked, Told } from './worker';
import type { Analysis, Position } from 'claimeven-engine';

type Wish = Omit<Asked, 'id'>;

interface Waiting {
  done(answer: unknown): void;
  failed(error: Error): void;
  line?: (line: string) => void;
}

/** The engine refuses what makes no sense. */
export class NoSuchGame extends Error {}

/** The folder of the Python rooms, where the page is one of static files without a server (browser/site.py). */
const rooms = document.documentElement.dataset['rooms'];
export const isStatic = rooms !== undefined;

/** Boards with an opening book in that folder, as "7x6x4". */
const books = document.documentElement.dataset['books']?.split(' ') ?? [];

/** The folder in which the page lies. */
export const site = new URL('.', document.baseURI.split('#')[0] ?? '').href;

const PATIENCE = 4_000; // milliseconds for the service worker: what it does not see it cannot keep

/** When the service worker sees what is fetched from now on. */
async function kept(): Promise<void> {
  const workers = navigator.serviceWorker;
  if (!import.meta.env.PROD || !isStatic || !workers || workers.controller) return;
  const taken = new Promise((done) => workers.addEventListener('controllerchange', done, { once: true }));
  await Promise.race([taken, new Promise((done) => setTimeout(done, PATIENCE))]);
}

const [BEST_LEVEL, MOVE_SECONDS] = [10, 2];

/** Asks the engine, which is loaded only now. `board`: with its opening book, where there is one to load. */
async function asked<T>(ask: (engine: typeof import('claimeven-engine')) => Promise<T>, board?: string): Promise<T> {
  await kept();
  const engine = await import('claimeven-engine');
  if (board && books.includes(board)) engine.useBook(`${site}${rooms}/book-${board}.bin`).catch(() => {}); // then it takes longer
  return ask(engine).catch((error) => {
    throw error instanceof engine.EngineError ? new NoSuchGame(error.message) : error;
  });
}

class Local {
  /** What is loaded of the Python rooms, from 0 to 1; null when nothing is on its way. */
  loading = $state<number | null>(null);
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private last = 0;

  position(moves: string, board: string): Promise<Position> {
    return asked((engine) => engine.position(moves, board));
  }

  level(moves: string, board: string, level: number): Promise<number> {
    return asked(
      (engine) => engine.level(moves, level, { board, seconds: MOVE_SECONDS }),
      level < BEST_LEVEL ? undefined : board,
    );
  }

  analyse(moves: string, board: string, signal: AbortSignal): Promise<Analysis> {
    return asked((engine) => engine.analyse(moves, { board, signal }), board);
  }

  /** Starts the Python rooms before they are asked, if nothing has to be fetched for that. */
  async warmUp(): Promise<void> {
    const isKept = rooms && (await globalThis.caches?.has(`claimeven-${rooms}`).catch(() => false));
    if (isKept && !this.worker) await this.http('/api/formats', {}).catch(() => {}); // whoever asks next will hear of it
  }

  /** What the server would answer. */
  async http(address: string, init: RequestInit): Promise<Response> {
    const { signal } = init;
    const lines: string[] = [];
    const body = typeof init.body === 'string' ? init.body : null;
    const wish = { method: init.method ?? 'GET', address, body, rooms: `${site}${rooms}/` };
    let more: (text: string) => void = (text) => lines.push(text);
    const answer = this.ask(wish, (line) => more(`${line}\n`)) as Promise<
      [number, string, string | Uint8Array<ArrayBuffer>]
    >;
    const given = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')));
    });
    if (!address.includes('stream=true') && !body?.includes('"stream":true')) {
      const [status, type, text] = await Promise.race([answer, given]);
      return new Response(text, { status, headers: { 'content-type': type } });
    }
    const encoder = new TextEncoder();
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const line of lines) controller.enqueue(encoder.encode(line));
        more = (text) => controller.enqueue(encoder.encode(text));
        Promise.race([answer, given]).then(
          ([, , text]) => {
            more = () => {};
            controller.enqueue(typeof text === 'string' ? encoder.encode(text) : text);
            controller.close();
          },
          (error) => {
            more = () => {};
            controller.error(error);
          },
        );
      },
    });
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson' } });
  }

  private async ask(wish: Wish, line?: (line: string) => void): Promise<unknown> {
    await kept();
    this.worker ??= this.hired();
    const id = (this.last += 1);
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed, ...(line ? { line } : {}) });
      this.worker?.postMessage({ ...wish, id });
    });
  }

  private hired(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
    worker.onerror = () => {
      for (const { failed } of this.waiting.values()) failed(new TypeError('the worker failed'));
      this.waiting.clear();
      this.worker = null;
      this.loading = null;
    };
    return worker;
  }

  private hear(told: Told): void {
    const waiting = this.waiting.get(told.id);
    if (told.kind === 'loading') {
      this.loading = told.loaded < told.total ? told.loaded / told.total : 1;
      return;
    }
    if (told.kind === 'line') return waiting?.line?.(told.line);
    this.waiting.delete(told.id);
    this.loading = null;
    if (told.kind === 'answer') waiting?.done(told.answer);
    else {
      if (told.isGone) renew();
      waiting?.failed(new TypeError(told.text));
    }
  }
}

export const local = new Local();

/** As `fetch`: from the server, or from the worker where there is none. */
export const answerOf = (address: string, init: RequestInit): Promise<Response> =>
  isStatic ? local.http(address, init) : fetch(address, init);

/** A file that a server would send. */
export async function download(address: string, name: string): Promise<void> {
  const response = await local.http(address, {});
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = name || address.replace(/^.*\/|\?.*$/g, '');
  link.click();
  URL.revokeObjectURL(link.href);
}
