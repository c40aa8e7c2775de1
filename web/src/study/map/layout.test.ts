import { describe, expect, it } from 'vitest';
import { layoutOf, movesTo, type Nodes } from './layout';

// 4, then 1-2 and 7-6; below 1-2 two leaves of different kinds.
const NODES: Nodes = [
  [-1, -1, '4'],
  [0, -1, '12'],
  [1, 4, '33'],
  [1, 0, '55'],
  [0, 0, '76'],
];

describe('the picture of the map', () => {
  it('stands parents over the middle of their children', () => {
    const { x, y, deepest } = layoutOf(NODES, 'walk');
    expect(deepest).toBe(5);
    expect([...y]).toEqual([0.2, 0.6, 1, 1, 0.6].map(Math.fround));
    expect(x[2]).toBeLessThan(x[3]!);
    expect(x[3]).toBeLessThan(x[4]!);
    expect(x[1]).toBeCloseTo((x[2]! + x[3]!) / 2);
    expect(x[0]).toBeCloseTo((x[1]! + x[4]!) / 2);
  });

  it('puts leaves of one kind together', () => {
    const { x } = layoutOf(NODES, 'why');
    expect(x[3]).toBeLessThan(x[4]!);
    expect(x[4]).toBeLessThan(x[2]!);
  });

  it('knows the way to every node', () => {
    expect(NODES.map((_, i) => movesTo(NODES, i))).toEqual(['4', '412', '41233', '41255', '476']);
  });
});
