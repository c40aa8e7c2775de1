// A position of the usual board from its moves: discs lie on each other, nothing more is known here.

import { STANDARD, type BoardState, type Landing, type Side } from '../contract';

const BOARD = { columns: 7, rows: 6, connect: 4 };

export function stackedState(moves: string): BoardState {
  const heights = new Map<number, number>();
  const discs: BoardState['discs'] = [...moves].map((digit, ply) => {
    const column = Number(digit);
    const row = (heights.get(column) ?? 0) + 1;
    heights.set(column, row);
    return [column, row, ply % 2 ? 2 : 1];
  });
  const landing: Landing = {};
  for (let column = 1; column <= BOARD.columns; column++) {
    const row = (heights.get(column) ?? 0) + 1;
    if (row <= BOARD.rows) landing[column] = row;
  }
  const turn: Side = moves.length % 2 ? 2 : 1;
  return {
    board: BOARD,
    size: STANDARD,
    moves,
    position: '',
    ply: moves.length,
    turn,
    discs,
    last_known: moves.length > 0,
    landing,
    winner: null,
    four: [],
    over: false,
  };
}
