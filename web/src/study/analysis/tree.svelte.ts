// A tree of moves: the main line and its variations, where one is in it, and what the server said about each position.

import { Refused } from '../../lib/api';
import { columnDigit } from '../../lib/game/discs';
import { STANDARD, type Analysed, type BoardState, type ProgressLine, type Side } from '../../lib/contract';
import type { Place } from '../../lib/place';
import { analyse, valuesOf } from '../api';

export class Node {
  readonly id: number;
  children = $state.raw<Node[]>([]);
  analysed = $state.raw<Analysed | null>(null);
  /** Whether that is everything there is to know. */
  isWhole = false;

  constructor(
    readonly parent: Node | null,
    readonly column: number,
    readonly ply: number,
    /** How to ask for it. */
    readonly place: Place,
  ) {
    this.id = nextId++;
  }

  get side(): Side {
    return this.ply % 2 === 1 ? 1 : 2;
  }

  get path(): Node[] {
    return [...(this.parent?.path ?? []), this];
  }
}

let nextId = 0;
const rootOf = (place: Place): Node =>
  new Node(null, 0, place.start.split(' ')[0]?.replace(/[^xo]/g, '').length ?? 0, { ...place, moves: '' });

export class Tree {
  root = $state.raw<Node>(rootOf({ start: '', moves: '', size: STANDARD }));
  current = $state.raw<Node>(this.root);
  progress = $state.raw<ProgressLine | null>(null);
  isBusy = $state(false);
  failure = $state.raw<Refused | null>(null);
  values = $state.raw<(number | null)[]>([]);
  /** What is drawn until the server has answered. */
  before = $state.raw<BoardState | null>(null);

  private work = new AbortController();
  private valueWork = new AbortController();

  /** The line through the current position to its end: the moves before it and the main ones after it. */
  get line(): Node[] {
    const line = this.current.path;
    for (let node = this.current.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  /** Begin anew, at the end of the moves. */
  async open(place: Place): Promise<void> {
    this.before = null;
    this.values = [];
    this.root = rootOf(place);
    await this.go(this.extend(this.root, place.moves));
  }

  /** Adds moves below a node; the last one. */
  extend(node: Node, moves: string): Node {
    for (const digit of moves) node = this.child(node, parseInt(digit, 36));
    return node;
  }

  private child(node: Node, column: number): Node {
    const known = node.children.find((child) => child.column === column);
    if (known) return known;
    const made = new Node(node, column, node.ply + 1, { ...node.place, moves: node.place.moves + columnDigit(column) });
    node.children = [...node.children, made];
    return made;
  }

  async play(column: number): Promise<void> {
    const from = this.current.analysed;
    if (!from || !(column in from.landing)) return;
    await this.go(this.child(this.current, column));
  }

  /** Steps along a line of columns, adding it as a variation. */
  async follow(columns: number[]): Promise<void> {
    await this.go(this.extend(this.current, columns.map(columnDigit).join('')));
  }

  back(): void {
    if (this.current.parent) void this.go(this.current.parent);
  }

  forward(): void {
    const next = this.current.children[0];
    if (next) void this.go(next);
  }

  start(): void {
    void this.go(this.root);
  }

  end(): void {
    const last = this.line.at(-1);
    if (last) void this.go(last);
  }

  /** Takes a variation out. */
  remove(node: Node): void {
    const { parent } = node;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== node);
    if (this.current.path.includes(node)) void this.go(parent);
  }

  /** Makes the variation of a node the main one. */
  promote(node: Node): void {
    for (let at: Node = node; at.parent; at = at.parent) {
      const child = at;
      at.parent.children = [child, ...at.parent.children.filter((other) => other !== child)];
    }
    void this.loadValues();
  }

  async go(node: Node): Promise<void> {
    const parent = node.parent;
    this.before = drawn(parent?.analysed ?? null, node);
    this.current = node;
    this.cancel();
    if (!node.isWhole) await this.load(node);
    if (node.analysed) void this.loadValues();
  }

  /** Gives up what is being worked out. */
  cancel(): void {
    this.work.abort();
    this.isBusy = false;
    this.progress = null;
    this.failure = null;
  }

  async load(node: Node): Promise<void> {
    this.cancel();
    const work = (this.work = new AbortController());
    this.isBusy = true;
    try {
      const told = (progress: ProgressLine) => work === this.work && (this.progress = progress);
      const first = (found: Analysed) => node.isWhole || (node.analysed = found);
      const found = await analyse(node.place, told, first, work.signal);
      if (!work.signal.aborted) [node.analysed, node.isWhole] = [found, true];
    } catch (error) {
      if (work.signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      this.failure = error;
    } finally {
      if (work === this.work) {
        this.isBusy = false;
        this.progress = null;
      }
    }
  }

  /** Everything is asked anew, in another language. */
  async refresh(): Promise<void> {
    const forget = (node: Node): void => {
      [node.analysed, node.isWhole] = [null, false];
      node.children.forEach(forget);
    };
    const { current } = this;
    this.before = current.analysed;
    forget(this.root);
    await this.load(current);
  }

  private async loadValues(): Promise<void> {
    const { line } = this;
    const last = line.at(-1) ?? this.root;
    if (this.valued === this.valuedWhole && this.valued.at(-1) === last) return;
    this.valueWork.abort();
    // What another line is worth says nothing about this one.
    this.values = line.map((node, i) => (node === this.valued[i] ? (this.values[i] ?? null) : null));
    this.valued = line;
    const work = (this.valueWork = new AbortController());
    try {
      const { values } = await valuesOf(last.place, work.signal);
      if (work.signal.aborted) return;
      this.values = values;
      this.valuedWhole = line;
    } catch {
      // The graph is a help, not the matter itself.
    }
  }
  /** The line that `values` is about; the same one again once all of them are there. */
  private valued: Node[] = [];
  private valuedWhole: Node[] | null = null;
}

/** A position with one more disc, as the server said where it lands; nothing else of it is known yet. */
function drawn(from: BoardState | null, node: Node): BoardState | null {
  const row = from?.landing[node.column];
  if (!from || !row || !from.turn) return null;
  return { ...from, discs: [...from.discs, [node.column, row, from.turn]], last_known: true, landing: {}, turn: null };
}
