// Meeting strangers: sit down where somebody waits, or wait oneself.

import { announce, openGames, Refused, sitDown } from '../api';
import type { NewGame, OpenGame } from '../contract';
import { forgetJoiningToken, forgetSeat, joiningToken, keepSeat, ownGames, seatOf } from './seats';

/** Whoever waits says so again after so many milliseconds: a server that restarted has forgotten it. */
export const REMINDER = 15_000;

const isGone = (error: unknown) =>
  error instanceof Refused && (error.code === 'seat_taken' || error.code === 'no_such_game');

/** Take the free seat of a game that waits; whether it was still free. */
export async function meet(game: string, name: string): Promise<boolean> {
  let isTaken = true;
  try {
    const joined = await sitDown(game, { name, token: joiningToken(game) });
    keepSeat(game, { token: joined.token, invite: null });
  } catch (error) {
    if (!isGone(error)) throw error; // asked again with the same token, it is the same seat
    isTaken = false;
  }
  forgetJoiningToken(game);
  return isTaken;
}

/** Those who wait, but for oneself. */
export async function others(): Promise<OpenGame[]> {
  const mine = new Set(ownGames());
  return (await openGames()).games.filter(({ game }) => !mine.has(game));
}

/** Sit down with whoever waits longest for such a game; null if nobody does. */
export async function meetAnybody(wish: NewGame, name: string): Promise<string | null> {
  if (wish.rated) return null; // the server pairs those who are near, once one waits
  for (const other of await others()) if (fits(other, wish) && (await meet(other.game, name))) return other.game;
  return null;
}

export const fits = ({ board, clock, is_fresh, rated }: OpenGame, wish: NewGame): boolean =>
  is_fresh &&
  !rated &&
  !wish.moves &&
  board === wish.board &&
  clock?.initial === wish.clock?.initial &&
  clock?.increment === wish.clock?.increment;

/** Wait in a game of one's own. Another one that waits already, where one sits now; null while there is none. */
export async function wait(game: string, name: string): Promise<string | null> {
  const invite = seatOf(game)?.invite;
  if (!invite) return null;
  const { take } = await announce({ game, invite, mine: ownGames(), number: Date.now() });
  if (!take || !(await meet(take, name))) return null;
  forgetSeat(game); // nobody comes there any more
  return take;
}
