// A worker of a browser, started by hire.js.
import { answering } from './desk.js';
import { Engine } from './engine.js';

const read = async (address) => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};
const load = async (options) => Engine.load(await read(new URL('./engine.wasm', import.meta.url)), options);
const answer = answering(load, read);
addEventListener('message', async ({ data }) => postMessage(await answer(data)));
