// An opponent that grows with the player: the level whose rating is nearest to what the games of this browser show.

import { LEVELS, RATINGS, STANDARD } from '../contract';
import { rated, type Rating } from '../practice/glicko';
import { START_LEVEL } from '../settings.svelte';
import { finishedGames, type Finished } from './history';

const ratingOf = (level: string): number => RATINGS[LEVELS.findIndex((one) => one === level)] ?? NaN;

/** Nobody is known before the first game: where most people start, and a wide range around it. */
const UNKNOWN: Rating = { rating: ratingOf(START_LEVEL), deviation: 250, volatility: 0.06 };
/** The levels were measured among themselves, with thousands of games. */
const MEASURED = { deviation: 30, volatility: 0.06 };
const POINTS = { won: 1, drawn: 0.5, lost: 0 };

/** Games that say how strong somebody is: on the usual board from its beginning, without help. */
const counts = ({ against, board, start, wasHelped, hasPie }: Finished): boolean =>
  !!against && ratingOf(against) > 0 && board === STANDARD && !start && !wasHelped && !hasPie;

/** How strong the player is, on the scale of the levels; `games` has the newest first. */
export const strengthOf = (games: readonly Finished[]): Rating =>
  games
    .filter(counts)
    .reduceRight(
      (you, { against, outcome }) => rated(you, { rating: ratingOf(against ?? ''), ...MEASURED }, POINTS[outcome]),
      UNKNOWN,
    );

/** The level that fits: against it about half of the games should be won. */
export function fittingLevel(games: readonly Finished[] = finishedGames()): string {
  const { rating } = strengthOf(games);
  const distance = (level: string) => Math.abs(ratingOf(level) - rating);
  return [...LEVELS].sort((one, two) => distance(one) - distance(two))[0] ?? START_LEVEL;
}
