// Which boards there are: what the server takes.

import { BOUNDS, type BoardShape } from './contract';

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 1;

export const mostRows = (columns: number): number => Math.floor(BOUNDS.bits / columns) - 1;

export const mostColumns = (rows: number): number => Math.min(BOUNDS.columns[1], Math.floor(BOUNDS.bits / (rows + 1)));

export const isBoard = ({ columns, rows, connect }: BoardShape): boolean =>
  [columns, rows, connect].every(isCount) && columns <= mostColumns(rows);
