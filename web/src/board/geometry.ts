// Where things are on the drawn board, in units of the SVG. One cell is 100 wide.

import type { Cell } from '../lib/game/discs';
import type { BoardShape } from '../lib/contract';

export const CELL = 100;
export const HOLE = 41;
const RIM = 14;
const STRIP = 94; // above the board: the disc about to be dropped
const BARE = 4; // where nothing is ever dropped
const FOOT = 30; // below the holes: the numbers of the columns

export class Layout {
  readonly width: number;
  readonly height: number;
  readonly left = RIM;
  readonly top: number;
  readonly strip: number;

  constructor(
    readonly board: BoardShape,
    isBare = false,
  ) {
    this.strip = isBare ? BARE : STRIP;
    this.top = this.strip + RIM;
    this.width = board.columns * CELL + 2 * RIM;
    this.height = this.strip + board.rows * CELL + 2 * RIM + FOOT;
  }

  x(column: number): number {
    return this.left + (column - 0.5) * CELL;
  }

  y(row: number): number {
    return this.top + (this.board.rows - row + 0.5) * CELL;
  }

  get footY(): number {
    return this.height - RIM / 2 - FOOT / 2;
  }

  /** The front of the board: a rounded plate with a hole for every cell. */
  get plate(): string {
    const { width, height, strip } = this;
    const r = 34;
    const edge =
      `M${r} ${strip}H${width - r}A${r} ${r} 0 0 1 ${width} ${strip + r}V${height - r}` +
      `A${r} ${r} 0 0 1 ${width - r} ${height}H${r}A${r} ${r} 0 0 1 0 ${height - r}V${strip + r}A${r} ${r} 0 0 1 ${r} ${strip}Z`;
    return (
      edge +
      this.cells()
        .map((cell) => this.hole(cell))
        .join('')
    );
  }

  /** The shadow that the plate casts into each hole: a crescent at its upper edge. Drawn behind the plate, which hides
   *  the crescents below. */
  get shade(): string {
    return this.cells()
      .map((cell) => this.hole(cell) + this.hole(cell, 6))
      .join('');
  }

  /** The rims of all holes as one path. */
  get rims(): string {
    return this.cells()
      .map((cell) => this.hole(cell))
      .join('');
  }

  cells(): Cell[] {
    const { columns, rows } = this.board;
    return Array.from({ length: columns * rows }, (_, i) => ({
      column: (i % columns) + 1,
      row: rows - Math.floor(i / columns),
    }));
  }

  private hole({ column, row }: Cell, down = 0): string {
    const x = this.x(column);
    const y = this.y(row) + down;
    return `M${x - HOLE} ${y}a${HOLE} ${HOLE} 0 1 0 ${2 * HOLE} 0a${HOLE} ${HOLE} 0 1 0 ${-2 * HOLE} 0Z`;
  }
}

/** How much wider than high it is drawn. */
export function shapeOf(board: BoardShape, isBare = false): number {
  const { width, height } = new Layout(board, isBare);
  return width / height;
}

export const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;
