import { expect, test } from 'vitest';
import { between, partsOf, piecesOf, spotOf } from './light.svelte';

test('cells of a text are found, and lines by their ends', () => {
  expect(partsOf('Look at d4: it completes a1–d4.')).toEqual([
    { text: 'Look at ' },
    { text: 'd4', cells: ['d4'] },
    { text: ': it completes ' },
    { text: 'a1–d4', cells: ['a1', 'b2', 'c3', 'd4'] },
    { text: '.' },
  ]);
});

test('columns of a text are found in every language, words are not', () => {
  const columns = (text: string) => piecesOf([{ text }]).flatMap((piece) => piece.columns ?? []);
  expect(columns('Columns a, c and d win; column b loses.')).toEqual([1, 3, 4, 2]);
  expect(columns('Les colonnes a et c gagnent, la colonne b ou d.')).toEqual([1, 3, 2, 4]);
  expect(columns('W kolumnach a i f; po kolumnie b lub g.')).toEqual([1, 6, 2, 7]);
  expect(columns('W kolumnie d, a potem b1; la colonne c et a b1; la colonne g, c’est ta colonne.')).toEqual([4, 3, 7]);
  expect(columns('Chỉ cột a và cột f; cột b, c và d.')).toEqual([1, 6, 2, 3, 4]);
  expect(
    columns('Column d and every other column; kolumny i kto, kolumna z pola, column d4, columns 1 and 2.'),
  ).toEqual([4]);
  expect(piecesOf(partsOf('Column d: it takes d3.'))).toEqual([
    { text: 'Column ' },
    { text: 'd', columns: [4] },
    { text: ': it takes ' },
    { text: 'd3', cells: ['d3'] },
    { text: '.' },
  ]);
});

test('a line goes any way', () => {
  expect(between('d1', 'd4')).toEqual(['d1', 'd2', 'd3', 'd4']);
  expect(between('g2', 'd5')).toEqual(['g2', 'f3', 'e4', 'd5']);
  expect(spotOf('g10')).toEqual([7, 10]);
});
