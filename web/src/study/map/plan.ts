// A plan of the map as the board draws it, and the places of the map.

import type { MapPicture, MapPlace, MapPlan, PlanShape, Spot } from '../../lib/contract';
import { ask } from '../api';
import { spokenLanguage } from '../words.svelte';

const name = (cell: Spot): string => cell.join(':');

const MOST = 4; // stars: who sees more sees none

/** Bows from x to what answers it, each pair once; stars where most games end and where a cell is taken at once. */
export function drawingOf(plan: MapPlan | null): Pick<PlanShape, 'pairs' | 'swaps' | 'keys'> | null {
  if (!plan) return null;
  const bows = new Map<string, [Spot, Spot]>();
  for (const [x, answers] of plan.exceptions)
    for (const y of answers.slice(0, 1)) bows.set([name(x), name(y)].sort().join(), [x, y]);
  const keys = new Map([...plan.ends.slice(0, MOST), ...plan.urgent].map((cell) => [name(cell), cell]));
  return { pairs: [], swaps: [...bows.values()], keys: [...keys.values()] };
}

export const wholeMap = (signal: AbortSignal) => ask<MapPicture>('map', {}, signal);
export const placeAt = (moves: string, signal?: AbortSignal) =>
  ask<MapPlace>('map/place', { moves, language: spokenLanguage() }, signal);
