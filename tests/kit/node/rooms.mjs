// The rooms under Pyodide, asked from a test: node rooms.mjs rooms.zip runtime book < requests, a JSON array a line.
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Engine } from '../../../web/engine/engine.js';
import { openRooms } from '../../../web/rooms/rooms.js';

const [rooms, runtime, book] = process.argv.slice(2);
const bytes = (path) => new Uint8Array(readFileSync(path));
const { loadPyodide } = await import(pathToFileURL(`${runtime}/pyodide.mjs`));
const wheel = readdirSync(runtime).find((name) => name.endsWith('.whl'));
const engine = await Engine.load(bytes(new URL('../../../web/engine/engine.wasm', import.meta.url)));
const files = { archives: [bytes(rooms), bytes(`${runtime}/${wheel}`)], book: bytes(book) };
const house = await openRooms(loadPyodide, { indexURL: runtime }, engine, files);
const at = (path) => new URL(`../../../${path}`, import.meta.url);
const networks = await Engine.load(bytes(at('web/engine/network.wasm')));
house.learn('tiny', bytes(at('src/claimeven/data/networks/tiny.network')), networks);
for await (const line of createInterface({ input: process.stdin })) {
  const [status, kind, told] = await house.answer(...JSON.parse(line));
  const text = typeof told === 'string' ? told : Buffer.from(told).toString('base64');
  console.log(JSON.stringify([status, kind, text]));
}
