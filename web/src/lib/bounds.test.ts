import { expect, test } from 'vitest';
import { isBoard, mostColumns, mostRows } from './bounds';

test('a board that the server refuses is none here', () => {
  expect(isBoard({ columns: 35, rows: 20, connect: 4 })).toBe(false);
  expect(isBoard({ columns: 36, rows: 1, connect: 4 })).toBe(false);
  expect(isBoard({ columns: 7, rows: 6.5, connect: 4 })).toBe(false);
  expect(isBoard({ columns: 7, rows: 6, connect: 0 })).toBe(false);
});

test('the largest boards are boards', () => {
  for (let columns = 1; columns <= mostColumns(1); columns++) {
    const rows = mostRows(columns);
    expect(isBoard({ columns, rows, connect: 4 })).toBe(true);
    expect(isBoard({ columns, rows: rows + 1, connect: 4 })).toBe(false);
    expect(mostColumns(rows)).toBeGreaterThanOrEqual(columns);
  }
});
