// Written by `make types` from the types of the server; tests/house/test_contract.py compares.

/** `bits`: columns * (rows + 1) is at most that; times are milliseconds, both ends may be chosen. */
export const BOUNDS = { columns: [1, 35], bits: 128, think: [10, 30000], initial: [1000, 86400000], increment: [0, 600000], name: 40 } as const;

/** Addresses of the page, beside `/` and games. */
export const STUDIES = ['analysis', 'review', 'puzzles', 'learn', 'arena', 'you', 'lobby', 'player', 'event', 'offline', 'embed', 'map'] as const;

/** The board where nothing is said of it. */
export const STANDARD = '7x6x4' as const;

export const LANGUAGES = ['en', 'fr', 'pl', 'vi'] as const;

/** Why one is reported. */
export const REPORTS = ['rude', 'cheating', 'stalling', 'name'] as const;

/** Every way to write a game. */
export const FORMATS = ['moves', 'position', 'json', 'c4n', '0based', 'kaggle-board', 'kaggle-replay', 'openspiel-actions', 'openspiel-board', 'rows-top', 'rows-bottom', 'uci'] as const;

/** Of puzzles. */
export const THEMES = ['win', 'fork', 'stacked', 'seven', 'zugzwang', 'rows', 'undercut', 'tempo', 'keep', 'door', 'deny_fork', 'only_move', 'refute', 'parity', 'worthless'] as const;

export const UNITS = ['rules', 'seeing', 'forks', 'stacked', 'lines', 'poisoned', 'count', 'rows', 'two', 'claimeven', 'pairs', 'opening', 'practice'] as const;

export const PASSED = 4 as const;

export const LEVELS = ['level:1', 'level:2', 'level:3', 'level:4', 'level:5', 'level:6', 'level:7', 'level:8', 'level:9', 'level:10'] as const;

/** Of the levels, among themselves, in Elo points. */
export const RATINGS = [490, 620, 740, 850, 1000, 1140, 1290, 1420, 1580, 1910] as const;

/** What practice remembers, by kind: what must hold of its fields. */
export const ENTRIES = { puzzle: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['puzzle'] }, puzzle: { type: 'string', minLength: 1, maxLength: 64 }, theme: { type: 'string', minLength: 1, maxLength: 64 }, rating: { type: 'integer', minimum: 0, maximum: 4000 }, grade: { enum: [1, 2, 3, 4] }, mode: { enum: ['card', 'daily', 'streak', 'timed', 'train'] }, day: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } }, found: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['found'] }, puzzle: { type: 'string', minLength: 1, maxLength: 64 }, day: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } }, moment: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['moment'] }, card: { type: 'string', minLength: 1, maxLength: 64 }, moves: { type: 'string', pattern: '^[1-9a-z]{0,128}$' }, better: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 35 }, minItems: 1 }, what: { type: 'string', minLength: 1, maxLength: 64 } }, grade: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['grade'] }, card: { type: 'string', minLength: 1, maxLength: 64 }, grade: { enum: [1, 2, 3, 4] } }, run: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['run'] }, mode: { enum: ['streak', 'timed'] }, count: { type: 'integer', minimum: 0, maximum: 100000 } }, game: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['game'] }, game: { type: 'string', minLength: 1, maxLength: 64 }, moves: { type: 'string', pattern: '^[1-9a-z]{0,128}$' }, start: { type: 'string', maxLength: 400 }, size: { type: 'string', minLength: 1, maxLength: 64 }, side: { type: 'integer', minimum: 1, maximum: 2 }, opponent: { type: 'string', minLength: 1, maxLength: 200 }, score: { type: 'number', enum: [0, 0.5, 1] } }, looked: { id: { type: 'string', minLength: 1, maxLength: 64 }, at: { type: 'integer', minimum: 0, maximum: 8640000000000000 }, kind: { enum: ['looked'] }, game: { type: 'string', minLength: 1, maxLength: 64 } } } as const;

/** Kept; the oldest are forgotten first. */
export const MOST_ENTRIES = 20000 as const;

/** That every server offers, beside levels. */
export const AGENTS = ['perfect', 'minimax', 'mcts', 'neural', 'human', 'rules', 'random', 'first'] as const;

export type Side = 1 | 2;

export type OfferKind = 'draw' | 'rematch' | 'seat' | 'undo';

export type Landing = Record<string, number>;

export type PresenceKind = 'gone' | 'online' | 'reconnecting';

export type ReactionKind = 'haha' | 'nice' | 'oops' | 'thanks' | 'wow';

export type Reason = 'abandon' | 'abort' | 'agreement' | 'connect' | 'crash' | 'disconnect' | 'full' | 'illegal' | 'resign' | 'time';

export type Language = 'en' | 'fr' | 'pl' | 'vi';

export type Spoken = 'en' | 'en-x-page' | 'fr' | 'fr-x-page' | 'pl' | 'pl-x-page' | 'vi' | 'vi-x-page';

