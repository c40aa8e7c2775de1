// The same as index.js, for Node.
import { hire } from './hire-node.js';
import { callsOf } from './pool.js';

export { boardOf, columnsOf, EngineError, movesTo } from './engine.js';
export const { analyse, bestMove, level, position, useBook, close } = /* @__PURE__ */ callsOf(hire);
