// One game as this page sees it: the server's last word, and on top of it the move that is still on its way.

import { seatOf, keepState, keptState, keepUnacknowledged, keepUnfinished, forgetSeat } from './seats';
import { language, forPage } from '../../i18n/index.svelte';
import { Connection, type ConnectionStatus } from './connection';
import { columnDigit, discsOf, type Disc } from './discs';
import type { Moved, OfferKind, FromServer, ReactionKind, Side, State } from '../contract';
import type { Request, Sent } from './protocol';

export interface Hint {
  ply: number;
  stage: number;
  columns: number[];
  text: string;
  /** It is the first of the game, in any of its stages. */
  isFirst: boolean;
}

/** Things the page may want to say; `at` makes two equal ones different. */
export type News =
  | { kind: 'move'; move: Moved }
  | { kind: 'refused'; code: string; message: string; request: Sent | null }
  | { kind: 'hint'; text: string }
  | { kind: 'over' }
  | { kind: 'undone' }
  | { kind: 'swapped' }
  | { kind: 'offer'; offer: OfferKind }
  | { kind: 'reaction'; side: Side; what: ReactionKind }
  | { kind: 'notice'; code: string };

/** What one player may ask of the other. */
export const OFFERS: OfferKind[] = ['draw', 'undo', 'rematch', 'seat'];

/** How the board keeps up: whether everything lies, since when, and how long a reply is to let one breathe. */
export interface Pace {
  settled: () => Promise<void>;
  landedAt: () => number;
  moment: (ply: number) => number;
}

const REACTION = 4000; // milliseconds that a sign stays
const AT_ONCE: Pace = { settled: async () => {}, landedAt: () => -Infinity, moment: () => 0 };

export class Room {
  state = $state.raw<State | null>(null);
  status = $state<ConnectionStatus>('connecting');
  failure = $state<number | null>(null);
  thinking = $state<Side | null>(null);
  /** How long the agent of each side thought about its last move, in milliseconds. */
  took = $state.raw<Partial<Record<Side, number>>>({});
  hint = $state.raw<Hint | null>(null);
  asksHint = $state(false);
  private hinted: number | null = null; // the ply of the first hint
  /** Whether somebody here took moves back or asked for a hint. */
  wasHelped = $state(false);
  /** What each side has just shown the other. */
  reactions = $state.raw<Partial<Record<Side, { what: ReactionKind } | undefined>>>({});
  waiting = $state.raw<Sent[]>([]);
  /** Whoever watches wants to look: discs wait, and one falls for every step. */
  isPaused = $state(false);
  private steps = 0;
  private goOn: () => void = () => {};
  /** A move that is stored, while the event that tells it is still to come. */
  private acknowledged = $state.raw<{ move: Sent; seq: number } | null>(null);
  readonly invite: string | null;

  /** What is on its way: a move of this page that the server has not told everyone yet. */
  pending = $derived.by<Disc | null>(() => {
    const { state, waiting, acknowledged } = this;
    if (!state) return null;
    for (const message of acknowledged ? [acknowledged.move, ...waiting] : waiting) {
      if (message.t !== 'move' || message.take !== state.take || message.ply !== state.moves.length) continue;
      const row = state.landing[message.column];
      if (row && state.turn) {
        return { ply: this.discs.length, column: message.column, row, side: state.turn, isPending: true };
      }
    }
    return null;
  });

  discs = $derived<Disc[]>(this.state ? discsOf(this.state) : []);
  shown = $derived<Disc[]>(this.pending ? [...this.discs, this.pending] : this.discs);
  you = $derived<Side[]>(this.state?.you ?? []);
  isOwner = $derived(this.state?.owner ?? false);
  isPlayer = $derived(this.you.length > 0);
  /** Whether this page plays here, or began the game. */
  isMine = $derived(this.isPlayer || this.isOwner);
  isMyTurn = $derived(
    this.state?.status === 'playing' &&
      this.state.turn !== null &&
      this.you.includes(this.state.turn) &&
      this.seatIsHuman(this.state.turn) &&
      !this.pending,
  );
  isBetweenAgents = $derived(!!this.state && this.state.seats.every(({ kind }) => kind === 'agent'));
  /** Two people who cannot see each other's screen: offers instead of orders. */
  isBetweenPeople = $derived(
    this.state !== null && this.state.seats.some((seat) => seat.kind !== 'agent' && !this.you.includes(seat.side)),
  );

  /** By the pie rule the first disc may be taken now. */
  canSwap = $derived(this.isMyTurn && !!this.state?.swap);
  canUndo = $derived(this.isPlayer && !this.pending && !!this.state?.moves && this.state.status !== 'waiting');
  canRedo = $derived(this.isPlayer && !this.pending && !!this.state?.redo && !this.isBetweenPeople);
  canHint = $derived(this.isMyTurn && !this.isBetweenPeople && !this.asksHint && (this.hint?.stage ?? 0) < 3);