export type Spot = [number, number];

export type Outcome = 'draw' | 'loss' | 'win';

export type MoveClass = 'blunder' | 'missed_win' | 'mistake' | 'inaccuracy' | 'oversight' | 'best' | 'book' | 'forced' | 'great' | 'hasty' | 'only' | 'slow' | 'unknown';

export type PuzzleMode = 'card' | 'daily' | 'streak' | 'timed' | 'train';

export interface Accuracy {
  kept: number;
  asked: number;
  percent: number | null;
  unknown: number;
}

export interface Ack {
  t: 'ack';
  id: string;
  seq: number;
}

export interface AddressSeen {
  address: string;
  connections: number;
}

export interface AgentOffer {
  spec: string;
  name: string;
  about: string;
  rating: number | null;
}

export interface AgentOption {
  name: string;
  type: 'decimal' | 'switch' | 'text' | 'weights' | 'whole' | 'word';
  default: boolean | number | string | number[] | null;
  low: number | null;
  high: number | null;
  words: string[] | null;
  form: string;
  help: string;
}

export interface AgentResult {
  name: string;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  interval: [number, number];
  as_first: Ends;
  as_second: Ends;
  faults: Faults;
  is_reliable: boolean;
  rating: Rated;
  spec: string;
  quality: Quality | null;
}

export interface Agents {
  agents: AgentOffer[];
  kinds: Record<string, AgentOption[]>;
  lan: string | null;
}

export interface Analysed {
  board: BoardShape;
  size: string;
  moves: string | null;
  position: string;
  ply: number;
  turn: Side | null;
  discs: [number, number, Side][];
  last_known: boolean;
  landing: Landing;
  winner: Side | null;
  four: Spot[];
  over: boolean;
  exact: boolean;
  value: Value | null;
  columns: ColumnValue[];
  best: number[];
  keeping: number;
  line: string;
  threats: Threat[];
  nodes: number;
  seconds: number;
  is_book: boolean;
}

export interface AnalysedLine {
  t: 'answer';
  answer: Analysed;
}

export interface Announced {
  take: string | null;
}

export interface Announcing {
  game: string;
  invite: string;
  mine?: string[];
  number?: number;
}

export interface Answer {
  t: 'answer';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  kind: OfferKind;
  yes: boolean;
}

export interface BestGame {
  game: string | null;
  names: string[];
  ratings: (number | null)[];
  people: number;
  watchers: number;
}

export interface BoardShape {
  columns: number;
  rows: number;
  connect: number;
}

export interface BoardState {
  board: BoardShape;
  size: string;
  moves: string | null;
  position: string;
  ply: number;
  turn: Side | null;
  discs: [number, number, Side][];
  last_known: boolean;
  landing: Landing;
  winner: Side | null;
  four: Spot[];
  over: boolean;
}

export interface Bye {
  t: 'bye';
}

export interface Checked {
  legal: boolean;
  state?: BoardState;
  message?: string;
  code?: string;
  params?: Record<string, string>;
}

export interface Claim {
  t: 'claim';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  result: 'draw' | 'win';
}

export interface ClockState {
  initial: number;
  increment: number;
  left: [number, number];
  running: Side | null;
  since: number | null;
}

export interface ClockWish {
  initial: number;
  increment?: number;
}

export interface ColumnOpinion {
  column: number;
  weight: number;
  known: boolean;
  text: string;
}

export interface ColumnValue {
  column: number;
  row: number;
  score: number | null;
  outcome: Outcome | null;
  moves: number | null;
  low: number;
  high: number;
  best: boolean;
  keeps: boolean;
  words: string;
}

export interface ConvertWish {
  text: string;
  format?: string | null;
  board?: string | null;
  start?: string | null;
  to?: string;
}

export interface Converted {
  from: string;
  to: string;
  text: string;
  size: string;
  start: string;
  moves: string;
  position: string;
  variations: VariationText[];
  names: string[];
}

export interface Created {
  game: string;
  token: string;
  sides: Side[];
  invite: string | null;
  state: State;
}

export interface DecidedBy {
  sentence: string;
  reason: string;
  moment: ToldMoment | null;
  ended: string;
  again: ToldMoment | null;
  is_lost: boolean;
}

export interface Detail {
  code: string;
  params: Record<string, string>;
}

export interface Difference {
  value: number;
  error: number;
}

export interface Done {
  done: boolean;
}

export interface Ends {
  wins: number;
  draws: number;
  losses: number;
}

export interface Error {
  t: 'error';
  id: string | null;
  code: string;
  message: string;
  detail?: Detail;
}

export interface EventEntrant {
  number: number;
  name: string;
  player: string | null;
  agent: string | null;
  rating: number;
  away: boolean;
}

