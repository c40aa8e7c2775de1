// The rules, for the board that other pages embed, which asks nobody. Elsewhere the server or the engine decides.

import { isBoard } from '../lib/bounds';
import type { BoardShape, BoardState, Landing, Side, Spot } from '../lib/contract';
import { other } from '../lib/game/protocol';

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** A board with its winning lines. Cells are numbers: column by column, each from the bottom. */
export class Rules {
  readonly cells: number;
  /** Every line of cells that wins, */
  readonly lines: number[][] = [];
  /** and the numbers of the lines through each cell. */
  readonly through: number[][];

  constructor(readonly board: BoardShape) {
    const { columns, rows, connect } = board;
    this.cells = columns * rows;
    this.through = Array.from({ length: this.cells }, () => []);
    for (let cell = 0; cell < this.cells; cell++) {
      const [column, row] = [Math.floor(cell / rows), cell % rows];
      for (const [right, up] of connect === 1 ? DIRECTIONS.slice(0, 1) : DIRECTIONS) {
        const [lastColumn, lastRow] = [column + right * (connect - 1), row + up * (connect - 1)];
        if (lastColumn >= columns || lastRow >= rows || lastRow < 0) continue;
        const line = Array.from({ length: connect }, (_, i) => cell + i * (right * rows + up));
        for (const on of line) this.through[on]?.push(this.lines.length);
        this.lines.push(line);
      }
    }
  }

  spot(cell: number): Spot {
    return [Math.floor(cell / this.board.rows) + 1, (cell % this.board.rows) + 1];
  }

  /** The position after these moves (`4453`); null where one of them cannot be played. */
  after(moves: string): BoardState | null {
    const { columns, rows, connect } = this.board;
    const heights = new Array<number>(columns).fill(0);
    const stones = new Array<0 | Side>(this.cells).fill(0);
    const discs: BoardState['discs'] = [];
    const four = new Set<number>();
    let turn: Side = 1;
    for (const digit of moves) {
      const column = parseInt(digit, 36) - 1;
      const height = heights[column];
      if (height === undefined || height >= rows || four.size) return null;
      const cell = column * rows + height;
      heights[column] = height + 1;
      stones[cell] = turn;
      discs.push([column + 1, height + 1, turn]);
      for (const number of this.through[cell] ?? []) {
        const line = this.lines[number] ?? [];
        if (line.every((on) => stones[on] === turn)) line.forEach((on) => four.add(on));
      }
      turn = other(turn);
    }
    const over = four.size > 0 || discs.length === this.cells;
    const open = over ? [] : heights.flatMap((height, i) => (height < rows ? [[i + 1, height + 1]] : []));
    return {
      board: this.board,
      size: `${columns}x${rows}x${connect}`,
      moves,
      position: '',
      ply: discs.length,
      turn: over ? null : turn,
      discs,
      last_known: true,
      landing: Object.fromEntries(open) as Landing,
      winner: four.size ? other(turn) : null,
      four: [...four].sort((a, b) => a - b).map((cell) => this.spot(cell)),
      over,
    };
  }
}

/** A board that can be played on: as the server has it. */
export function boardOf(text: string): BoardShape | null {
  const [columns = 0, rows = 0, connect = 0] = /^\d{1,2}x\d{1,3}x\d{1,3}$/.test(text)
    ? text.split('x').map(Number)
    : [];
  const board = { columns, rows, connect };
  return isBoard(board) ? board : null;
}
