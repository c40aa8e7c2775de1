// What a character remarks during a game: seldom, about what the rules have just shown, and nothing that helps. It is
// said when its own disc lies, and follows from the discs alone: a reload says the same.

import type { BoardShape, Side } from '../../lib/contract';
import type { Cell, Disc } from '../../lib/game/discs';
import { other } from '../../lib/game/protocol';

/** Its line was closed, after it had passed the win over or not; it closed one itself; a full board; nothing at all. */
export const REMARKS = ['slipped', 'closed', 'stopped', 'late', 'calm'] as const;
export type Remark = (typeof REMARKS)[number];

export const GAP = 6; // discs from one remark to the next, at least
const CALM = 10; // discs of silence before something is said that is about nothing
const LATE = 0.7; // of the cells are taken

const STEPS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

class Grid {
  private readonly sides = new Map<string, Side>();
  private readonly heights = new Map<number, number>();
  constructor(private readonly board: BoardShape) {}

  put({ column, row, side }: Disc): void {
    this.sides.set(`${column}:${row}`, side);
    this.heights.set(column, row);
  }

  /** Whether a disc that falls there now completes a line. */
  wins(side: Side, { column, row }: Cell): boolean {
    if (row !== (this.heights.get(column) ?? 0) + 1) return false;
    return STEPS.some(
      ([x, y]) => 1 + this.run(side, column, row, x, y) + this.run(side, column, row, -x, -y) >= this.board.connect,
    );
  }

  hasWin(side: Side): boolean {
    for (let column = 1; column <= this.board.columns; column++) {
      const row = (this.heights.get(column) ?? 0) + 1;
      if (row <= this.board.rows && this.wins(side, { column, row })) return true;
    }
    return false;
  }

  private run(side: Side, column: number, row: number, x: number, y: number): number {
    let length = 0;
    while (this.sides.get(`${column + x * (length + 1)}:${row + y * (length + 1)}`) === side) length += 1;
    return length;
  }
}

/** What is being remarked: since the last disc of the character, until its next one. `given` discs lay there before. */
export function remarkAt(
  discs: readonly Disc[],
  given: number,
  mine: Side,
  board: BoardShape,
): { what: Remark; ply: number } | null {
  const theirs = other(mine);
  const grid = new Grid(board);
  let [last, isLate] = [given, false];
  let now: { what: Remark; ply: number } | null = null;
  let seen: Remark | null = null; // in the answer to its last disc
  let hadWin: (cell: Cell) => boolean = () => false; // before its last disc
  for (const [ply, disc] of discs.entries()) {
    if (ply < given) grid.put(disc);
    else if (disc.side === mine) {
      seen = grid.wins(theirs, disc) ? (hadWin(disc) ? 'slipped' : 'closed') : null;
      grid.put(disc);
    } else {
      const [isStopped, open] = [grid.wins(mine, disc), openWins(grid, theirs, board)];
      hadWin = ({ column, row }) => open.has(`${column}:${row}`);
      grid.put(disc);
      const isFull = ply + 1 >= LATE * board.columns * board.rows;
      const silent = ply - last;
      const what: Remark | null =
        silent < GAP
          ? null
          : (seen ??
            (isStopped && !grid.hasWin(mine)
              ? 'stopped'
              : isFull && !isLate
                ? 'late'
                : silent >= CALM && !isFull
                  ? 'calm'
                  : null));
      now = what && { what, ply };
      if (what) last = ply;
      if (what === 'late') isLate = true;
    }
  }
  return now;
}

function openWins(grid: Grid, side: Side, { columns, rows }: BoardShape): Set<string> {
  const found = new Set<string>();
  for (let column = 1; column <= columns; column++)
    for (let row = 1; row <= rows; row++) if (grid.wins(side, { column, row })) found.add(`${column}:${row}`);
  return found;
}