export interface EventLine {
  id: string;
  name: string;
  format: 'arena' | 'knockout' | 'round-robin' | 'swiss';
  state: 'open' | 'over' | 'running';
  rated: boolean;
  clock: OpenClock;
  entrants: number;
}

export interface EventList {
  events: EventLine[];
}

export interface EventMatch {
  one: number | null;
  two: number | null;
  points: [number, number];
  winner: number | null;
  bye: boolean;
}

export interface EventPage {
  id: string;
  name: string;
  format: 'arena' | 'knockout' | 'round-robin' | 'swiss';
  state: 'open' | 'over' | 'running';
  organiser: string | null;
  rated: boolean;
  clock: OpenClock;
  round: number;
  rounds: number;
  minutes: number;
  due: number | null;
  server_time: number;
  entrants: EventEntrant[];
  places: EventPlace[];
  breaks: ('buchholz' | 'buchholz-cut-1' | 'direct' | 'games' | 'sonneborn-berger' | 'wins')[];
  tables: EventTable[];
  bracket: EventMatch[][];
}

export interface EventPlace {
  place: number;
  number: number;
  points: number;
  breaks: number[];
}

export interface EventTable {
  round: number;
  board: number;
  first: number;
  second: number | null;
  game: string | null;
  score: string | null;
  played: boolean;
}

export interface Explained {
  column: number;
  language: string;
  exact: boolean;
  value: Value | null;
  verdict: string;
  reason: string;
  plan: string | null;
  rank: ToldReason | null;
  reasons: ToldReason[];
  steps: ToldReason[];
  simple: ToldInstead | null;
  better: ToldInstead | null;
  trickiest: ToldTrickiest | null;
  facts: ToldFact[];
  overlay: Shapes;
  end: 'fork' | 'stacked' | 'zugzwang' | 'draw' | 'plan' | 'win' | null;
  why_not: OtherColumn[];
  text: string;
}

export interface Explored {
  exact: boolean;
  moves: string | null;
  rows: ExplorerRow[] | null;
}

export interface ExplorerRow {
  score: number;
  outcome: Outcome;
  moves: number | null;
  column: number;
  replies: number;
  keeping: number;
  best_replies: number[];
}

export interface FailedLine {
  t: 'error';
  error: Fault;
}

export interface FairLine {
  number: number;
  decisions: number;
  right: number;
  share: number;
  low: number;
  high: number;
  expected: number;
  rating: number;
  games: number;
}

export interface FairPlay {
  lines: FairLine[];
  is_whole: boolean;
}

export interface Fault {
  code: string;
  message: string;
  detail?: Detail;
}

export interface Faults {
  illegal: number;
  crash: number;
  time: number;
}

export interface Faulty {
  error: Fault;
}

export interface Forgetting {
  games: boolean;
}

export interface Formats {
  formats: string[];
}

export interface FoundEntry {
  id: string;
  at: number;
  kind: 'found';
  puzzle: string;
  /** where the person is, like 2026-11-16 */
  day: string;
}

export interface GameClock {
  initial_ms: number;
  increment_ms?: number;
}

export interface GameEntry {
  id: string;
  at: number;
  kind: 'game';
  game: string;
  moves: string;
  /** what was on the board before, if anything */
  start: string;
  size: string;
  side: Side;
  /** level:3 */
  opponent: string;
  score: 0 | 0.5 | 1;
}

export interface GameForgotten {
  gone: boolean;
}

export interface GameNote {
  ply: number;
  text?: string;
  /** 1 good, 2 mistake, 3 great, 4 blunder, 5 risky, 6 slow; 0 none */
  nag?: number;
}

export interface GamePlayer {
  /** as shown to people */
  name?: string;
  kind?: 'agent' | 'human';
  /** agent spec, like mcts:simulations=800 */
  spec?: string;
  seed?: number | null;
  rating?: number | null;
}

export interface GameRecord {
  format: 'c4game';
  version: 1;
  /** columns x rows x connect */
  board: string;
  /** unique where the game is kept */
  id?: string;
  /** the moment the game began, UTC */
  created?: string;
  /** moves or position text before the first move */
  start?: string;
  /** whether the second player may take the first disc, and swap sides, or has done so */
  pie?: 'no' | 'swapped' | 'yes';
  players?: [GamePlayer, GamePlayer];
  clock?: GameClock | null;
  /** one base-36 digit per move, columns from 1 */
  moves?: string;
  /** milliseconds each move took; null where unknown; none at all or one per move */
  times_ms?: (number | null)[];
  notes?: GameNote[];
  variations?: GameVariation[];
  /** null while the game is running */
  result?: GameResult | null;
  /** anything else, like Event, Site, Round */
  tags?: Record<string, string>;
}

export interface GameResult {
  score: '*' | '0-1' | '1-0' | '1/2-1/2';
  reason: Reason;
}

export interface GameSeen {
  game: string;
  board: string;
  players: string;
  moves: number;
  status: string;
  turn: string;
  watchers: number;
}

