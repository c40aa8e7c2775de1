// Values in words.

import type { Outcome, Value } from './api';
import { s, type StudyKey } from './words.svelte';

/** "wins in 9 moves", for the side that plays the column. */
export function valueWords({ outcome, moves }: { outcome: Outcome | null; moves: number | null } | Value): string {
  if (outcome === null) return s('value.unknown');
  if (outcome === 'draw') return s('value.draw');
  return s(`value.${outcome}` as StudyKey, { n: moves ?? 0 });
}
