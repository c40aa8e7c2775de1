// A tree of moves: the main line and its variations, where one is in it, and what the server said about each position.

import { Refused } from '../../lib/api';
import { columnDigit } from '../../lib/discs';
import type { Side } from '../../lib/protocol';
import { analyse, valuesOf, type Analysed, type BoardState, type Place, type Progress } from '../api';

export class Node {
  readonly id: number;
  children = $state.raw<Node[]>([]);
  analysed = $state.raw<Analysed | null>(null);
  /** How to ask for it; null until the server has named a position that follows a set-up one. */
  place = $state.raw<Place | null>(null);

  constructor(
    readonly parent: Node | null,
    readonly column: number,
    readonly ply: number,
    place: Place | null,
  ) {
    this.id = nextId++;
    this.place = place;
  }

  get side(): Side {
    return this.ply % 2 === 1 ? 1 : 2;
  }

  get path(): Node[] {
    const path: Node[] = [];
    for (let node: Node | null = this; node; node = node.parent) path.unshift(node);
    return path;
  }
}

let nextId = 0;
const isMoves = ({ text }: Place): boolean => !/[ /]/.test(text);

export class Tree {
  root = $state.raw<Node>(new Node(null, 0, 0, { text: '', size: '7x6x4' }));
  current = $state.raw<Node>(this.root);
  progress = $state.raw<Progress | null>(null);
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

  /** Begin anew: from moves, shown at their end, or from a position. */
  async open(place: Place): Promise<void> {
    this.before = null;
    this.values = [];
    if (isMoves(place)) {
      this.root = new Node(null, 0, 0, { text: '', size: place.size });
      await this.go(this.extend(this.root, place.text));
    } else {
      this.root = new Node(null, 0, 0, place);
      await this.go(this.root);
    }
  }

  /** Adds moves below a node that is reached by moves; the last one. */
  extend(node: Node, moves: string): Node {
    for (const digit of moves) node = this.child(node, parseInt(digit, 36));
    return node;
  }

  private child(node: Node, column: number): Node {
    const known = node.children.find((child) => child.column === column);
    if (known) return known;
    const place = node.place && isMoves(node.place)
      ? { text: node.place.text + columnDigit(column), size: node.place.size }
      : null;
    const ply = (node.analysed?.ply ?? node.ply) + 1;
    const made = new Node(node, column, ply, place);
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
    for (const column of columns) {
      const next = this.child(this.current, column);
      if (next.place) this.current = next;
      else await this.go(next);
    }
    await this.go(this.current);
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
    this.current = this.current; // the line has changed
    void this.loadValues();
  }

  async go(node: Node): Promise<void> {
    const parent = node.parent;
    this.before = drawn(parent?.analysed ?? null, node);
    this.current = node;
    this.cancel();
    if (!node.analysed) await this.load(node);
    void this.loadValues();
  }

  /** Gives up what is being worked out. */
  cancel(): void {
    this.work.abort();
    this.isBusy = false;
    this.progress = null;
  }

  async load(node: Node): Promise<void> {
    const work = (this.work = new AbortController());
    this.failure = null;
    this.isBusy = true;
    try {
      const [place, column] = node.place ? [node.place, null] : [node.parent?.place ?? null, node.column];
      if (!place) return;
      const found = await analyse(place, column, (progress) => work === this.work && (this.progress = progress), work.signal);
      node.place ??= { text: found.position, size: found.size };
      node.analysed = found;
    } catch (error) {
      if (error instanceof Refused && work === this.work) this.failure = error;
      else if (!(error instanceof DOMException)) throw error;
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
      node.analysed = null;
      node.children.forEach(forget);
    };
    const { current } = this;
    this.before = current.analysed;
    forget(this.root);
    await this.load(current);
  }

  private async loadValues(): Promise<void> {
    const place = this.line.at(-1)?.place;
    if (!place || !isMoves(place)) {
      this.values = this.line.map((node) => firstValue(node.analysed));
      return;
    }
    if (this.values.length === this.line.length && place.text === this.valuesOf) return;
    this.valueWork.abort();
    const work = (this.valueWork = new AbortController());
    try {
      const { values } = await valuesOf(place, work.signal);
      this.values = values;
      this.valuesOf = place.text;
    } catch {
      // The graph is a help, not the matter itself.
    }
  }
  private valuesOf = '';
}

function firstValue(analysed: Analysed | null): number | null {
  const value = analysed?.value?.score ?? null;
  return value === null || !analysed ? null : analysed.ply % 2 === 0 ? value : -value;
}

/** A position with one more disc, as the server said where it lands; nothing else of it is known yet. */
function drawn(from: BoardState | null, node: Node): BoardState | null {
  const row = from?.landing[node.column];
  if (!from || !row || !from.turn) return null;
  return { ...from, discs: [...from.discs, [node.column, row, from.turn]], landing: {}, turn: null };
}