export interface GameVariation {
  ply: number;
  /** one base-36 digit per move, columns from 1 */
  moves: string;
  notes?: GameNote[];
  variations?: GameVariation[];
}

export interface GradedEntry {
  id: string;
  at: number;
  kind: 'grade';
  card: string;
  grade: 1 | 2 | 3 | 4;
}

export interface Guess {
  played?: string;
  answer: string;
  language?: string;
}

export interface GuestSeen {
  address: string;
  by: string;
  game: string;
  seat: string;
  round_trip_ms: number;
}

export interface Health {
  status: 'ok' | 'ready';
}

export interface Hello {
  t: 'hello';
  protocol: number;
  token?: string | null;
}

export interface Hint {
  t: 'hint';
  id: string;
  columns: string[];
  text: string;
}

export interface HintRequest {
  t: 'hint';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  language?: Spoken;
  stage?: 1 | 2 | 3;
}

export interface Hinted {
  columns: number[];
  text: string;
}

export interface Joined {
  token: string;
  sides: Side[];
  state: State;
}

export interface Joining {
  invite: string;
  name?: string;
  token?: string | null;
}

export interface KaggleBoard {
  configuration: KaggleSizes;
  observation: KaggleSight;
}

export type KaggleInfo = Record<string, unknown>;

export interface KaggleObservation {
  board?: number[];
  mark: number;
  remainingOverageTime: number;
  step?: number;
}

export interface KaggleReplay {
  configuration: KaggleSettings;
  description: string;
  id: string;
  info: KaggleTeams;
  name: string;
  rewards: [number | null, number | null];
  schema_version: number;
  statuses: [string, string];
  steps: KaggleStep[][];
  title: string;
  version: string;
}

export interface KaggleSettings {
  actTimeout: number;
  columns: number;
  episodeSteps: number;
  inarow: number;
  rows: number;
  runTimeout: number;
}

export interface KaggleSight {
  board: number[];
  mark: number;
}

export interface KaggleSizes {
  columns: number;
  inarow: number;
  rows: number;
}

export interface KaggleStep {
  action: number;
  info: KaggleInfo;
  observation: KaggleObservation;
  reward: number | null;
  status: string;
}

export interface KaggleTeams {
  TeamNames: string[];
}

export interface Kept {
  value: number;
  interval: [number, number];
  positions: number;
}

export interface LegacyFault {
  detail: string;
}

export interface Level {
  level: number;
}

export interface LookedEntry {
  id: string;
  at: number;
  kind: 'looked';
  game: string;
}

export interface MapPicture {
  size: string;
  side: Side;
  goal: 'draw' | 'win';
  places: number;
  ends: number;
  plans: number;
  whys: ('forced' | 'full' | 'long' | 'many' | 'one' | 'three' | 'two')[];
  back: number[];
  marks: number[];
  steps: string[];
}

export interface MapPlace {
  state: BoardState;
  kind: 'column' | 'exception' | 'first' | 'force' | 'node' | 'off' | 'over' | 'plan' | 'spare' | 'stop' | 'top' | 'urgent' | 'win';
  column: number | null;
  node: number | null;
  why: 'forced' | 'full' | 'long' | 'many' | 'one' | 'three' | 'two' | null;
  move: string;
  idea: string;
  acts: [string[], string[], string[]];
  how: string[];
  numbers: string[];
  rest: string[];
  fours: Spot[][];
  threes: Spot[][];
  rivals: Spot[][];
  poison: Spot[];
  line: Played[];
  safe: number;
  left: Spot[];
  shown: string[];
  plan: MapPlan | null;
  replies: MapReply[];
}

export interface MapPlan {
  urgent: Spot[];
  exceptions: [Spot, Spot[]][];
  spare: Spot[];
  keys: Spot[];
  shut: Spot[];
}

export interface MapReply {
  column: number;
  answer: number;
  moves: string;
  wins: boolean;
  loses: boolean;
  node: number | null;
  why: 'forced' | 'full' | 'long' | 'many' | 'one' | 'three' | 'two' | null;
  said: string;
}

export interface MatchWish {
  agents: [string, string];
  pairs?: number;
  seed?: number;
  stream?: boolean;
}

export interface Matched {
  result: TournamentResult;
  games: string[];
}

export interface MatchedLine {
  t: 'answer';
  answer: Matched;
}

export interface Me {
  id: string;
  name: string;
  rating: PlayerRating;
}

export interface Measured {
  value: number;
  interval: [number, number];
}

export interface Meeting {
  name?: string;
  token: string;
}

export interface MissedEntry {
  id: string;
  at: number;
  kind: 'moment';
  card: string;
  moves: string;
  /** columns, from 1 */
  better: number[];
  what: string;
}

export interface MoreTime {
  t: 'more_time';
  /** chosen by the client, another one for each request; comes back */
  id: string;
}