  private connection: Connection;
  private clockOffset = 0;
  private requests = new Map<string, Sent>();
  /** What the server said while the board still moves: it is heard in order, when the disc before it lies. */
  private held: FromServer[] = [];
  private thought: Extract<FromServer, { t: 'thinking' }> | null = null;

  constructor(
    readonly game: string,
    private readonly tell: (news: News) => void,
    first: State | null = null,
    private readonly pace: Pace = AT_ONCE,
  ) {
    const seat = seatOf(game);
    this.invite = seat?.invite ?? null;
    const unanswered = seat?.unacknowledged ?? [];
    this.waiting = unanswered;
    for (const message of unanswered) this.requests.set(message.id, message);
    if (first) this.take(first);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.connection = new Connection(
      `${scheme}://${location.host}/ws/${encodeURIComponent(game)}`,
      {
        hello: () => ({ t: 'hello', protocol: 1, ...(seat ? { token: seat.token } : {}) }),
        message: (message) => this.hold(message),
        status: (status, code) => {
          this.status = status;
          this.failure = status === 'failed' ? code : null;
          if (status !== 'online') this.thinking = null;
          // Nobody answers: better the game as it stood than an empty board.
          const kept = status === 'reconnecting' && !this.state ? keptState(game) : null;
          if (kept) this.take(kept);
          if (status === 'failed' && seat) forgetSeat(game);
        },
        outbox: (waiting) => {
          this.waiting = waiting;
          // The server knows each by its id: asked again after a reload, it still acts once.
          keepUnacknowledged(
            game,
            waiting.filter(({ t }) => t !== 'hint' && t !== 'react'),
          );
        },
      },
      unanswered,
    );
  }

  open(): void {
    this.connection.open();
  }

  close(): void {
    this.connection.close();
  }

  ask(request: Request): void {
    if (request.t !== 'move') this.catchUp();
    const id = this.connection.ask(request);
    this.requests.set(id, { ...request, id } as Sent);
  }

  /** Drops a disc; false when it is not this page's turn or the column is closed. */
  drop(column: number): boolean {
    const { state } = this;
    if (!state || !this.isMyTurn || !(column in state.landing)) return false;
    this.hint = null;
    this.ask({ t: 'move', take: state.take, ply: state.moves.length, column });
    return true;
  }

  undo(): void {
    this.catchUp();
    if (this.state) this.ask({ t: 'undo', take: this.state.take, ply: this.state.moves.length });
  }

  /** Takes the first disc: both change sides. */
  swap(): void {
    if (this.canSwap) this.ask({ t: 'swap' });
  }

  redo(): void {
    this.catchUp();
    if (this.state) this.ask({ t: 'redo', take: this.state.take, ply: this.state.moves.length });
  }

  askHint(): void {
    if (this.asksHint) return;
    this.asksHint = this.wasHelped = true;
    // Where to look first, then the idea, then the column.
    const stage = this.hint?.stage === 1 ? 2 : this.hint ? 3 : 1;
    this.ask({ t: 'hint', language: forPage(language()), stage });
  }

  /** Milliseconds left on a side's clock at `now` of this machine. */
  timeLeft(side: Side, now: number): number | null {
    const clock = this.state?.clock;
    if (!clock) return null;
    const left = clock.left[side - 1] ?? 0;
    const used = clock.running === side && clock.since !== null ? Math.max(0, now + this.clockOffset - clock.since) : 0;
    return Math.max(0, left - used);
  }

  /** Seconds until a moment of the server's clock. */
  secondsUntil(serverTime: number, now: number): number {
    return Math.max(0, Math.ceil((serverTime - now - this.clockOffset) / 1000));
  }

  private seatIsHuman(side: Side): boolean {
    return this.state?.seats[side - 1]?.kind !== 'agent';
  }

  private hold(message: FromServer): void {
    this.held.push(message);
    if (this.held.length === 1) void this.release();
  }

  private async release(): Promise<void> {
    for (let next = this.held[0]; next; next = this.held[0]) {
      if (this.isPaced(next)) {
        await this.breathe(next);
        if (this.held[0] !== next) return; // heard meanwhile
      }
      this.held.shift();
      this.receive(next);
    }
  }

  /** Whoever acts acts on what the server knows. */
  private catchUp(): void {
    const all = this.held;
    this.held = [];
    for (const message of all) this.receive(message);
  }

  private isPaced(message: FromServer): boolean {
    if (message.t === 'move') return message.by !== 'human' || !this.you.includes(message.side);
    if (message.t !== 'state' || this.state?.status !== 'playing') return false;
    return message.status === 'over' || message.pie !== this.state.pie;
  }

