// The Python rooms without a server, with an engine beside them. One thing at a time.

import { Engine } from 'claimeven-engine/engine';
import engineAddress from 'claimeven-engine/engine.wasm?url';
import networksAddress from 'claimeven-engine/network.wasm?url';
import { openRooms, type Rooms } from '../../rooms/rooms.js';

/** `rooms`: the address of the folder with the Python of `make static`. */
export interface Asked {
  id: number;
  method: string;
  address: string;
  body: string | null;
  rooms: string;
}

export type Told =
  | { id: number; kind: 'answer'; answer: unknown }
  | { id: number; kind: 'failed'; text: string; isGone: boolean }
  | { id: number; kind: 'line'; line: string }
  | { id: number; kind: 'loading'; loaded: number; total: number };

async function read(address: string, onpiece: (piece: Uint8Array) => void): Promise<void> {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`);
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onpiece(value);
  }
}

/** Another version of the site has taken the place of this one. */
class GoneError extends Error {}

interface Listed {
  name: string;
  size: number;
}

const BOOK = 'book-7x6x4.bin';

/** The others Pyodide takes itself, out of the browser's cache: here they are only waited for, and take no memory. */
const isKept = (name: string): boolean => name === BOOK || name === 'rooms.zip' || name.endsWith('.whl');

/** The files of the rooms: which there are, and how large, is in a list beside them. */
async function openAll(folder: string, onload: (loaded: number, total: number) => void): Promise<Rooms> {
  const list = await fetch(`${folder}files.json`);
  if (list.status === 404) throw new GoneError(folder);
  const listed = (await list.json()) as Listed[];
  const total = listed.reduce((sum, { size }) => sum + size, 0);
  let loaded = 0;
  const found = new Map<string, Uint8Array>();
  await Promise.all(
    listed.map(async ({ name, size }) => {
      const whole = new Uint8Array(isKept(name) ? size : 0);
      let at = 0;
      await read(`${folder}${name}`, (piece) => {
        if (isKept(name)) whole.set(piece, at);
        at += piece.length;
        onload((loaded += piece.length), total);
      });
      if (isKept(name)) found.set(name, whole);
    }),
  );
  const engine = await Engine.load(await (await fetch(engineAddress)).arrayBuffer());
  const { loadPyodide } = await import(/* @vite-ignore */ `${folder}pyodide.mjs`);
  const archives = [...found].filter(([name]) => name !== BOOK).map(([, whole]) => whole);
  const book = found.get(BOOK) ?? null;
  return openRooms(loadPyodide, { indexURL: folder }, engine, { archives, book });
}

let opened: Promise<Rooms> | null = null;
const learned = new Map<string, Promise<void>>();

async function bytes(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.arrayBuffer();
}

const once = (name: string, load: () => Promise<void>): Promise<void> => {
  const coming = learned.get(name) ?? load();
  learned.set(name, coming);
  coming.catch(() => learned.delete(name)); // it may be there later
  return coming;
};

/** Networks and maps are fetched when somebody wants them. */
async function learn(house: Rooms, { address, body, rooms }: Asked): Promise<void> {
  if (/^\/api\/map\b/.test(address)) {
    const start = address.match(/\bstart=(\d)/)?.[1]; // whose map: atlas.py names the files
    const map = `7x6x4${start ? `-${start}` : ''}.map`;
    await once(map, async () => house.keep(`maps/${map}`, new Uint8Array(await bytes(`${rooms}${map}`))));
  }
  const wanted = `${decodeURIComponent(address)} ${body ?? ''}`.match(/neural(:[\w=,]*)?/g) ?? [];
  for (const spec of wanted) {
    const name = spec.match(/network=(tiny|zero)/)?.[1] ?? 'best';
    const load = async () => {
      const [file, wasm] = await Promise.all([bytes(`${rooms}${name}.network`), bytes(networksAddress)]);
      house.learn(name, new Uint8Array(file), await Engine.load(wasm));
    };
    await once(name, load);
  }
}

async function answered(asked: Asked, tell: (told: Told) => void): Promise<unknown> {
  const { id } = asked;
  opened ??= openAll(asked.rooms, (loaded, total) => tell({ id, kind: 'loading', loaded, total }));
  opened.catch(() => (opened = null));
  const house = await opened;
  await learn(house, asked);
  return house.answer(asked.method, asked.address, asked.body, (line) => tell({ id, kind: 'line', line }));
}

const tell = (told: Told): void => postMessage(told);

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  answered(data, tell).then(
    (answer) => tell({ id: data.id, kind: 'answer', answer }),
    (error: unknown) => {
      const text = String(error instanceof Error ? error.message : error);
      tell({ id: data.id, kind: 'failed', text, isGone: error instanceof GoneError });
    },
  );
});
