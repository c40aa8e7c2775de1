// The play protocol, version 1, as docs/protocol.md tells it.

export type Side = 1 | 2;
export type Presence = 'online' | 'reconnecting' | 'gone';
export type OfferKind = 'draw' | 'undo' | 'rematch';
export type Reason =
  | 'connect'
  | 'full'
  | 'resign'
  | 'time'
  | 'abandon'
  | 'agreement'
  | 'illegal'
  | 'crash'
  | 'abort';

export interface Geometry {
  columns: number;
  rows: number;
  connect: number;
}

export interface Seat {
  side: Side;
  kind: 'human' | 'agent' | 'free';
  name: string;
  agent: string | null;
  presence: Presence;
  gone_at: number | null;
}

export interface Clock {
  initial: number;
  increment: number;
  left: [number, number];
  running: Side | null;
  since: number | null;
}

export interface Result {
  score: string;
  winner: Side | null;
  reason: Reason;
}

/** The row a disc falls to, by column; both count from 1. */
export type Landing = Record<number, number>;

export interface State {
  t: 'state';
  seq: number;
  protocol: number;
  game: string;
  you: Side[];
  owner: boolean;
  server_time: number;
  board: Geometry;
  start: string;
  moves: string;
  take: number;
  redo: string;
  turn: Side | null;
  landing: Landing;
  seats: [Seat, Seat];
  clock: Clock | null;
  think: number;
  offers: Record<OfferKind, Side | null>;
  result: Result | null;
  /** Column and row of each cell of the winning line, from 1. */
  four: [number, number][];
  status: 'waiting' | 'playing' | 'over';
  watchers: number;
  rematch: string | null;
}

export interface MoveEvent {
  t: 'move';
  seq: number;
  take: number;
  ply: number;
  column: number;
  row: number;
  side: Side;
  turn: Side | null;
  landing: Landing;
  clock: Clock | null;
  by: 'human' | 'agent';
}

export type ServerMessage =
  | State
  | MoveEvent
  | { t: 'ack'; id: string; seq: number }
  | { t: 'error'; id: string | null; code: string; message: string }
  | { t: 'pong'; id?: string }
  | { t: 'hint'; id: string; columns: string[]; text: string }
  | { t: 'presence'; seats: [Seat, Seat]; watchers: number }
  | { t: 'thinking'; side: Side; on: boolean; ms?: number | null }
  | { t: 'notice'; code: string };

/** What a page asks for; `id` is added when it is sent. */
export type Request =
  | { t: 'move'; take: number; ply: number; column: number }
  | { t: 'undo' | 'redo'; take: number; ply: number }
  | { t: 'offer'; kind: OfferKind }
  | { t: 'answer'; kind: OfferKind; yes: boolean }
  | { t: 'resign' }
  | { t: 'claim'; result: 'win' | 'draw' }
  | { t: 'seat'; side: Side; agent: string | null }
  | { t: 'hint'; language: string }
  | { t: 'more_time' }
  | { t: 'name'; name: string };

export type Sent = Request & { id: string };

export interface NewSeat {
  kind: 'me' | 'friend' | 'agent';
  agent?: string;
}

export interface NewGame {
  board: string;
  seats: [NewSeat, NewSeat];
  shuffle?: boolean;
  name?: string;
  clock?: { initial: number; increment: number } | null;
  think?: number;
  moves?: string;
}

export interface Created {
  game: string;
  token: string | null;
  sides: Side[];
  invite: string | null;
  state: State;
}

export interface Joined {
  token: string;
  sides: Side[];
  state: State;
}

export const other = (side: Side): Side => (side === 1 ? 2 : 1);
