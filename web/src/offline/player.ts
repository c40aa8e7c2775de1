// The small player that comes with the page: alpha-beta, a few discs deep, no book and no proof. The real ones live on
// the server.

import type { BoardState } from '../lib/contract';
import type { Rules } from './rules';

const WIN = 1_000_000;

/** The column it plays. It looks deeper until `nodes` positions are used up. */
export function choose(rules: Rules, from: BoardState, nodes = 60_000, chance: () => number = Math.random): number {
  const { columns, rows, connect } = rules.board;
  const heights = new Int16Array(columns);
  // Discs on every line by side, and the sum of what the open lines are worth to the side that began.
  const counts = [new Int16Array(rules.lines.length), new Int16Array(rules.lines.length)] as const;
  const worth = (count: number): number => (count === 0 ? 0 : 4 ** Math.min(count - 1, 4));
  let [ply, sum, used] = [0, 0, 0];

  /** Adds (by = 1) or takes away (by = -1) the disc on a cell; whether it completes a line. */
  function change(cell: number, side: 0 | 1, by: 1 | -1): boolean {
    let completes = false;
    const sign = side === 0 ? 1 : -1;
    for (const line of rules.through[cell]!) {
      const [mine, theirs] = [counts[side][line]!, counts[side ? 0 : 1][line]!];
      counts[side][line] = mine + by;
      if (theirs === 0) sum += sign * (worth(mine + by) - worth(mine));
      else if (mine + by === 0) sum -= sign * worth(theirs);
      else if (mine === 0) sum += sign * worth(theirs);
      completes ||= mine + by === connect;
    }
    return completes;
  }

  const order = Array.from({ length: columns }, (_, i) => i).sort((a, b) => centre(a) - centre(b));
  function centre(column: number): number {
    return Math.abs(column - (columns - 1) / 2);
  }

  /** What dropping there is worth to the side that does. */
  function value(column: number, depth: number, low: number, high: number): number {
    const side = (ply % 2) as 0 | 1;
    const cell = column * rows + heights[column]!;
    used += 1;
    const wins = change(cell, side, 1);
    heights[column]! += 1;
    ply += 1;
    let found = WIN - ply;
    if (!wins) {
      if (ply === rules.cells) found = 0;
      else if (depth === 0) found = side === 0 ? sum : -sum;
      else found = -best(depth - 1, -high, -low);
    }
    ply -= 1;
    heights[column]! -= 1;
    change(cell, side, -1);
    return found;
  }

  function best(depth: number, low: number, high: number): number {
    let top = -Infinity;
    for (const column of order) {
      if (heights[column]! >= rows) continue;
      top = Math.max(top, value(column, depth, Math.max(low, top), high));
      if (top >= high || used > nodes) break;
    }
    return top;
  }

  for (const [column, row, side] of from.discs) {
    change((column - 1) * rows + row - 1, side === 1 ? 0 : 1, 1);
    heights[column - 1] = row;
    ply += 1;
  }
  const open = order.filter((column) => heights[column]! < rows);
  let chosen = open;
  for (let depth = 0; depth < rules.cells - ply && used <= nodes; depth++) {
    let top = -Infinity;
    const values = open.map((column) => {
      const found = value(column, depth, top - 1, Infinity); // so that as good a one is told from a worse one
      top = Math.max(top, found);
      return found;
    });
    if (used > nodes && depth > 0) break; // not looked through to the end
    chosen = open.filter((_, i) => values[i] === top);
    if (Math.abs(top) > WIN / 2) break; // decided
  }
  return chosen[Math.floor(chance() * chosen.length)]! + 1;
}
