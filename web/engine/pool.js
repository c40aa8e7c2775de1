// Engines in workers, for whoever must not wait: a page, or a server in Node. They share out the columns of a position,
// and each keeps what it has learned. `hire` starts a worker: hire.js in a browser, hire-node.js in Node.

import { boardOf, EngineError, nearest, summary } from './engine.js';

/** How many are worth their memory. */
const MOST = 4;

/** One to spare for the page itself. */
const spare = () => Math.max(1, Math.min(MOST, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1));

/** One worker, asked one thing after the other. */
class Helper {
  #hire;
  #worker = null;
  #waiting = new Map();
  #last = 0;
  #book = null;

  constructor(hire) {
    this.#hire = hire;
  }

  /** Questions without an answer. */
  get load() {
    return this.#waiting.size;
  }

  /** `asker`: whoever may give the question up. */
  ask(asker, name, ...values) {
    return new Promise((done, failed) => {
      this.#post({ asker, name, values, done, failed });
    });
  }

  useBook(book) {
    if (book === this.#book) return Promise.resolve();
    this.#book = book;
    return this.#worker ? this.ask(null, 'useBook', book) : Promise.resolve();
  }

  /** A search cannot be interrupted, only its worker ended: what others have asked is asked again. */
  giveUp(asker, reason) {
    const waiting = [...this.#waiting.values()];
    if (!waiting.some((one) => one.asker === asker)) return;
    this.end();
    for (const one of waiting) {
      if (one.asker === asker) one.failed(reason);
      else this.#post(one);
    }
  }

  end() {
    this.#worker?.end();
    this.#worker = null;
    this.#waiting.clear();
  }

  #post(one) {
    const id = (this.#last += 1);
    if (!this.#worker) {
      this.#worker = this.#hired();
      if (this.#book) this.ask(null, 'useBook', this.#book).catch(() => {}); // without it, it takes longer
    }
    this.#waiting.set(id, one);
    this.#worker.post({ id, name: one.name, values: one.values });
  }

  #hired() {
    return this.#hire(
      (told) => this.#hear(told),
      (error) => {
        const waiting = [...this.#waiting.values()];
        this.end();
        for (const { failed } of waiting) failed(error);
      },
    );
  }

  #hear({ id, answer, refused, failed }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (refused !== undefined) waiting?.failed(new EngineError(refused));
    else if (failed !== undefined) waiting?.failed(new TypeError(failed));
    else waiting?.done(answer);
  }
}

export class Pool {
  #helpers;

  constructor(hire, { workers = spare() } = {}) {
    this.#helpers = Array.from({ length: workers }, () => new Helper(hire));
  }

  /** The opening book of a board, from its bytes or its address: positions in it need no search. It takes the place of another. */
  async useBook(book) {
    await Promise.all(this.#helpers.map((helper) => helper.useBook(book)));
  }

  position(moves, board) {
    return this.#idle().ask(null, 'position', moves, board);
  }

  level(moves, level, { board, seconds } = {}) {
    return this.#idle().ask(null, 'level', moves, level, { board, seconds });
  }

  async bestMove(moves, options = {}) {
    return nearest((await this.analyse(moves, options)).best, boardOf(options.board).columns);
  }

  /**
   * Every column, and a line of best play. With `seconds`, each column first gets an equal share of half of them; then
   * whoever had it goes on with what is left. `oncolumn` hears what is known of a column as soon as it is.
   */
  async analyse(moves, { board, seconds = 0, signal, oncolumn = () => {} } = {}) {
    const end = performance.now() + 1000 * seconds;
    const left = (parts) => (seconds ? Math.max(0.001, (end - performance.now()) / 1000 / parts) : 0);
    const position = await this.position(moves, board);
    if (position.isOver) throw new EngineError('the game is over');
    const waiting = fromCentre(position.open.map(({ column }) => column));
    const helpers = this.#helpers.slice(0, waiting.length);
    const me = {};
    const giveUp = () => helpers.forEach((helper) => helper.giveUp(me, signal.reason));
    signal?.throwIfAborted();
    signal?.addEventListener('abort', giveUp);
    const [known, whose] = [new Map(), new Map()];
    let nodes = 0;
    try {
      const share = (seconds * helpers.length) / (2 * waiting.length);
      await Promise.all(
        helpers.map(async (helper) => {
          const look = async (column, limit) => {
            const found = await helper.ask(me, 'column', moves, column, { board, seconds: limit });
            nodes += found.nodes;
            known.set(column, found);
            whose.set(column, helper);
            oncolumn({ column, low: found.low, high: found.high, isExact: found.low === found.high });
            return found.low === found.high;
          };
          const open = [];
          for (let column; (column = waiting.shift()) !== undefined;)
            if (!(await look(column, share))) open.push(column);
          for (const [at, column] of open.entries()) await look(column, left(open.length - at));
        }),
      );
      const columns = position.open.map(({ column }) => known.get(column));
      const { score, best } = summary(columns, [], nodes);
      const isExact = columns.every(({ low, high }) => low === high);
      const helper = whose.get(nearest(best, position.board.columns)); // it remembers what follows
      const line = isExact ? await helper.ask(me, 'line', moves, score, { board, seconds: left(1) }) : [];
      return summary(columns, line, nodes);
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Ends all workers; the next question starts new ones. */
  close() {
    for (const helper of this.#helpers) helper.end();
  }

  /** Somebody who has least to do; who comes first is there already. */
  #idle() {
    return this.#helpers.reduce((one, other) => (other.load < one.load ? other : one));
  }
}

/** The outer columns last: they are often the quick ones, and even the work out. */
function fromCentre(columns) {
  const centre = (columns.length - 1) / 2;
  return columns
    .map((column, at) => ({ column, off: Math.abs(at - centre) }))
    .sort((one, other) => one.off - other.off)
    .map(({ column }) => column);
}

/** The same as functions, with workers that are shared and begin with the first question. */
export function callsOf(hire) {
  let pool = null;
  const shared = () => (pool ??= new Pool(hire));
  return {
    analyse: (moves, options) => shared().analyse(moves, options),
    bestMove: (moves, options) => shared().bestMove(moves, options),
    level: (moves, level, options) => shared().level(moves, level, options),
    position: (moves, board) => shared().position(moves, board),
    useBook: (book) => shared().useBook(book),
    close: () => pool?.close(),
  };
}
