import { expect, test } from 'vitest';
import { discsOf, type Disc } from '../../lib/game/discs';
import { GAP, remarkAt, type Remark } from './remarks';

const BOARD = { columns: 7, rows: 6, connect: 4 };
const said = (moves: string, mine: 1 | 2, given = 0): Remark | undefined =>
  remarkAt(discsOf({ start: '', moves }), given, mine, BOARD)?.what;

test('it remarks on a line that was closed, on one it closed, and on a win that it passed over', () => {
  expect(said('1716112', 2)).toBe('closed');
  expect(said('17161123', 2)).toBe('closed'); // until its next disc
  expect(said('171611233', 2)).toBeUndefined();
  expect(said('171615314', 2)).toBe('slipped');
  expect(said('17173611', 1)).toBe('stopped');
  expect(said('171611', 2)).toBeUndefined(); // not before its own disc
  expect(said('1716112', 2, 2)).toBeUndefined(); // so early in the game
});

// The rules once more, as naively as can be.
function hasFour(discs: readonly Disc[], side: number): boolean {
  const own = new Set(discs.filter((disc) => disc.side === side).map(({ column, row }) => `${column}:${row}`));
  return [...own].some((cell) => {
    const [column = 0, row = 0] = cell.split(':').map(Number);
    return [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ].some(([x = 0, y = 0]) => [0, 1, 2, 3].every((n) => own.has(`${column + n * x}:${row + n * y}`)));
  });
}
const wouldWin = (discs: readonly Disc[], disc: Disc, side: 1 | 2): boolean =>
  hasFour([...discs, { ...disc, side }], side);
const landings = (discs: readonly Disc[]): Disc[] =>
  [1, 2, 3, 4, 5, 6, 7].flatMap((column) => {
    const row = discs.filter((disc) => disc.column === column).length + 1;
    return row > 6 ? [] : [{ ply: discs.length, column, row, side: 1 as const }];
  });

const couldWin = (discs: readonly Disc[], { column, row }: Disc, side: 1 | 2): boolean =>
  landings(discs).some((disc) => disc.column === column && disc.row === row && wouldWin(discs, disc, side));

test('whatever is remarked is true, and seldom', () => {
  const counts: Partial<Record<Remark, number>> = {};
  let seed = 7;
  const chance = (n: number) => ((seed = (seed * 1103515245 + 12345) % 2147483648) >> 8) % n;
  for (let game = 0; game < 400; game++) {
    const discs: Disc[] = [];
    const mine = game % 2 ? 1 : 2;
    let last = 0;
    for (;;) {
      const side = discs.length % 2 ? 2 : 1;
      const open = landings(discs);
      if (!open.length) break;
      // Most see a four of theirs or of the other one.
      const sees = chance(4) > 0;
      const wins = open.find((disc) => wouldWin(discs, disc, side) && sees);
      const stops = open.find((disc) => wouldWin(discs, disc, side === 1 ? 2 : 1) && chance(4) > 0);
      discs.push({ ...(wins ?? stops ?? open[chance(open.length)]!), side });
      const found = remarkAt(discs, 0, mine, BOARD);
      if (hasFour(discs, side)) break;
      if (side === mine) {
        if (found) expect(found.ply).toBeLessThan(discs.length - 1); // nothing new before its own disc
        continue;
      }
      if (!found) continue;
      counts[found.what] = (counts[found.what] ?? 0) + 1;
      expect(found.ply).toBe(discs.length - 1);
      expect(found.ply - last).toBeGreaterThanOrEqual(GAP);
      last = found.ply;
      const [own, answer, before] = [discs.at(-1)!, discs.at(-2)!, discs.slice(0, -2)];
      const theirs = own.side;
      if (found.what === 'closed' || found.what === 'slipped') expect(wouldWin(before, answer, theirs)).toBe(true);
      if (found.what === 'slipped') expect(couldWin(before.slice(0, -1), answer, theirs)).toBe(true);
      if (found.what === 'closed') expect(couldWin(before.slice(0, -1), answer, theirs)).toBe(false);
      if (found.what === 'stopped') {
        expect(wouldWin(discs.slice(0, -1), own, mine)).toBe(true);
        expect(landings(discs).some((disc) => wouldWin(discs, disc, mine))).toBe(false);
      }
      if (found.what === 'late') expect(discs.length).toBeGreaterThanOrEqual(29);
    }
  }
  expect(Object.keys(counts).sort()).toEqual(['calm', 'closed', 'late', 'slipped', 'stopped']);
});
