// What a text means, on the board: the cells, columns or moves under the pointer, the focus or the finger. One light for
// all boards of the page; while texts name cells, the boards number their rows.

import { untrack } from 'svelte';
import type { Spot } from './contract';
import { columnDigit, once } from './game/discs';

/** A piece of a text, and what it lights. */
export interface Piece {
  text: string;
  cells?: Spot[];
  columns?: number[];
  moves?: string;
}

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
    this.cells = cells;
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

// Every name in a sentence of the server stands between these (Unicode's isolates, which nobody sees).
const BEGIN = String.fromCharCode(0x2068); // written out, it would turn the text of the program
const END = String.fromCharCode(0x2069);

/** A sentence in pieces: those that name something light it. */
export function piecesOf(text: string): Piece[] {
  const [first = '', ...others] = text.split(BEGIN);
  const pieces = others.flatMap((run) => {
    const [name = '', rest = ''] = run.split(END);
    return [named(name), { text: rest }];
  });
  return [{ text: first }, ...pieces].filter((piece) => piece.text);
}

/** The cells that a sentence names, each once. */
export const cellsIn = (text: string): Spot[] => once(piecesOf(text).flatMap(({ cells = [] }) => cells));

/** The same as it is read. */
export const unmarked = (text: string): string => text.replaceAll(BEGIN, '').replaceAll(END, '');

/** What a name means: d, d3, d3–g3, or d-d-c, columns played in turn. */
function named(name: string): Piece {
  if (name.includes('-')) return { text: name, moves: name.split('-').map(columnOf).map(columnDigit).join('') };
  const [first = spotOf(name), last = first] = name.split('–').map(spotOf);
  return first[1] ? { text: name, cells: between(first, last) } : { text: name, columns: [first[0]] };
}

// Beyond z columns have numbers: 27, and 27/3 is a cell.
const columnOf = (name: string): number => parseInt(name) || name.charCodeAt(0) - 96;
const spotOf = (name: string): Spot => [
  columnOf(name),
  Number(name.split('/')[1] ?? (parseInt(name) ? 0 : name.slice(1))),
];

/** The cells of a straight line, by its ends. */
function between([c1, r1]: Spot, [c2, r2]: Spot): Spot[] {
  const steps = Math.max(Math.abs(c2 - c1), Math.abs(r2 - r1));
  return Array.from({ length: steps + 1 }, (_, i) => [c1 + Math.sign(c2 - c1) * i, r1 + Math.sign(r2 - r1) * i]);
}
