// The score over rematches, by the side of each in the game at hand.

import type { State } from '../contract';
import { load, save } from '../store';

export type Score = [number, number];
type Book = Record<string, Score>;

const KEPT = 50; // games whose score is remembered

const book = (): Book => {
  const value = load('series');
  return value && typeof value === 'object' ? (value as Book) : {};
};

/** The points before this game, and with it once it is over. Null while nothing was finished. */
export function scoreOf(state: State): Score | null {
  const before = book()[state.game] ?? [0, 0];
  // By the pie rule both changed sides after it began.
  const [first, second] = state.pie === 'swapped' ? [before[1], before[0]] : before;
  const { status, result } = state;
  const isCounted = status === 'over' && result && result.reason !== 'abort';
  const points = (side: 1 | 2) => (!isCounted ? 0 : result.winner === null ? 0.5 : result.winner === side ? 1 : 0);
  const score: Score = [first + points(1), second + points(2)];
  return score[0] + score[1] > 0 ? score : null;
}

/** A rematch goes on with the score; whoever changes colours takes the points along. */
export function carryScore(from: State, to: string, isSwapped: boolean): void {
  const score = scoreOf(from);
  if (!score) return;
  const all = Object.entries({ ...book(), [to]: isSwapped ? [score[1], score[0]] : score });
  save('series', Object.fromEntries(all.slice(-KEPT)));
}

export const scoreText = (points: number): string =>
  `${Math.floor(points) || (points % 1 ? '' : '0')}${points % 1 ? '½' : ''}`;