export interface Move {
  t: 'move';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  take: number;
  ply: number;
  /** counted from 1 */
  column: number;
}

export interface MoveAnswer {
  move: number;
}

export interface MoveRequest {
  /** of any size, four in a line; the first row is the top */
  board: ((0 | 1 | 2)[])[];
  current_player: 1 | 2;
  valid_moves: number[];
  is_new_game?: boolean;
}

export interface Moved {
  t: 'move';
  seq: number;
  take: number;
  ply: number;
  /** counted from 1 */
  column: number;
  row: number;
  side: Side;
  turn: Side | null;
  landing: Landing;
  clock: ClockState | null;
  by: 'agent' | 'human';
  swap: boolean;
}

export interface Moving {
  code: string;
  key: string;
}

export interface MovingCode {
  code: string;
  until: number;
}

export interface Muted {
  player: string;
  name: string;
}

export interface MutedPlayers {
  players: Muted[];
}

export interface Muting {
  on: boolean;
}

export interface Name {
  t: 'name';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  name: string;
}

export interface NewEvent {
  name: string;
  format: 'swiss' | 'round-robin' | 'knockout' | 'arena';
  clock: ClockWish;
  rounds?: number;
  minutes?: number;
  rated?: boolean;
}

export interface NewGame {
  seats: [SeatWish, SeatWish];
  board?: string;
  moves?: string;
  name?: string;
  shuffle?: boolean;
  clock?: ClockWish | null;
  pie?: boolean;
  think?: number;
  rated?: boolean;
  key?: string | null;
}

export interface NewPlayer {
  name: string;
  key: string;
}

export interface Notice {
  t: 'notice';
  code: 'restart';
}

export interface Offer {
  t: 'offer';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  kind: 'draw' | 'rematch' | 'undo';
}

export interface Offers {
  draw: Side | null;
  undo: Side | null;
  rematch: Side | null;
  seat: Side | null;
  successor: Successor | null;
}

export interface OpenClock {
  initial: number;
  increment: number;
}

export interface OpenGame {
  game: string;
  board: string;
  name: string;
  side: Side;
  clock: OpenClock | null;
  is_fresh: boolean;
  rated: boolean;
  player: string | null;
  rating: number | null;
  has_pie: boolean;
}

export interface OpenGames {
  games: OpenGame[];
  waiting: number;
}

export interface Opinion {
  agent: string;
  column: number;
  saw: string;
  columns: ColumnOpinion[];
}

export interface OtherColumn {
  score: number;
  outcome: Outcome;
  moves: number | null;
  column: number;
  text: string;
  overlay: Shapes | null;
}

export interface PairingResult {
  agents: Spot;
  wins: number;
  draws: number;
  losses: number;
  score: number;
  interval: [number, number];
  pairs: [number, number, number, number, number];
  elo: Difference | null;
  normalized_elo: Difference | null;
  superiority: number;
  p: number;
  as_first: Ends;
  as_second: Ends;
  distinct: number;
  p_holm: number;
}

export interface Part {
  count: number;
  share: number;
  interval: [number, number];
}

export interface Ping {
  t: 'ping';
  /** chosen by the client, another one for each request; comes back */
  id: string;
}

export interface PlanShape {
  holder: Side;
  theorem: 'T1' | 'T2' | 'T3' | 'T4' | 'replay' | 'rules' | 'stacked';
  bound: number;
  pairs: [Spot, Spot][];
  swaps: [Spot, Spot][];
  keys: Spot[];
}

export interface Played {
  cell: Spot;
  side: Side;
}

export interface PlayerGame {
  game: string;
  at: number;
  board: string;
  side: Side;
  opponent: string;
  opponent_player: string | null;
  opponent_agent: string | null;
  rated: boolean;
  event: string | null;
  result: 'drawn' | 'lost' | 'none' | 'won' | null;
  reason: Reason | null;
  change: number | null;
}

export interface PlayerPage {
  id: string;
  name: string;
  rating: PlayerRating;
  since: number;
  won: number;
  drawn: number;
  lost: number;
  curve: RatingPoint[];
  games: PlayerGame[];
  more: boolean;
}

export interface PlayerRating {
  shown: number;
  deviation: number;
  provisional: boolean;
}

export interface Point {
  games: number;
  states: number;
  epsilon: number;
  scores: Record<string, Measured>;
  kept: Kept;
}

export interface Pong {
  t: 'pong';
  id: string;
}

export interface Presence {
  t: 'presence';
  seats: [SeatState, SeatState];
  watchers: number;
}

export interface ProgressLine {
  t: 'progress';
  seconds: number;
  nodes?: number;
  done?: number;
  of?: number;
  waiting?: boolean;
}

export interface PublicGame {
  game: string;
  board: string;
  names: string[];
  ply: number;
  watchers: number;
}

export interface PublicGames {
  games: PublicGame[];
}

