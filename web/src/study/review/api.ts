// A review as the server tells it.

import type { BoardState, Explained, Value } from '../api';
import type { Side } from '../../lib/contract';

export const CLASSES = ['blunder', 'mistake', 'missed_win', 'hasty', 'slow', 'book', 'forced', 'best', 'only', 'unknown'] as const;
export type ClassName = (typeof CLASSES)[number];

/** A sign for every class, beside its word. */
export const SIGNS: Record<ClassName, string> = {
  blunder: '??', mistake: '?', missed_win: '?!', hasty: '~', slow: '~', book: '≡', forced: '□', best: '✓', only: '!', unknown: '…',
};

export interface ReviewedMove {
  ply: number;
  side: Side;
  column: number;
  class: ClassName;
  value: Value | null;
  best: number[];
  best_value: Value | null;
}

export interface TurningPoint {
  index: number;
  ply: number;
  side: Side;
  column: number;
  class: ClassName;
  state: BoardState;
  keeping: number[];
  played: Explained;
  better: Explained;
}

export interface Reviewed {
  exact: boolean;
  size: string;
  start: string;
  moves: string;
  states: BoardState[];
  values: (number | null)[];
  accuracy: { kept: number; asked: number; percent: number | null; unknown: number }[];
  classes: ReviewedMove[];
  turning_points: TurningPoint[];
}
