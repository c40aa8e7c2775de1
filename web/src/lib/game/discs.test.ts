import { expect, test } from 'vitest';
import { allMoves, columnDigit, columnName, columnOfKey, discsOf, fourOf } from './discs';
import type { State } from '../contract';

const state = (start: string, moves: string): State => ({ start, moves }) as State;

test('discs lie on those before them, sides in turn', () => {
  expect(discsOf(state('', '445'))).toEqual([
    { ply: 0, column: 4, row: 1, side: 1 },
    { ply: 1, column: 4, row: 2, side: 2 },
    { ply: 2, column: 5, row: 1, side: 1 },
  ]);
});

test('a four is drawn from end to end, both where two meet, and none where there is none', () => {
  const four = (moves: string) =>
    fourOf(discsOf(state('', moves)), 4)
      .map(({ column, row }) => `${column}${row}`)
      .sort();
  expect(four('1213141')).toEqual(['11', '12', '13', '14']);
  expect(four('1122334')).toEqual(['11', '21', '31', '41']);
  expect(four('112233')).toEqual([]);
  expect(four('')).toEqual([]);
  expect(four('12233434414')).toEqual(['11', '22', '33', '44']);
});

test('a start of moves comes before the moves of the game', () => {
  expect(allMoves(state('44', '5'))).toBe('445');
  expect(discsOf(state('44', '5')).at(-1)).toEqual({ ply: 2, column: 5, row: 1, side: 1 });
});

test('a start of stones is drawn from below, and whose turn it is is kept', () => {
  const discs = discsOf(state('7/7/7/7/3o3/2oxx2 o 7x6x4', '4'));
  expect(discs.slice(0, 4).map(({ column, row, side }) => [column, row, side])).toEqual([
    [3, 1, 2],
    [4, 1, 1],
    [5, 1, 1],
    [4, 2, 2],
  ]);
  expect(discs.at(-1)).toEqual({ ply: 4, column: 4, row: 3, side: 2 });
});

test('a column has one name for people, and a digit in moves', () => {
  expect([1, 4, 10, 26, 27].map(columnName)).toEqual(['a', 'd', 'j', 'z', '27']);
  expect(['d', 'D', '4', 'h', '0', 'Enter'].map(columnOfKey)).toEqual([4, 4, 4, 0, 0, 0]);
  expect(columnDigit(10)).toBe('a');
  expect(discsOf(state('', 'a'))[0]?.column).toBe(10);
});
