// A position of the engine as the server would describe it. Columns, rows and sides count from 1 here.

import { columnsOf, type Position } from 'claimeven-engine';
import type { BoardState, Landing, Side, Spot } from '../lib/contract';

const sideOf = (side: number): Side => (side === 0 ? 1 : 2);

export function stateOf({ moves, board, side, open, winner, four, isOver }: Position): BoardState {
  const heights = new Map<number, number>();
  const discs = columnsOf(moves).map((column, ply): BoardState['discs'][number] => {
    const row = (heights.get(column) ?? 0) + 1;
    heights.set(column, row);
    return [column + 1, row, sideOf(ply % 2)];
  });
  return {
    board,
    size: `${board.columns}x${board.rows}x${board.connect}`,
    moves,
    position: '',
    ply: discs.length,
    turn: isOver ? null : sideOf(side),
    discs,
    last_known: true,
    landing: Object.fromEntries(open.map(({ column, row }) => [column + 1, row + 1])) as Landing,
    winner: winner === null ? null : sideOf(winner),
    four: four.map(({ column, row }): Spot => [column + 1, row + 1]),
    over: isOver,
  };
}
