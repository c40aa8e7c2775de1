// What answers without a server: the engine at once, the Python rooms when they are first asked. One thing at a time.

import { Engine, EngineError } from '../../engine/engine.js';
import engineAddress from '../../engine/engine.wasm?url';
import players from '../../engine/levels.json';
import { openRooms, type Rooms } from '../../rooms/rooms.js';

/** `rooms`: the address of the folder with the Python of `make static`. */
export type Asked =
  | { id: number; kind: 'position'; moves: string; board: string }
  | { id: number; kind: 'level'; moves: string; board: string; level: number }
  | { id: number; kind: 'http'; method: string; address: string; body: string | null; rooms: string };

export type Told =
  | { id: number; kind: 'answer'; answer: unknown }
  | { id: number; kind: 'refused'; text: string }
  | { id: number; kind: 'failed'; text: string }
  | { id: number; kind: 'line'; line: string }
  | { id: number; kind: 'loading'; loaded: number; total: number };

const MOVE_SECONDS = 2;

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    made.catch(() => (made = null)); // the network may come back
    return made;
  };
};

const engine = once(async () => Engine.load(await (await fetch(engineAddress)).arrayBuffer()));

async function bytes(address: string, onpiece: (size: number) => void): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
  const pieces: Uint8Array[] = [];
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    pieces.push(value);
    onpiece(value.length);
  }
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

interface Listed {
  name: string;
  size: number;
}

/** The files of the rooms: which there are, and how large, is in a list beside them. */
async function openAll(folder: string, onload: (loaded: number, total: number) => void): Promise<Rooms> {
  const listed = (await (await fetch(`${folder}files.json`)).json()) as Listed[];
  const total = listed.reduce((sum, { size }) => sum + size, 0);
  let loaded = 0;
  const found = new Map<string, Uint8Array>();
  await Promise.all(
    listed.map(async ({ name }) => {
      const whole = await bytes(`${folder}${name}`, (size) => onload((loaded += size), total));
      found.set(name, whole);
    }),
  );
  const { loadPyodide } = await import(/* @vite-ignore */ `${folder}pyodide.mjs`);
  const archives = [...found].filter(([name]) => name === 'rooms.zip' || name.endsWith('.whl')).map(([, all]) => all);
  const book = found.get('book-7x6x4.bin') ?? null;
  return openRooms(loadPyodide, { indexURL: folder }, await engine(), { archives, book });
}

let opened: Promise<Rooms> | null = null;

async function answered(asked: Asked, tell: (told: Told) => void): Promise<unknown> {
  const { id } = asked;
  if (asked.kind === 'position') return (await engine()).position(asked.moves, asked.board);
  if (asked.kind === 'level') {
    const { moves, board, level } = asked;
    return (await engine()).level(moves, level, players, { board, seconds: MOVE_SECONDS });
  }
  opened ??= openAll(asked.rooms, (loaded, total) => tell({ id, kind: 'loading', loaded, total }));
  opened.catch(() => (opened = null));
  const house = await opened;
  return house.answer(asked.method, asked.address, asked.body, (line) => tell({ id, kind: 'line', line }));
}

const tell = (told: Told): void => postMessage(told);

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  answered(data, tell).then(
    (answer) => tell({ id: data.id, kind: 'answer', answer }),
    (error: unknown) => {
      const kind = error instanceof EngineError ? 'refused' : 'failed';
      tell({ id: data.id, kind, text: String(error instanceof Error ? error.message : error) });
    },
  );
});
