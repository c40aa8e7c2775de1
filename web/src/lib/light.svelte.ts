// What a text means, on the board: the cells or the moves under the pointer, the focus or the finger. One light for all
// boards of the page; while texts name cells, the boards name their rows and columns.

import { untrack } from 'svelte';
import type { Spot, ToldPart } from './contract';

class Light {
  cells = $state.raw<Spot[]>([]);
  /** Columns played in turn, from the position shown. */
  moves = $state('');
  /** How many texts on the screen name cells. */
  named = $state(0);

  /** A text that names cells came or went. */
  count(by: number): void {
    untrack(() => (this.named += by));
  }

  show({ cells = [], moves = '' }: Pick<ToldPart, 'cells' | 'moves'>): void {
    this.cells = cells.map(spotOf);
    this.moves = moves;
  }

  off(): void {
    this.cells = [];
    this.moves = '';
  }
}

export const light = new Light();

/** `d4` as column and row. */
export const spotOf = (name: string): Spot => [name.charCodeAt(0) - 96, Number(name.slice(1))];

const CELLS = /\b[a-z]\d{1,2}(?:–[a-z]\d{1,2})?\b/g;

/** Some texts come without their parts: then only the names of cells are found in them, and of lines by their ends. */
export function partsOf(text: string): ToldPart[] {
  const parts: ToldPart[] = [];
  let from = 0;
  for (const found of text.matchAll(CELLS)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    const [first = '', last = first] = found[0].split('–');
    parts.push({ text: found[0], cells: between(first, last) });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The cells of a straight line, by its ends; only the ends of one that is not straight. */
export function between(first: string, last: string): string[] {
  const [[c1, r1], [c2, r2]] = [spotOf(first), spotOf(last)];
  const steps = Math.max(Math.abs(c2 - c1), Math.abs(r2 - r1));
  const isStraight = c1 === c2 || r1 === r2 || Math.abs(c2 - c1) === Math.abs(r2 - r1);
  if (!isStraight) return [first, last];
  return Array.from({ length: steps + 1 }, (_, i) => {
    const column = c1 + Math.sign(c2 - c1) * i;
    return `${String.fromCharCode(96 + column)}${r1 + Math.sign(r2 - r1) * i}`;
  });
}
