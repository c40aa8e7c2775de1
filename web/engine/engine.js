// The engine (native/, built by `make engine` into engine.wasm) for JavaScript: in a browser, in a worker, in Node.
// Whoever calls waits: index.js is for pages. Columns, rows and sides count from 0 here. Types: engine.d.ts.

import { LEVELS } from './levels.js';

const BAD_FILE = 8; // what WASI answers about files: there are none
const WORD = (1n << 64n) - 1n;
const USUAL = '7x6x4';
const MEGABYTES = 64; // of what a solver remembers, at most

/** What was asked makes no sense; its text says why. */
export class EngineError extends Error {}

/** '7x6x4' or '7x6' as numbers. */
export function boardOf(text = USUAL) {
  const [columns = 0, rows = 0, connect = 4] = /^\d+x\d+(x\d+)?$/.test(text) ? text.split('x').map(Number) : [];
  if (!columns || !rows) throw new EngineError(`${text} is no board: write it like 7x6x4`);
  return { columns, rows, connect };
}

const DIGITS = '123456789abcdefghijklmnopqrstuvwxyz';

/** The columns of moves like '4453'. */
export function columnsOf(moves) {
  return [...moves].map((digit) => {
    const column = DIGITS.indexOf(digit.toLowerCase());
    if (column < 0) throw new EngineError(`${digit} names no column`);
    return column;
  });
}

/** A position as the engine takes it: four words. */
export const wordsOf = (mine, mask) => [mine & WORD, mine >> 64n, mask & WORD, mask >> 64n];

export class Engine {
  #calls;
  #memory;
  #book = null;
  #solver = 0;
  #megabytes;
  /** Called now and then during long work with the nodes so far; true stops it. */
  beat = () => false;

  constructor(calls, megabytes) {
    this.#calls = calls;
    this.#memory = calls.memory;
    this.#megabytes = megabytes;
  }

  /** From the bytes of engine.wasm, or what was compiled of them. */
  static async load(source, { megabytes = MEGABYTES } = {}) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    let engine = null;
    const files = Object.fromEntries(['fd_close', 'fd_seek', 'fd_write'].map((name) => [name, () => BAD_FILE]));
    const clock = (_id, _precision, at) => {
      engine.#view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    };
    const { exports } = await WebAssembly.instantiate(module, {
      wasi_snapshot_preview1: { ...files, clock_time_get: clock },
      host: { beat: (nodes) => (engine.beat(nodes) ? 1 : 0) },
    });
    engine = new Engine(exports, megabytes);
    exports._initialize();
    return engine;
  }

  /** Calls a function of native/web by its name. */
  call(name, ...values) {
    return this.#calls[name](...values);
  }

  /** The numbers that such a function answers. */
  ask(name, ...values) {
    return this.#numbers(this.call(name, ...values));
  }

