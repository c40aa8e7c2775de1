import { expect, test } from 'vitest';
import { cellsIn, piecesOf, unmarked } from './light.svelte';

/** A sentence as the server writes it: names between isolates. */
const told = (text: string): string => text.replaceAll('[', '\u2068').replaceAll(']', '\u2069');

test('names of cells, lines and columns light the board', () => {
  expect(piecesOf(told('Column [d]: it takes [d3] on [a1–d4].'))).toEqual([
    { text: 'Column ' },
    { text: 'd', columns: [4] },
    { text: ': it takes ' },
    { text: 'd3', cells: [[4, 3]] },
    { text: ' on ' },
    {
      text: 'a1–d4',
      cells: [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ],
    },
    { text: '.' },
  ]);
});

test('moves are played in turn', () => {
  expect(piecesOf(told('[d-d-j]'))).toEqual([{ text: 'd-d-j', moves: '44a' }]);
});

test('a line goes any way', () => {
  const cells = (name: string) => piecesOf(told(`[${name}]`)).flatMap((piece) => piece.cells ?? []);
  expect(cells('d1–d4')).toEqual([1, 2, 3, 4].map((row) => [4, row]));
  expect(cells('g2–d5')).toEqual([2, 3, 4, 5].map((row) => [9 - row, row]));
  expect(cells('g10')).toEqual([[7, 10]]);
});

test('beyond z columns have numbers', () => {
  expect(piecesOf(told('[27] [27/3] [27-3]'))).toEqual([
    { text: '27', columns: [27] },
    { text: ' ' },
    { text: '27/3', cells: [[27, 3]] },
    { text: ' ' },
    { text: '27-3', moves: 'r3' },
  ]);
});

test('what names nothing is one piece, and nobody reads the marks', () => {
  expect(piecesOf('Nothing of a column d3.')).toEqual([{ text: 'Nothing of a column d3.' }]);
  expect(unmarked(told('Column [d].'))).toBe('Column d.');
});

test('a sentence tells its cells, those of its lines too, each once', () => {
  expect(cellsIn(told('Column [d]: [d3], then [a1–b2] and [d3].'))).toEqual([
    [4, 3],
    [1, 1],
    [2, 2],
  ]);
});
