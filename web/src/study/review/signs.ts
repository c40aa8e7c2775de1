// A sign for every class of moves, beside its word.

import type { MoveClass } from '../../lib/contract';

export const SIGNS: Record<MoveClass, string> = {
  blunder: '??',
  mistake: '?',
  missed_win: '?!',
  oversight: '?',
  inaccuracy: '~',
  great: '!!',
  hasty: '~',
  slow: '~',
  book: '≡',
  forced: '□',
  best: '✓',
  only: '!',
  unknown: '…',
};

export const CLASSES = Object.keys(SIGNS) as MoveClass[];