  /** Where something lies that such a function makes. */
  make(name, ...values) {
    const at = this.call(name, ...values);
    if (!at) throw new EngineError(this.#reason());
    return at;
  }

  /** A copy inside the engine; `call('free', at)` ends it. */
  put(bytes) {
    const at = this.call('malloc', Math.max(bytes.byteLength, 1));
    if (!at) throw new EngineError('there is not enough memory');
    new Uint8Array(this.#memory.buffer).set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), at);
    return at;
  }

  /** What `work` answers, with a copy of these bytes at hand. */
  with(bytes, work) {
    const at = this.put(bytes);
    try {
      return work(at);
    } finally {
      this.call('free', at);
    }
  }

  /** A book that solvers may use: where it and its bytes lie, and what it tells of itself. */
  openBook(bytes) {
    const kept = this.put(bytes);
    const at = this.make('book_new', kept, bytes.byteLength);
    const [version, plies, positions, isIntact] = this.#numbers(4);
    return { at, kept, version, plies, positions, size: bytes.byteLength, isIntact: isIntact === 1 };
  }

  /** Megabytes that the engine holds. */
  get megabytes() {
    return this.#memory.buffer.byteLength / 2 ** 20;
  }

  // What a page wants ---------------------------------------------------------------------------------------

  /** The opening book of a board, from its bytes: positions in it need no search. It takes the place of another. */
  useBook(bytes) {
    const [book, before] = [this.openBook(bytes), this.#book];
    if (!book.isIntact) throw new EngineError('the book is damaged');
    this.#book = book;
    if (this.#solver) this.call('solver_delete', this.#solver);
    this.#solver = 0;
    if (!before) return;
    this.call('book_delete', before.at);
    this.call('free', before.kept);
  }

  position(moves, board = USUAL) {
    const size = boardOf(board);
    const columns = columnsOf(moves);
    const told = this.with(Uint8Array.from(columns), (at) =>
      this.ask('position', size.columns, size.rows, size.connect, at, columns.length),
    );
    const whole = (at) => (BigInt(told[at]) << 32n) | BigInt(told[at + 1]);
    const [mine, mask] = [whole(0) | (whole(2) << 64n), whole(4) | (whole(6) << 64n)];
    const open = [];
    let at = 9;
    for (let column = 0; column < size.columns; column += 1, at += 3) {
      const [row, wins, blocks] = told.slice(at, at + 3);
      if (row >= 0) open.push({ column, row, wins: wins === 1, blocks: blocks === 1 });
    }
    const four = [];
    for (; at < told.length; at += 2) four.push({ column: told[at], row: told[at + 1] });
    const winner = told[8] < 0 ? null : told[8];
    return { moves, board: size, mine, mask, side: columns.length % 2, open, winner, four, isOver: !open.length };
  }

  /** Every column, and a line of best play. */
  analyse(moves, { board = USUAL, seconds = 0, nodes = 0 } = {}) {
    const position = this.#open(moves, board);
    const asked = [...place(position), 1, nodes, seconds, -1, 1];
    const [used, count, ...rest] = this.ask('solver_analyse', this.#solving(), ...asked);
    const columns = [];
    for (let at = 0; at < 3 * count; at += 3) columns.push({ column: rest[at], low: rest[at + 1], high: rest[at + 2] });
    return summary(columns, rest.slice(3 * count), used);
  }

  /** What it is worth to play in one column. */
  column(moves, column, { board = USUAL, seconds = 0, nodes = 0 } = {}) {
    this.#open(moves, board);
    const after = this.position(moves + DIGITS[column], board);
    const asked = [...place(after), 1, 0, nodes, seconds, -1];
    const [used, low, high] = this.ask('solver_solve', this.#solving(), ...asked);
    return { column, low: 0 - high, high: 0 - low, nodes: used }; // never -0
  }

  /** The exact score of a position. */
  score(moves, { board = USUAL } = {}) {
    return this.ask('solver_solve', this.#solving(), ...place(this.#open(moves, board)), 1, 0, 0, 0, -1)[1];
  }

  /** Best play of both sides from a position with this exact score. */
  line(moves, score, { board = USUAL, seconds = 0 } = {}) {
    return this.ask('solver_line', this.#solving(), ...place(this.#open(moves, board)), 1, score, seconds);
  }

  bestMove(moves, options = {}) {
    return nearest(this.analyse(moves, options).best, boardOf(options.board).columns);
  }

  /** The column that a level (1 to 10) plays. */
  level(moves, level, { board = USUAL, seconds = 1, random = Math.random } = {}) {
    const player = LEVELS[level - 1];
    if (!player) return this.bestMove(moves, { board, seconds });
    const position = this.#open(moves, board);
    const forced = position.open.find(({ wins }) => wins) ?? position.open.find(({ blocks }) => blocks);
    if (player.is_attentive && forced) return forced.column;
    const depth = random() < player.lapse ? 1 : player.depth;
    const seed = BigInt(Math.floor(random() * 2 ** 52));
    return this.minimax(position, player.weights, seed, depth, seconds)[0].column;
  }

  minimax(position, weights, seed, depth, seconds) {
    const told = this.with(Float64Array.from(weights), (at) =>
      this.ask('minimax', ...place(position), at, weights.length, seed, depth, 0, 16, 0, seconds),
    );
    const columns = [];
    for (let at = 4; at < told.length; at += 3)
      columns.push({ column: told[at], value: told[at + 1], isExact: told[at + 2] === 1 });
    return columns;
  }

  #solving() {
    this.#solver ||= this.make('solver_new', this.#megabytes, this.#book?.at ?? 0);
    return this.#solver;
  }

  /** A position in which somebody is to move. */
  #open(moves, board) {
    const position = this.position(moves, board);
    if (position.isOver) throw new EngineError('the game is over');
    return position;
  }

  #numbers(count) {
    if (count < 0) throw new EngineError(this.#reason());
    return Array.from(new Float64Array(this.#memory.buffer, this.call('answer_at'), count));
  }

  #view() {
    return new DataView(this.#memory.buffer);
  }

  #reason() {
    const text = new Uint8Array(this.#memory.buffer, this.call('reason_at'), this.call('reason_size'));
    return new TextDecoder().decode(text);
  }
}

const place = ({ board, mine, mask }) => [board.columns, board.rows, board.connect, ...wordsOf(mine, mask)];

/** What is known of every column, in their order, as one answer. */
export function summary(columns, line, nodes) {
  const [low, high] = [Math.max(...columns.map((each) => each.low)), Math.max(...columns.map((each) => each.high))];
  const isExact = low === high;
  const best = columns.filter((each) => each.high >= low && (!isExact || each.low === low));
  return {
    score: isExact ? low : null,
    columns: columns.map(({ column, low, high }) => ({ column, low, high, isExact: low === high })),
    best: best.map(({ column }) => column),
    line,
    nodes,
  };
}

/** Of these columns the one nearest to the centre. */
export function nearest(found, columns) {
  const off = (column) => Math.abs(2 * column + 1 - columns);
  return found.reduce((one, other) => (off(other) < off(one) ? other : one));
}

/** How many discs the winner still has to play when a position has this score; null for a draw. */
export function movesTo(score, { board, moves }) {
  if (!score) return null;
  const winner = score > 0 ? moves.length % 2 : (moves.length + 1) % 2;
  const [all, played] = [board.columns * board.rows, moves.length].map((discs) => (discs + 1 - winner) >> 1);
  return all - played + 1 - Math.abs(score);
}
