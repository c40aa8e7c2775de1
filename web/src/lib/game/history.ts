// The games that this browser has finished, newest first: what a person has done here, in one place.

import { STANDARD, type Side, type State } from '../contract';
import { judgedPlace } from '../place';
import { boardText } from '../settings.svelte';
import { load, save } from '../store';

export interface Finished {
  game: string;
  at: number;
  /** The agent that was played; null for a person. */
  against: string | null;
  board: string;
  start: string;
  moves: string;
  side: Side;
  outcome: 'won' | 'drawn' | 'lost';
  /** With a hint, or with moves taken back. */
  wasHelped: boolean;
  /** By the pie rule, which makes it another game. */
  hasPie?: boolean;
}

const KEPT = 300;

export function finishedGames(): Finished[] {
  const value = load('finished');
  return Array.isArray(value) ? (value as Finished[]) : [];
}

/** A game is over: kept once, by its last end. */
export function keepFinished(state: State, side: Side, wasHelped: boolean, at = Date.now()): void {
  if (!state.result || state.result.reason === 'abort') return;
  const { winner } = state.result;
  const { start, moves } = state.pie === 'swapped' ? judgedPlace(state) : state;
  const seat = state.seats[side === 1 ? 1 : 0];
  keepGame({
    game: state.game,
    at,
    against: seat?.kind === 'agent' ? (seat.agent ?? null) : null,
    board: boardText(state.board),
    start,
    moves,
    side,
    outcome: winner === null ? 'drawn' : winner === side ? 'won' : 'lost',
    wasHelped,
    ...(state.pie === 'yes' || state.pie === 'swapped' ? { hasPie: true } : {}),
  });
}

export function keepGame(one: Finished): void {
  save('finished', [one, ...finishedGames().filter(({ game }) => game !== one.game)].slice(0, KEPT));
}

/** The levels that were beaten without help, on the usual board from its beginning. */
export function beatenLevels(): Set<string> {
  const isReal = (one: Finished) =>
    one.outcome === 'won' && !one.wasHelped && one.board === STANDARD && !one.start && !one.hasPie;
  return new Set(finishedGames().flatMap((one) => (isReal(one) && one.against ? [one.against] : [])));
}
