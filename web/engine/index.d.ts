// The types of index.js. Columns, rows and sides count from 0; moves are texts like '4453', boards like '7x6x4'.

import type { Analysis, ColumnBounds, Position } from './engine.js';

export type { Analysis, ColumnBounds, Position } from './engine.js';
export { boardOf, columnsOf, EngineError, movesTo } from './engine.js';

export interface Asked {
  /** '7x6x4' unless told otherwise. */
  board?: string | undefined;
  /** After which what is known so far is the answer; none: when everything is exact. */
  seconds?: number | undefined;
}

export interface Wish extends Asked {
  /** Gives the question up. */
  signal?: AbortSignal | undefined;
  /** Hears what is known of a column as soon as it is. */
  oncolumn?: ((found: ColumnBounds) => void) | undefined;
}

/** The value of every column, the best ones, and a line of best play. */
export function analyse(moves: string, wish?: Wish): Promise<Analysis>;
/** A best column, the one nearest to the centre. */
export function bestMove(moves: string, wish?: Wish): Promise<number>;
/** The column that a level plays: 1 is a beginner, 10 the solver. */
export function level(moves: string, level: number, asked?: Asked): Promise<number>;
/** Whose turn it is, where discs land, who has won. */
export function position(moves: string, board?: string): Promise<Position>;
/** The opening book of a board, from its bytes or its address: positions in it need no search. It takes the place of another. */
export function useBook(book: Uint8Array | string): Promise<void>;
/** Ends the workers; the next question starts new ones. */
export function close(): void;