export interface PuzzleHint {
  stage: 'answer' | 'area' | 'cell' | 'danger' | 'idea' | null;
  text: string | null;
  cells: Spot[];
  left: number;
}

export interface PuzzleRow {
  id: string;
  theme: string;
  rating: number;
  steps: number;
}

export interface Puzzles {
  themes: string[];
  total: number;
  puzzles: PuzzleRow[];
}

export interface Quality {
  moves: number;
  unknown: number;
  optimal: Part;
  decisive: number;
  keeping: Part;
}

export interface Question {
  id: string;
  goal: 'cell' | 'draw' | 'keep' | 'who' | 'win';
  themes: string[];
  rating: number;
  steps: number;
  side: Side;
  owner: Side | null;
  state: BoardState;
}

export interface Rated {
  value: number;
  interval: [number, number];
}

export interface RatingPoint {
  at: number;
  rating: number;
}

export interface React {
  t: 'react';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  what: ReactionKind;
}

export interface Reaction {
  t: 'reaction';
  side: Side;
  what: ReactionKind;
}

export interface Redo {
  t: 'redo';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  take: number;
  ply: number;
}

export interface Refuted {
  score: number;
  outcome: Outcome;
  moves: number | null;
  column: number;
  exact: boolean;
  best: number;
  text: string;
  numbers: string;
  overlay: Shapes;
}

export interface Removal {
  number: number;
}

export interface Renaming {
  name: string;
}

export interface Report {
  at: number;
  game: string;
  reporter: string;
  player: string;
  name: string;
  reason: string;
}

export interface Reporting {
  reason: 'rude' | 'cheating' | 'stalling' | 'name';
}

export interface Reports {
  reports: Report[];
}

export interface Resign {
  t: 'resign';
  /** chosen by the client, another one for each request; comes back */
  id: string;
}

export interface ResultState {
  score: '*' | '0-1' | '1-0' | '1/2-1/2';
  winner: Side | null;
  reason: Reason;
}

export interface ReviewWish {
  text: string;
  format?: string | null;
  board?: string | null;
  start?: string | null;
  language?: string;
  side?: 1 | 2 | null;
  opponent?: string | null;
  stream?: boolean;
}

export interface Reviewed {
  exact: boolean;
  size: string;
  start: string;
  moves: string;
  states: BoardState[];
  story: string[];
  moments: ToldMoment[];
  later: number[];
  tip: string;
  values: (number | null)[];
  accuracy: Accuracy[];
  classes: ToldMove[];
  turning_points: ToldTurn[];
}

export interface ReviewedLine {
  t: 'answer';
  answer: Reviewed;
}

export interface RunEntry {
  id: string;
  at: number;
  kind: 'run';
  mode: 'streak' | 'timed';
  count: number;
}

export interface Running {
  status: 'ok';
  message: string;
}

export interface School {
  units: SchoolRow[];
}

export interface SchoolAnswer {
  answer: string;
  played?: string;
  language?: string;
  first?: boolean;
}

export interface SchoolGame {
  text: string;
  state: BoardState;
  level: number;
  side: Side;
}

export interface SchoolRow {
  name: string;
  title: string;
  about: string;
  tasks: string[];
  state: BoardState;
}

export interface SchoolShow {
  text: string;
  state: BoardState;
  cells: Spot[];
  threats: Threat[];
  plan: PlanShape | null;
}

export interface SchoolTask {
  id: string;
  kind: 'cells' | 'count' | 'drop' | 'line' | 'mark' | 'play' | 'who';
  text: string;
  state: BoardState;
  side: Side;
  options: string[];
  cell: Spot | null;
  on_discs: boolean;
}

export interface SchoolVerdict {
  mark: 'also' | 'go_on' | 'right' | 'wrong';
  text: string;
  state: BoardState;
  cells: Spot[];
  line: Played[];
  played: string;
  reply: number | null;
}

export interface SeatChange {
  t: 'seat';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  side: Side;
  agent: string | null;
}

export interface SeatState {
  side: Side;
  kind: 'agent' | 'free' | 'human';
  name: string;
  agent: string | null;
  presence: PresenceKind;
  gone_at: number | null;
  player: string | null;
  rating: number | null;
}

export interface SeatWish {
  kind: 'me' | 'friend' | 'agent';
  agent?: string | null;
}

export interface Setting {
  rows: string[];
  board?: string;
}

export interface Settings {
  agents: string[];
  games: number;
  format: string;
  openings: string;
  openings_digest: string;
  limit: string;
  clock: string | null;
  seed: number;
  board: string;
  sprt: string | null;
  pie: boolean;
}

export interface Shapes {
  line: Played[];
  plan: PlanShape | null;
  threats: Threat[];
  four: Spot[];
}

export interface Sitting {
  token: string;
}

export interface Solution {
  answer: string;
  cell: Spot | null;
  discs: Played[];
  state: BoardState;
  text: string;
}

