// A streak or a timed run that is under way: kept, so that a reload goes on with it.

import { load, save } from '../../lib/store';

export interface RunState {
  mode: 'streak' | 'timed';
  count: number;
  until: number | null; // milliseconds, where time runs
}

export const TIMED = 180_000; // milliseconds

export function keptRun(now: number): RunState | null {
  const value = load('run') as Partial<RunState> | null;
  if (!value || (value.mode !== 'streak' && value.mode !== 'timed')) return null;
  const { mode, count, until } = value;
  if (!Number.isInteger(count) || (count as number) < 0) return null;
  if (mode === 'timed' && !(typeof until === 'number' && until > now && until <= now + TIMED)) return null;
  return { mode, count: count as number, until: mode === 'timed' ? (until as number) : null };
}

export const keepRun = (run: RunState | null): void => save('run', run);

/** Every puzzle of a run is a little harder: the ratings to ask for. */
export const rangeOf = (count: number): string => `${600 + 55 * Math.min(count, 25)}-${780 + 55 * Math.min(count, 25)}`;
