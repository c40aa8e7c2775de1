import { expect, test } from 'vitest';
import { between, partsOf, spotOf } from './light.svelte';

test('cells of a text are found, and lines by their ends', () => {
  expect(partsOf('Look at d4: it completes a1–d4.')).toEqual([
    { text: 'Look at ' },
    { text: 'd4', cells: ['d4'] },
    { text: ': it completes ' },
    { text: 'a1–d4', cells: ['a1', 'b2', 'c3', 'd4'] },
    { text: '.' },
  ]);
  expect(partsOf('Columns 1, 3 and 4 win.')).toEqual([{ text: 'Columns 1, 3 and 4 win.' }]);
});

test('a line goes any way', () => {
  expect(between('d1', 'd4')).toEqual(['d1', 'd2', 'd3', 'd4']);
  expect(between('g2', 'd5')).toEqual(['g2', 'f3', 'e4', 'd5']);
  expect(spotOf('g10')).toEqual([7, 10]);
});
