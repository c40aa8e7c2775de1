// What the engine alone knows of a position, in the shape of the server's analysis: there at once, while the Python rooms
// are still on their way. Threats come with those.

import { movesTo, type Analysis, type Position } from 'claimeven-engine';
import { t } from '../i18n/index.svelte';
import type { Analysed, ColumnValue, Outcome, Value } from '../lib/contract';
import { columnDigit } from '../lib/game/discs';
import type { Place } from '../lib/place';
import { valueWords } from '../study/say';
import { local } from './local.svelte';
import { stateOf } from './state';

const outcomeOf = (score: number): Outcome => (score > 0 ? 'win' : score < 0 ? 'loss' : 'draw');
const valueOf = (score: number, position: Position): Value => ({
  score,
  outcome: outcomeOf(score),
  moves: movesTo(score, position),
});

export function analysedOf(position: Position, found: Analysis): Analysed {
  const value = found.score === null ? null : valueOf(found.score, position);
  const rows = new Map(position.open.map(({ column, row }) => [column, row]));
  const columns = found.columns.map(({ column, low, high, isExact }): ColumnValue => {
    const own = isExact ? valueOf(low, position) : { score: null, outcome: null, moves: null };
    const words = t('why.column', { column: column + 1, text: valueWords(own) });
    const [best, keeps] = [found.best.includes(column), !!value && own.outcome === value.outcome];
    return { column: column + 1, row: (rows.get(column) ?? 0) + 1, ...own, low, high, best, keeps, words };
  });
  return {
    ...stateOf(position),
    exact: columns.every(({ score }) => score !== null),
    value,
    columns,
    best: found.best.map((column) => column + 1),
    keeping: columns.filter(({ keeps }) => keeps).length,
    line: found.line.map((column) => columnDigit(column + 1)).join(''),
    threats: [],
    nodes: found.nodes,
    seconds: 0,
    is_book: false,
  };
}

/** Null where only the rooms know: stones that were set up by hand, and games that are over. */
export async function firstLook({ start, moves, size }: Place, signal: AbortSignal): Promise<Analysed | null> {
  if (start) return null;
  const position = await local.position(moves, size);
  return position.isOver ? null : analysedOf(position, await local.analyse(moves, size, signal));
}
