// Where one is in a tournament.

import type { EventEntrant, EventPage, EventTable } from '../lib/contract';
import { agentName, agentTitle } from '../lib/words';
import { s } from '../study/words.svelte';

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

/** The game to which one was taken last: who goes to the tournament from there wants to see it. */
export const taken = { to: '' };

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

/** A character who takes part more than once has a number from the second time on. */
function again(entrant: EventEntrant, { entrants }: Pick<EventPage, 'entrants'>): string {
  const nth = entrants.filter(({ agent, number }) => agent === entrant.agent && number <= entrant.number).length;
  return nth > 1 ? ` ${nth}` : '';
}

/** A level by its character, a person by name. */
export function entrantName(entrant: EventEntrant | undefined, page: Pick<EventPage, 'entrants'>): string {
  if (!entrant?.agent) return entrant?.name ?? '';
  const name = agentName(entrant.agent);
  return `${name}${again(entrant, page)}${agentTitle(entrant.agent).slice(name.length)}`;
}

/** The same without the level, where there is little room. */
export const nameOf = (entrant: EventEntrant | undefined, page: Pick<EventPage, 'entrants'>): string =>
  entrant?.agent ? agentName(entrant.agent) + again(entrant, page) : (entrant?.name ?? '');

/** The next level after this one that does not take part yet; this one where all do. */
export function nextLevel(level: number, levels: readonly string[], { entrants }: Pick<EventPage, 'entrants'>): number {
  const isFree = (one: number): boolean => !entrants.some(({ agent }) => agent === levels[one - 1]);
  for (let step = 1; step < levels.length; step++) {
    const one = ((level - 1 + step) % levels.length) + 1;
    if (isFree(one)) return one;
  }
  return level;
}

/** A column of a bracket; the last ones have names that everybody knows. */
export function stageName({ bracket }: EventPage, round: number): string {
  const left = bracket.length - round;
  if (left === 1) return s('club.final');
  return left === 2 ? s('club.semifinal') : s('club.round', { round: round + 1 });
}

/** The first column in which a match is open. */
export const stageNow = ({ bracket }: EventPage): number =>
  bracket.findIndex((matches) => matches.some(({ winner }) => winner === null));
