// The engine for browsers, asked from a test: node wasm.mjs engine.wasm [book] < requests, one JSON array a line:
// the name of a method of Engine and its arguments. The answers are lines of JSON, too.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Engine, EngineError } from '../../../web/engine/engine.js';

const [module, book] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(module));
if (book) engine.useBook(readFileSync(book));

const more = {
  minimax: (moves, board, weights, seed, depth) =>
    engine.minimax(engine.position(moves, board), weights, BigInt(seed), depth, 0),
  useBook: (path) => engine.useBook(readFileSync(path)) ?? engine.megabytes,
  perft: (columns, rows, connect, depth) => engine.ask('perft', columns, rows, connect, 0n, 0n, 0n, 0n, depth),
};
const plain = (_, value) => (typeof value === 'bigint' ? String(value) : value);
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  let told;
  try {
    told = { answer: name in more ? more[name](...values) : engine[name](...values) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    told = { error: error.message };
  }
  console.log(JSON.stringify(told, plain));
}
