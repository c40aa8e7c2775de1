// Values in words.

import type { Outcome, Shapes, Value } from './api';
import { s, type StudyKey } from './words.svelte';

/** "wins in 9 moves", for the side that plays the column. */
export function valueWords({ outcome, moves }: { outcome: Outcome | null; moves: number | null } | Value): string {
  if (outcome === null) return s('value.unknown');
  if (outcome === 'draw') return s('value.draw');
  return s(`value.${outcome}` as StudyKey, { n: moves ?? 0 });
}

const AT_A_GLANCE = 9; // discs

/** What of a refutation fits on a board without confusing: its first discs, and the plan if it follows at once. */
export function atAGlance(shapes: Shapes | null): Pick<Shapes, 'line' | 'plan'> {
  if (!shapes) return { line: [], plan: null };
  const isShort = shapes.line.length <= AT_A_GLANCE;
  return { line: shapes.line.slice(0, AT_A_GLANCE), plan: isShort ? shapes.plan : null };
}
