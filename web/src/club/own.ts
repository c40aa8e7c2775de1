// Where one is in a tournament.

import type { EventEntrant, EventPage, EventTable } from '../lib/contract';
import { agentTitle } from '../lib/words';

export const ownEntrant = (page: EventPage, id: string | undefined): EventEntrant | undefined =>
  id === undefined ? undefined : page.entrants.find(({ player }) => player === id);

/** The table at which one is expected now. */
export function ownTable(page: EventPage, id: string | undefined): EventTable | undefined {
  const number = ownEntrant(page, id)?.number;
  if (number === undefined) return undefined;
  return page.tables.find(
    ({ first, second, score, game }) => score === null && game && (first === number || second === number),
  );
}

export const SCORES: Record<string, [string, string]> = {
  '1-0': ['1', '0'],
  '0-1': ['0', '1'],
  '1/2-1/2': ['½', '½'],
  '+': ['1', ''],
  '0-0': ['0', '0'],
};

/** 2.5 as people write it at a tournament. */
export const half = (points: number): string => (points % 1 ? `${Math.floor(points) || ''}½` : String(points));

export const clockWords = ({ initial, increment }: { initial: number; increment: number }): string =>
  `${initial % 60_000 ? (initial / 60_000).toFixed(1) : initial / 60_000}+${increment / 1000}`;

/** A level by its character, a person by name. */
export const entrantName = (entrant: EventEntrant | undefined): string =>
  entrant?.agent ? agentTitle(entrant.agent) : (entrant?.name ?? '');
