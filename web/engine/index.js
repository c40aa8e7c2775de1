// The engine for pages: in workers, so that nobody waits. Types: index.d.ts.
import { hire } from './hire.js';
import { callsOf } from './pool.js';

export { boardOf, columnsOf, EngineError, movesTo } from './engine.js';
export const { analyse, bestMove, level, position, useBook, close } = /* @__PURE__ */ callsOf(hire);
