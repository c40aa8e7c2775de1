// A sign for every class of moves, beside its word. What is called depends on what a person could have seen: a move that
// only perfect play punishes is no blunder to whoever made it.

import type { MoveClass, Reviewed, ToldMoment, ToldMove } from '../../lib/contract';

export type Mark = MoveClass | 'deep';

/** The other side took what this moment gave, and that was the end. */
export const isEnd = ({ states, classes }: Reviewed, { side, index, depth }: ToldMoment): boolean =>
  states.at(-1)?.winner === 3 - side && classes.length - index <= 2 * depth;

export const SIGNS: Record<Mark, string> = {
  blunder: '??',
  mistake: '?',
  missed_win: '?!',
  oversight: '?',
  deep: '◦',
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

export const MARKS = Object.keys(SIGNS) as Mark[];

/** Those whose sign stands in the list of moves. */
export const SIGNED: readonly Mark[] = ['blunder', 'mistake', 'missed_win', 'oversight', 'deep', 'great', 'only'];

/** Whether it is good news, in the colours of the page. */
export const toneOf = (mark: Mark): 'good' | 'bad' | 'plain' =>
  ['blunder', 'mistake', 'missed_win', 'oversight'].includes(mark)
    ? 'bad'
    : ['best', 'only', 'great'].includes(mark)
      ? 'good'
      : 'plain';

export const markOf = (move: Pick<ToldMove, 'class' | 'deep'>): Mark => (move.deep ? 'deep' : move.class);
