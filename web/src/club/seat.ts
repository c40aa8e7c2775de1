// Sitting down at a seat that is one's own by name: from another browser, or in a tournament.

import { call } from '../lib/api';
import type { Joined } from '../lib/contract';
import { forgetJoiningToken, joiningToken, keepSeat } from '../lib/game/seats';

export async function sitAgain(game: string): Promise<void> {
  const token = joiningToken(game); // asked again, because the answer was lost, it is the same
  await call<Joined>(`/api/games/${encodeURIComponent(game)}/seat`, { token });
  keepSeat(game, { token, invite: null });
  forgetJoiningToken(game);
}
