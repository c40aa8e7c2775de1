// Where the nodes of the map stand: down by the discs on the board, across in the order of a walk or by reason.

import type { MapPicture } from '../../lib/contract';

export type Order = 'walk' | 'why';

export interface Layout {
  /** 0 to 1, from left to right. */
  x: Float32Array;
  /** 0 to 1, from the top. */
  y: Float32Array;
  /** Discs on the board at the deepest node. */
  deepest: number;
}

/** Of each the number of its parent, that of the kind of its reason, and the columns from there; -1 for none. */
export type Nodes = [number, number, string][];

export function nodesOf({ back, marks, steps }: MapPicture): Nodes {
  return back.map((by, i) => [by ? i - by : -1, marks[i] ?? -1, steps[i] ?? '']);
}

/** Parents come before their children, and the children of one in the order of the columns. */
export function layoutOf(nodes: Nodes, order: Order): Layout {
  const count = nodes.length;
  const [x, y, plies] = [new Float32Array(count), new Float32Array(count), new Uint8Array(count)];
  nodes.forEach(([parent, , steps], i) => (plies[i] = (parent < 0 ? 0 : (plies[parent] ?? 0)) + steps.length));
  const deepest = plies.reduce((most, ply) => Math.max(most, ply), 1);
  const leaves = nodes.flatMap(([, why], i) => (why < 0 ? [] : [{ i, why }]));
  if (order === 'why') leaves.sort((one, two) => one.why - two.why || one.i - two.i);
  leaves.forEach(({ i }, place) => (x[i] = (place + 0.5) / leaves.length));
  // An inner node stands over the middle of what follows it; one whose children are met elsewhere, beside its parent.
  const [sum, below] = [new Float32Array(count), new Uint32Array(count)];
  for (let i = count - 1; i >= 0; i--) {
    const [parent, why] = nodes[i] ?? [-1, -1];
    if (why < 0 && below[i]) x[i] = (sum[i] ?? 0) / (below[i] ?? 1);
    if (parent >= 0 && (why >= 0 || below[i])) {
      sum[parent] = (sum[parent] ?? 0) + (x[i] ?? 0);
      below[parent] = (below[parent] ?? 0) + 1;
    }
  }
  for (let i = 0; i < count; i++) {
    const [parent, why] = nodes[i] ?? [-1, -1];
    if (why < 0 && !below[i]) x[i] = parent < 0 ? 0.5 : (x[parent] ?? 0.5);
    y[i] = (plies[i] ?? 0) / deepest;
  }
  return { x, y, deepest };
}

/** The columns that lead to a node. */
export function movesTo(nodes: Nodes, index: number): string {
  let moves = '';
  for (let i = index; i >= 0; i = nodes[i]?.[0] ?? -1) moves = (nodes[i]?.[2] ?? '') + moves;
  return moves;
}
