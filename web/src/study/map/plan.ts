// A plan of the map as the board draws it, and the places of the map.

import type { MapPicture, MapPlace, MapPlan, PlanShape, Spot } from '../../lib/contract';
import { ask } from '../api';
import { t } from '../../i18n/index.svelte';
import { s, spokenLanguage } from '../words.svelte';

const name = (cell: Spot): string => cell.join(':');

const MOST = 4; // stars: who sees more sees none
const FEW = 3; // exceptions that are drawn: more bows are a tangle

/** Bows from x to what answers it, each pair once; stars on the cells that decide, or where most games end, and where
 * a cell is taken at once. */
export function drawingOf(plan: MapPlan | null): Pick<PlanShape, 'pairs' | 'swaps' | 'keys'> | null {
  if (!plan) return null;
  const bows = new Map<string, [Spot, Spot]>();
  if (plan.exceptions.length <= FEW)
    for (const [x, answers] of plan.exceptions)
      for (const y of answers.slice(0, 1)) bows.set([name(x), name(y)].sort().join(), [x, y]);
  const ends = plan.keys.length ? plan.keys : plan.ends.slice(0, MOST);
  const keys = new Map([...ends, ...plan.urgent].map((cell) => [name(cell), cell]));
  return { pairs: [], swaps: [...bows.values()], keys: [...keys.values()] };
}

/** The moves before each map: none is the first player's, the others are the second's. */
export const STARTS = ['', '1', '2', '3'] as const;
export type Start = (typeof STARTS)[number];
export const startOf = (text: string | null): Start => STARTS.find((start) => start === text) ?? '';

export const mapAddress = (start: Start, moves = ''): string =>
  `/map${start || moves ? '?' : ''}${[start && `start=${start}`, moves && `moves=${moves}`].filter(Boolean).join('&')}`;

/** How a game of the map ended. */
export const overOf = (winner: 1 | 2 | null | undefined): string =>
  winner ? s('map.over', { side: t(`color.${winner}`) }) : s('map.drawn');

export const wholeMap = (start: Start, signal: AbortSignal) => ask<MapPicture>('map', { start }, signal);
export const placeAt = (start: Start, moves: string, signal?: AbortSignal) =>
  ask<MapPlace>('map/place', { moves, language: spokenLanguage(), start }, signal);