export interface SprtResult {
  elo0: number;
  elo1: number;
  alpha: number;
  beta: number;
  bounds: [number, number];
  llr: number;
  verdict: 'elo0' | 'elo1' | 'none';
}

export interface State {
  t: 'state';
  seq: number;
  protocol: number;
  game: string;
  you: Side[];
  owner: boolean;
  server_time: number;
  board: BoardShape;
  start: string;
  moves: string;
  take: number;
  redo: string;
  turn: Side | null;
  landing: Landing;
  seats: [SeatState, SeatState];
  clock: ClockState | null;
  think: number;
  offers: Offers;
  result: ResultState | null;
  four: Spot[];
  status: 'over' | 'playing' | 'waiting';
  watchers: number;
  rematch: string | null;
  pie: 'no' | 'swapped' | 'yes';
  swap: boolean;
  rated: boolean;
  event: string | null;
  unrated: 'address' | 'often' | null;
}

export interface Status {
  /** games in memory */
  games: number;
  /** of them not over */
  games_playing: number;
  /** games on disk whose clock runs */
  games_resting: number;
  /** players connected */
  players: number;
  /** watchers connected */
  watchers: number;
  /** network connections */
  connections: number;
  /** agents thinking */
  agents_busy: number;
  /** agents waiting for a thread */
  agents_waiting: number;
  /** games can be stored */
  storing: number;
  /** changes not on disk yet */
  writes_waiting: number;
  /** games begun */
  games_created_total: number;
  /** moves made */
  moves_total: number;
  /** transactions */
  commits_total: number;
  /** changes that could not be stored */
  failures_total: number;
  /** requests refused */
  refused_total: number;
  /** connections closed for their rate */
  rate_closed_total: number;
  /** connections cut for not reading */
  slow_readers_total: number;
  /** connections cut for silence */
  cut_total: number;
  /** connections of banned addresses */
  banned_total: number;
  /** connections over a limit */
  turned_away_total: number;
  /** memory of the process, bytes */
  memory_bytes: number;
  /** since the start */
  uptime_seconds: number;
  per_second: Record<string, number>;
  about: Record<string, string>;
  tables: GameSeen[];
  guests: GuestSeen[];
  addresses: AddressSeen[];
}

export interface Successor {
  name: string;
  agent: string | null;
}

export interface Swap {
  t: 'swap';
  /** chosen by the client, another one for each request; comes back */
  id: string;
}

export interface Sync {
  t: 'sync';
}

export interface Thinking {
  t: 'thinking';
  side: Side;
  on: boolean;
  ms: number | null;
}

export interface Threat {
  cell: Spot;
  side: Side;
  odd: boolean;
  open: boolean;
}

export interface ToldFact {
  cells?: string[];
  column: string;
  columns?: string[];
  count?: number;
  fours?: string[][];
  kind: 'blocks' | 'blocks_one' | 'denies_fork' | 'fork' | 'gains_even' | 'gains_odd' | 'gains_wrong_even' | 'gains_wrong_odd' | 'gives_win' | 'joins' | 'kills' | 'leaves_win' | 'middle' | 'misses_win' | 'most_lines' | 'open_three' | 'prepares_fork' | 'prepares_stacked' | 'runs' | 'safe_replies' | 'seven_trap' | 'stacked' | 'stacked_pair' | 'tempo' | 'their_runs' | 'threatens' | 'undercut_by' | 'undercuts' | 'wastes_threat' | 'wins_now' | 'zugzwang' | 'all_draw' | 'all_lose' | 'as_soon' | 'avoids_losing' | 'blunders' | 'lose_later' | 'lose_sooner' | 'only_draw' | 'only_legal' | 'only_win' | 'slow_win' | 'throws_win' | 'walks_into_loss' | 'win_sooner' | 'stops_force' | 'stops_fork' | 'stops_line' | 'stops_stacked' | 'takes_one' | 'takes_only' | 'forced_fork' | 'forced_stacked' | 'forced_zugzwang' | 'plan_hold' | 'plan_key' | 'score';
  line?: string;
  moves?: number;
  other?: string;
  stones?: number;
  text: string | null;
  value?: number;
}

export interface ToldInstead {
  column: string;
  reasons: ToldReason[];
  text: string;
}

export interface ToldMoment {
  index: number;
  ply: number;
  also: number[];
  side: Side;
  column: number;
  kind: 'block_missed' | 'door_opened' | 'win_missed' | 'threat_burned' | 'count_missed' | 'fork_missed' | 'line_missed' | 'pair_missed' | 'rows_missed' | 'seven_missed' | 'stacked_missed' | 'zugzwang_missed' | 'count_allowed' | 'fork_allowed' | 'line_allowed' | 'pair_allowed' | 'rows_allowed' | 'seven_allowed' | 'stacked_allowed' | 'zugzwang_allowed' | 'deep';
  depth: number;
  better: number[];
  wanted: 'draw' | 'longest' | 'now' | 'stop' | 'win';
  cells: Spot[];
  fours: Spot[][];
  line: number[];
  state: BoardState;
  question: string;
  heading: string;
  sentences: string[];
  text: string;
}