  /** Nothing begins while a disc falls; a machine's reply comes after a human moment, unless a clock runs. */
  private async breathe(message: FromServer): Promise<void> {
    await this.pace.settled();
    if (message.t !== 'move' || message.by !== 'agent' || this.state?.clock) return;
    const rest = this.pace.landedAt() + this.pace.moment(this.state?.moves.length ?? 0) - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    while (this.isPaused && !this.steps) await new Promise<void>((resolve) => (this.goOn = resolve));
    this.steps = 0;
  }

  pause(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.steps = 0;
    this.goOn();
  }

  /** The next disc, while everything waits. */
  step(): void {
    this.steps = 1;
    this.goOn();
  }

  private receive(message: FromServer): void {
    switch (message.t) {
      case 'state':
        this.take(message);
        break;
      case 'move':
        this.addMove(message);
        break;
      case 'ack': {
        const request = this.requests.get(message.id);
        if (request?.t === 'move' && this.state && message.seq > this.state.seq) {
          this.acknowledged = { move: request, seq: message.seq };
        }
        this.requests.delete(message.id);
        break;
      }
      case 'presence':
        if (this.state) this.state = { ...this.state, seats: message.seats, watchers: message.watchers };
        break;
      case 'thinking':
        // It seems to think until its disc falls.
        if (message.on) this.thinking = message.side;
        else this.thought = message;
        break;
      case 'hint':
        this.asksHint = false;
        if (this.state) {
          // Only the column that the sentence names is marked.
          const columns = message.columns.slice(0, 1).map(Number);
          const stage = (this.hint?.stage ?? 0) + 1;
          const ply = this.state.moves.length;
          this.hinted ??= ply;
          this.hint = { ply, stage, columns, text: message.text, isFirst: this.hinted === ply };
          this.tell({ kind: 'hint', text: message.text });
        }
        break;
      case 'error': {
        const request = (message.id && this.requests.get(message.id)) || null;
        if (request?.t === 'hint') this.asksHint = false;
        if (message.id) this.requests.delete(message.id);
        this.tell({ kind: 'refused', code: message.code, message: message.message, request });
        break;
      }
      case 'reaction':
        this.show(message.side, message.what);
        break;
      case 'notice':
        this.tell({ kind: 'notice', code: message.code });
        break;
    }
  }

  private show(side: Side, what: ReactionKind): void {
    const shown = { what };
    this.reactions = { ...this.reactions, [side]: shown };
    this.tell({ kind: 'reaction', side, what });
    setTimeout(() => {
      if (this.reactions[side] === shown) this.reactions = { ...this.reactions, [side]: undefined };
    }, REACTION);
  }

  private endThought(): void {
    const { thought } = this;
    this.thought = null;
    if (!thought) return;
    this.thinking = null;
    if (thought.ms != null) this.took = { ...this.took, [thought.side]: thought.ms };
  }

  private take(next: State): void {
    const before = this.state;
    this.endThought();
    this.clockOffset = next.server_time - Date.now();
    if (next.take > 0) this.wasHelped = true;
    this.state = next;
    this.acknowledged = null;
    if (this.hint && this.hint.ply !== next.moves.length) this.hint = null;
    if (next.status !== 'playing') this.thinking = null;
    if (next.you.length) keepState(next);
    if (next.you.length) keepUnfinished(next.status === 'over' ? null : next.game);
    if (!before) return;
    if (next.take !== before.take && next.moves.length < before.moves.length) this.tell({ kind: 'undone' });
    if (next.pie === 'swapped' && before.pie === 'yes') this.tell({ kind: 'swapped' });
    if (next.status === 'over' && before.status !== 'over') this.tell({ kind: 'over' });
    for (const kind of OFFERS) {
      const side = next.offers[kind];
      if (side && side !== before.offers[kind] && !next.you.includes(side)) this.tell({ kind: 'offer', offer: kind });
    }
  }

  private addMove(move: Moved): void {
    const { state } = this;
    if (!state || move.seq <= state.seq) return;
    if (move.seq !== state.seq + 1 || move.take !== state.take || move.ply !== state.moves.length) {
      this.connection.sync();
      return;
    }
    this.state = {
      ...state,
      seq: move.seq,
      moves: state.moves + columnDigit(move.column),
      turn: move.turn,
      landing: move.landing,
      swap: move.swap,
      clock: move.clock,
      redo: '',
      offers: { ...state.offers, draw: null, undo: null, seat: null, successor: null },
    };
    if (this.isPlayer) keepState(this.state);
    if (this.acknowledged && this.acknowledged.seq <= move.seq) this.acknowledged = null;
    this.hint = null;
    this.endThought();
    this.tell({ kind: 'move', move });
  }
}
