// Values in words.

import { Refused } from '../lib/api';
import type { Detail, Outcome, Shapes, Value } from '../lib/contract';
import { refusal } from '../lib/words';
import { s, sOf, spokenLanguage, type StudyKey } from './words.svelte';

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

const PLACES = ['line', 'move', 'character', 'field', 'row'];
const SIDES: Record<string, string> = { '1': 'x', '2': 'o' };

/** Why something is no game or no position: what is wrong, and where. Empty where nothing is known. */
export function why({ code, params }: Detail): string {
  const at = PLACES.find((name) => `at_${name}` in params);
  const player = params.player && `.${SIDES[params.player] ?? params.player}`;
  return [sOf(`${code}${player ?? ''}`, params), at && sOf(`at.${at}`, params)].filter(Boolean).join(' ');
}

/** Why a game could not be read. */
export function unreadable(error: unknown): string {
  if (!(error instanceof Refused) || error.code !== 'bad_message') return refused(error);
  const known = error.detail ? why(error.detail) : '';
  const told = known || (spokenLanguage() === 'en' ? `${error.message}.` : '');
  return `${s('exchange.unreadable')} ${told}`.trim();
}

/** Why a game cannot be written in a format. */
export const unwritable = (error: unknown): string =>
  error instanceof Refused && error.code === 'bad_message' ? s('exchange.unwritable') : refused(error);

export const refused = (error: unknown): string =>
  error instanceof Refused ? refusal(error.code, error.message) : refusal('unknown', '');
