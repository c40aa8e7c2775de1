// Where a game without a server is: nothing else is kept of it. Known to the play page, which loads the rest only then.

import { allMoves, columnDigit } from '../lib/game/discs';
import { isPosition } from '../lib/place';
import { STANDARD, type NewGame, type Side, type State } from '../lib/contract';
import { boardText } from '../lib/settings.svelte';

export interface OfflineGame {
  board: string;
  moves: string;
  against: 'player' | 'person';
  /** Who plays against the one at this screen. */
  agent: string;
  /** The side of the one at this screen, against an agent. */
  me: Side;
  /** With a hint, or with moves taken back. */
  isHelped?: boolean;
}

export const USUAL_AGENT = 'level:5';

export function offlineAddress({ board, moves, against, agent, me, isHelped }: OfflineGame): string {
  const query = new URLSearchParams({ against });
  if (board !== STANDARD) query.set('board', board);
  if (against === 'player' && agent !== USUAL_AGENT) query.set('agent', agent);
  if (against === 'player' && me === 2) query.set('me', '2');
  if (isHelped) query.set('helped', '1');
  if (moves) query.set('moves', moves);
  return `/offline?${query}`;
}

/** The same game without a server; null where another page or only agents play. `column`: the first disc. */
export function offlineFrom(
  { board = STANDARD, seats, shuffle, moves = '' }: NewGame,
  column: number | null,
): OfflineGame | null {
  const kinds = seats.map(({ kind }) => kind);
  if (kinds.includes('friend') || !kinds.includes('me') || isPosition(moves)) return null;
  const me: Side = shuffle ? (Math.random() < 0.5 ? 1 : 2) : kinds[0] === 'me' ? 1 : 2;
  return {
    board,
    moves: column === null ? moves : moves + columnDigit(column),
    against: kinds.includes('agent') ? 'player' : 'person',
    agent: seats.find(({ kind }) => kind === 'agent')?.agent ?? USUAL_AGENT,
    me,
  };
}

/** A game that is being played, to be gone on with. `pending`: the column of a disc that the server has not seen. */
export function offlineFromState(state: State, pending: number | null): OfflineGame | null {
  const kinds = state.seats.map(({ kind }) => kind);
  if (state.pie === 'yes' && allMoves(state).length < 2) return null;
  if (state.status !== 'playing' || isPosition(state.start) || !kinds.includes('human')) return null;
  return {
    board: boardText(state.board),
    moves: allMoves(state) + (pending === null ? '' : columnDigit(pending)),
    against: kinds.includes('agent') ? 'player' : 'person',
    agent: state.seats.find(({ kind }) => kind === 'agent')?.agent ?? USUAL_AGENT,
    me: kinds[0] === 'human' ? 1 : 2,
  };
}
