// A plan of the map as the board draws it, and the places of the map.

import type { MapPicture, MapPlace, MapPlan, PlanShape, Spot } from '../../lib/contract';
import { ask } from '../api';
import { t } from '../../i18n/index.svelte';
import { s, askedLanguage } from '../words.svelte';

const name = (cell: Spot): string => cell.join(':');

const FEW = 3; // exceptions that are drawn: more bows are a tangle

/** Stars on the cells that decide, and where a cell is taken at once; bows, if they are wanted, from x to what answers
 * it, each pair once. */
export function drawingOf(plan: MapPlan | null, hasBows = true): Pick<PlanShape, 'pairs' | 'swaps' | 'keys'> | null {
  if (!plan) return null;
  const bows = new Map<string, [Spot, Spot]>();
  if (hasBows && plan.exceptions.length <= FEW)
    for (const [x, answers] of plan.exceptions)
      for (const y of answers.slice(0, 1)) bows.set([name(x), name(y)].sort().join(), [x, y]);
  const keys = new Map([...plan.keys, ...plan.urgent].map((cell) => [name(cell), cell]));
  return { pairs: [], swaps: [...bows.values()], keys: [...keys.values()] };
}

/** The moves before each map: none is the first player's, the others are the second's. */
export const STARTS = ['', '1', '2', '3'] as const;
export type Start = (typeof STARTS)[number];
export const startOf = (text: string | null): Start => STARTS.find((start) => start === text) ?? '';

export const mapAddress = (start: Start, moves = ''): string =>
  `/map${start || moves ? '?' : ''}${[start && `start=${start}`, moves && `moves=${moves}`].filter(Boolean).join('&')}`;

/** Of each map a leaf whose argument is short. */
export const EXAMPLES: Record<Start, string> = { '': '43655536512', 1: '1444465554', 2: '2313611265', 3: '34533415' };

/** How a game of the map ended. */
export const overOf = (winner: 1 | 2 | null | undefined): string =>
  winner ? s('map.over', { side: t(`color.${winner}`) }) : s('map.drawn');

export const wholeMap = (start: Start, signal: AbortSignal) => ask<MapPicture>('map', { start }, signal);
export const placeAt = (start: Start, moves: string, signal?: AbortSignal) =>
  ask<MapPlace>('map/place', { moves, language: askedLanguage(), start }, signal);