export interface ToldMove {
  ply: number;
  side: Side;
  column: number;
  class: MoveClass;
  value: Value | null;
  best: number[];
  best_value: Value | null;
  why: string;
  deep: boolean;
}

export interface ToldProblem {
  answers: number;
  column: string;
  found: number;
  right: string[];
  tries: number;
}

export interface ToldReason {
  cells?: string[];
  fours?: string[][];
  kind: 'blocks' | 'blocks_one' | 'denies_fork' | 'fork' | 'gains_even' | 'gains_odd' | 'gains_wrong_even' | 'gains_wrong_odd' | 'gives_win' | 'joins' | 'kills' | 'leaves_win' | 'middle' | 'misses_win' | 'most_lines' | 'open_three' | 'prepares_fork' | 'prepares_stacked' | 'runs' | 'safe_replies' | 'seven_trap' | 'stacked' | 'stacked_pair' | 'tempo' | 'their_runs' | 'threatens' | 'undercut_by' | 'undercuts' | 'wastes_threat' | 'wins_now' | 'zugzwang' | 'all_draw' | 'all_lose' | 'as_soon' | 'avoids_losing' | 'blunders' | 'lose_later' | 'lose_sooner' | 'only_draw' | 'only_legal' | 'only_win' | 'slow_win' | 'throws_win' | 'walks_into_loss' | 'win_sooner' | 'stops_force' | 'stops_fork' | 'stops_line' | 'stops_stacked' | 'takes_one' | 'takes_only' | 'forced_fork' | 'forced_stacked' | 'forced_zugzwang' | 'plan_hold' | 'plan_key' | 'score' | 'aim' | 'better' | 'count' | 'count_end' | 'fault' | 'line' | 'plan_drop' | 'plan_follow' | 'plan_last' | 'plan_link' | 'plan_now' | 'plan_swap' | 'plan_watch' | 'rows' | 'simple' | 'standing' | 'worse';
  moves?: string;
  text: string;
}

export interface ToldTerm {
  text: string;
  count: number;
  weight: number;
  value: number;
}

export interface ToldThought {
  agent: string;
  column: number;
  saw: string;
  columns: ColumnOpinion[];
  says: string;
  overlooked: string;
  because: string;
  ms: number;
  line: string | null;
  terms: ToldTerm[];
  value: number | null;
}

export interface ToldTrickiest {
  answers: number;
  column: string;
  found: number;
  right: string[];
  text: string;
  told: ToldProblem;
  tries: number;
}

export interface ToldTurn {
  index: number;
  ply: number;
  side: Side;
  column: number;
  class: MoveClass;
  state: BoardState;
  keeping: number[];
  played: Explained;
  better: Explained;
}

export interface ToldUnit {
  name: string;
  title: string;
  about: string;
  shows: SchoolShow[];
  tasks: SchoolTask[];
  check: SchoolTask[];
  game: SchoolGame;
}

export interface TournamentResult {
  format: 'claimeven-tournament';
  version: 1;
  plan: Settings;
  games: number;
  agents: AgentResult[];
  pairings: PairingResult[];
  first_player: Ends;
  first_move: Rated;
  endings: Landing;
  sprt: SprtResult | null;
}

export interface TriedEntry {
  id: string;
  at: number;
  kind: 'puzzle';
  puzzle: string;
  theme: string;
  /** of the puzzle as it is shipped */
  rating: number;
  grade: 1 | 2 | 3 | 4;
  mode: PuzzleMode;
  /** where the person is, like 2026-11-16 */
  day: string;
}

export interface Undo {
  t: 'undo';
  /** chosen by the client, another one for each request; comes back */
  id: string;
  take: number;
  ply: number;
}

export interface Value {
  score: number;
  outcome: Outcome;
  moves: number | null;
}

export interface Values {
  exact: boolean;
  moves: string | null;
  values: (number | null)[];
}

export interface VariationText {
  ply: number;
  moves: string;
}

export interface Verdict {
  right: boolean;
  done: boolean;
  state: BoardState;
  played?: string;
  reply?: number | null;
  expected?: number;
  who?: string;
  text?: string;
  numbers?: string;
  overlay?: Shapes;
  explanation?: Explained;
}

export type FromClient = Hello | Move | Undo | Redo | Swap | Offer | Answer | Resign | Claim | SeatChange | HintRequest | React | MoreTime | Name | Sync | Ping | Bye;

export type FromServer = State | Moved | Ack | Error | Pong | Hint | Presence | Thinking | Reaction | Notice;

export type Entry = TriedEntry | FoundEntry | MissedEntry | GradedEntry | RunEntry | GameEntry | LookedEntry;
