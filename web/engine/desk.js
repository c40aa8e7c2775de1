// What a worker does with a question: the name of a method of Engine, and its values.

import { EngineError } from './engine.js';

const ASKED = ['analyse', 'column', 'level', 'line', 'position', 'useBook'];
const MEGABYTES = 32; // of what each of several workers remembers

/** `load` gives an engine, `read` the bytes at an address. */
export function answering(load, read) {
  let engine = null;
  const answer = async (name, values) => {
    engine ??= load({ megabytes: MEGABYTES });
    engine.catch(() => (engine = null)); // the network may come back
    const ready = await engine;
    if (!ASKED.includes(name)) throw new EngineError(`nothing is called ${name}`);
    if (name !== 'useBook') return ready[name](...values);
    const [book] = values;
    return ready.useBook(book instanceof Uint8Array ? book : await read(book));
  };
  // One after the other: a book is there for the questions after it.
  let last = Promise.resolve();
  return ({ id, name, values }) => {
    const told = last
      .then(() => answer(name, values))
      .then(
        (found) => ({ id, answer: found }),
        (error) => (error instanceof EngineError ? { id, refused: error.message } : { id, failed: String(error) }),
      );
    last = told;
    return told;
  };
}
