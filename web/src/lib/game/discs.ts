// From a game's moves to discs. Each disc lies on the ones before it in its column; nothing else is known here:
// what may be played, and who has won, the server says.

import { isPosition, type Place } from '../place';
import type { BoardState, Side, Spot, State } from '../contract';
import { other } from './protocol';

export interface Cell {
  column: number; // from 1
  row: number; // from 1, the lowest
}

export interface Disc extends Cell {
  ply: number;
  side: Side;
  isPending?: boolean;
}

type Played = Pick<State, 'start' | 'moves'>;

/** The whole moves string; without the start where that is a position. */
export const allMoves = ({ start, moves }: Played): string => (isPosition(start) ? moves : start + moves);

/** How many discs lay there before anybody moved. */
export const givenIn = ({ start }: Pick<State, 'start'>): number =>
  isPosition(start) ? stonesOf(start).length : start.length;

const firstSide = (start: string): Side => (/^\S+ o/.test(start) ? 2 : 1);

export const sideToMove = (played: Played): Side => {
  const first = firstSide(played.start);
  return allMoves(played).length % 2 ? other(first) : first;
};

export function discsOf(state: Played): Disc[] {
  const discs = isPosition(state.start) ? stonesOf(state.start) : [];
  let side = firstSide(state.start);
  const heights = new Map<number, number>();
  for (const { column, row } of discs) heights.set(column, Math.max(row, heights.get(column) ?? 0));
  for (const digit of allMoves(state)) {
    const column = parseInt(digit, 36);
    const row = (heights.get(column) ?? 0) + 1;
    heights.set(column, row);
    discs.push({ ply: discs.length, column, row, side });
    side = other(side);
  }
  return discs;
}

/** The cells of every four through the last disc, as they are drawn when a game is over. */
export function fourOf(discs: Disc[], connect: number): Cell[] {
  const last = discs.at(-1);
  if (!last) return [];
  const own = new Set(discs.filter(({ side }) => side === last.side).map(({ column, row }) => `${column}:${row}`));
  const found = new Map<string, Cell>();
  for (const [right, up] of [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ] as const) {
    const cellAt = (step: number): Cell => ({ column: last.column + step * right, row: last.row + step * up });
    const isOwn = ({ column, row }: Cell): boolean => own.has(`${column}:${row}`);
    let [from, to] = [0, 0];
    while (isOwn(cellAt(from - 1))) from -= 1;
    while (isOwn(cellAt(to + 1))) to += 1;
    if (to - from + 1 < connect) continue;
    for (let step = from; step <= to; step++) found.set(`${cellAt(step).column}:${cellAt(step).row}`, cellAt(step));
  }
  return [...found.values()];
}

function stonesOf(position: string): Disc[] {
  const rows = (position.split(' ')[0] ?? '').split('/').reverse();
  const discs: Disc[] = [];
  rows.forEach((text, row) => {
    let column = 1;
    for (const part of text.match(/\d+|[xo]/g) ?? []) {
      if (part === 'x' || part === 'o') {
        discs.push({ ply: discs.length, column, row: row + 1, side: part === 'x' ? 1 : 2 });
        column += 1;
      } else column += Number(part);
    }
  });
  return discs;
}

/** A position as far as the discs tell: enough to be drawn while the rest is on its way. */
export function drawnOf(place: Place): BoardState {
  const size = place.start.split(' ')[2] ?? place.size;
  const [columns = 7, rows = 6, connect = 4] = size.split('x').map(Number);
  const discs = discsOf(place).filter(({ column, row }) => column <= columns && row <= rows);
  return {
    board: { columns, rows, connect },
    size,
    moves: place.start ? null : place.moves,
    position: place.start,
    ply: discs.length,
    turn: null,
    discs: discs.map(({ column, row, side }) => [column, row, side]),
    last_known: !!place.moves,
    landing: {},
    winner: null,
    four: [],
    over: false,
  };
}

/** As moves are written in addresses and formats. */
export const columnDigit = (column: number): string => column.toString(36);

/** The same cells, none twice. */
export const once = (cells: Spot[]): Spot[] => [...new Map(cells.map((cell) => [cell.join(':'), cell])).values()];

/** The cells that a moment of a game is about. */
export const spotsOf = ({ cells, fours }: { cells: Spot[]; fours: Spot[][] }): Spot[] =>
  once([...cells, ...fours.flat()]);

/** The name of a column for people: d, as in the cell d4. Those after z have their number. */
export const columnName = (column: number): string => (column <= 26 ? String.fromCharCode(96 + column) : `${column}`);

export const spotName = ([column, row]: Spot): string => `${columnName(column)}${row}`;

export const columnNames = (columns: number[]): string => columns.map(columnName).join(', ');

/** The column that a key stands for, by its digit or, on the usual board, its letter; 0 for none. */
export function columnOfKey(key: string): number {
  if (/^[a-g]$/i.test(key)) return key.toLowerCase().charCodeAt(0) - 96;
  return /^[1-9]$/.test(key) ? Number(key) : 0;
}

/** The columns of moves, from 1. */
export const columnsOf = (moves: string): number[] => [...moves].map((digit) => parseInt(digit, 36));
