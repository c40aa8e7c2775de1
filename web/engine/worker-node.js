// A worker of Node, started by hire-node.js.
import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { answering } from './desk.js';
import { Engine } from './engine.js';

const load = async (options) => Engine.load(await readFile(new URL('./engine.wasm', import.meta.url)), options);
const answer = answering(load, readFile);
parentPort.on('message', async (asked) => parentPort.postMessage(await answer(asked)));
