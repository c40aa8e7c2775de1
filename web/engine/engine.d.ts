// The types of engine.js. Columns, rows and sides count from 0; moves are texts like '4453', boards like '7x6x4'.

export interface Limits {
  /** Seconds or nodes after which a search ends; none: when it is done. */
  seconds?: number;
  nodes?: number;
}

export interface Options extends Limits {
  board?: string;
}

export interface Position {
  moves: string;
  board: { columns: number; rows: number; connect: number };
  /** The stones of the side to move, and all stones, as bits. */
  mine: bigint;
  mask: bigint;
  side: number;
  /** Where a disc lands in each open column, and whether it wins there for the side to move, or for the other. */
  open: { column: number; row: number; wins: boolean; blocks: boolean }[];
  winner: number | null;
  four: { column: number; row: number }[];
  isOver: boolean;
}

/** What is known of playing in a column: its value is exact when both bounds are the same. */
export interface ColumnBounds {
  column: number;
  low: number;
  high: number;
  isExact: boolean;
}

export interface Analysis {
  /** For the side to move: positive wins, and the sooner the larger; null when a limit came first. */
  score: number | null;
  columns: ColumnBounds[];
  best: number[];
  line: number[];
  nodes: number;
}

export class EngineError extends Error {}

export function boardOf(text?: string): Position['board'];
export function columnsOf(moves: string): number[];

/** How many discs the winner still has to play when a position has this score; null for a draw. */
export function movesTo(score: number, position: Pick<Position, 'board' | 'moves'>): number | null;

/** In this very thread: whoever calls waits. index.d.ts is for pages. */
export class Engine {
  /** From the bytes of engine.wasm; `megabytes`: what its solver may remember. */
  static load(source: BufferSource | WebAssembly.Module, options?: { megabytes?: number }): Promise<Engine>;
  /** Called now and then during long work with the nodes so far; true stops it. */
  beat: (nodes: number) => boolean;
  readonly megabytes: number;
  /** The opening book of a board, from its bytes; it takes the place of another. */
  useBook(bytes: Uint8Array): void;
  position(moves: string, board?: string): Position;
  analyse(moves: string, options?: Options): Analysis;
  score(moves: string, options?: { board?: string }): number;
  bestMove(moves: string, options?: Options): number;
  /** The column that a level plays: 1 is a beginner, 10 the solver. */
  level(moves: string, level: number, options?: Options & { random?: () => number }): number;
}
