// What a text means, on the board: the cells, columns or moves under the pointer, the focus or the finger. One light for
// all boards of the page; while texts name cells, the boards number their rows.

import { untrack } from 'svelte';
import type { Spot, ToldPart } from './contract';

/** A piece of a text, and what it lights. */
export type Piece = ToldPart & { columns?: number[] };

class Light {
  cells = $state.raw<Spot[]>([]);
  columns = $state.raw<number[]>([]);
  /** Columns played in turn, from the position shown. */
  moves = $state('');
  /** How many texts on the screen name cells. */
  named = $state(0);

  /** A text that names cells came or went. */
  count(by: number): void {
    untrack(() => (this.named += by));
  }

  show({ cells = [], columns = [], moves = '' }: Omit<Piece, 'text'>): void {
    this.cells = cells.map(spotOf);
    this.columns = columns;
    this.moves = moves;
  }

  off(): void {
    this.cells = [];
    this.columns = [];
    this.moves = '';
  }
}

export const light = new Light();

/** `d4` as column and row. */
export const spotOf = (name: string): Spot => [name.charCodeAt(0) - 96, Number(name.slice(1))];

const CELLS = /\b[a-z]\d{1,2}(?:–[a-z]\d{1,2})?\b/g;

// The letters behind the word for a column, in every language of the page; i, o, u, w, y and z are words in some of them,
// and so is `a`, but for where it comes first: columns are named from left to right.
const LATER = '[b-hj-npq-tvx]';
const BETWEEN = '(?:, | and | or | et | ou | i | lub | và | hoặc )';
const COLUMN = '(?:[Cc]olumns?|[Cc]olonnes?|[Kk]olumn\\p{L}{1,3}|[Cc]ột)';
const COLUMNS = new RegExp(`(${COLUMN} )((?:a|${LATER})(?:${BETWEEN}${LATER})*)(?![\\p{L}\\d’'-])`, 'gu');

/** Some texts come without their parts: then only the names of cells are found in them, and of lines by their ends. */
export function partsOf(text: string): Piece[] {
  return split(text, CELLS, ([name]) => {
    const [first = '', last = first] = name.split('–');
    return [{ text: name, cells: between(first, last) }];
  });
}

/** All that a text names: its own parts or those found in it, and columns in what is left. */
export const piecesOf = (parts: Piece[]): Piece[] =>
  parts.flatMap((part) => (part.cells?.length || part.moves ? [part] : columnsIn(part.text)));

const columnsIn = (text: string): Piece[] =>
  split(text, COLUMNS, ([, word = '', names = '']) => [
    { text: word },
    ...names
      .split(new RegExp(`(${BETWEEN})`))
      .map((name) => (name.length > 1 ? { text: name } : { text: name, columns: [name.charCodeAt(0) - 96] })),
  ]);

function split(text: string, names: RegExp, pieces: (found: RegExpMatchArray) => Piece[]): Piece[] {
  const parts: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(names)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) });
    parts.push(...pieces(found));
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
