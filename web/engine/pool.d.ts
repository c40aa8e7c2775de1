// The types of pool.js: workers of one's own, as many as one likes.

import type { Analysis, Position } from './engine.js';
import type { Asked, Wish } from './index.js';

/** How to start a worker: hire.js in a browser, hire-node.js in Node. */
export type Hire = (
  hear: (told: unknown) => void,
  fail: (error: Error) => void,
) => { post: (asked: unknown) => void; end: () => void };

export class Pool {
  constructor(hire: Hire, options?: { workers?: number });
  analyse(moves: string, wish?: Wish): Promise<Analysis>;
  bestMove(moves: string, wish?: Wish): Promise<number>;
  level(moves: string, level: number, asked?: Asked): Promise<number>;
  position(moves: string, board?: string): Promise<Position>;
  useBook(book: Uint8Array | string): Promise<void>;
  close(): void;
}
