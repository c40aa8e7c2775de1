// Networks for browsers, asked from a test: node network.mjs network.wasm file.network < positions, two words a line. The
// answers are lines of JSON: what is thought of the columns, how much they are wanted, what a search of two plies and what one of
// 30 simulations found.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { inflateSync } from 'node:zlib';
import { Engine } from '../../../web/engine/engine.js';

const [module, path] = process.argv.slice(2);
const engine = await Engine.load(readFileSync(module));
const file = readFileSync(path);
const [first, second] = [file.indexOf(10), file.indexOf(10, file.indexOf(10) + 1)];
const { parts, slope } = JSON.parse(file.subarray(first + 1, second));
const weights = inflateSync(file.subarray(second + 1, file.length - 32));
const network = engine.make('network_new', slope);
let at = 0;
for (const { stones, channels, groups, blocks, is_rounded, weigh, ahead = 0, weights: size } of parts) {
  const part = weights.subarray(at, (at += size));
  const shape = [stones, channels, groups, blocks, Number(is_rounded), weigh, ahead];
  engine.with(part, (place) => engine.ask('network_add', network, ...shape, place, part.length));
}
for await (const line of createInterface({ input: process.stdin })) {
  const words = line.split(' ').map(BigInt);
  const asked = (name, ...more) => engine.ask(`network_${name}`, network, ...words, ...more);
  console.log(JSON.stringify([asked('views'), asked('wishes'), asked('search', 2, 0, 0), asked('puct', 1, 30, 0)]));
}
