// What the server knows about positions. Every call can be given up: closing the connection ends the work there.

import { Refused, refused } from '../lib/api';
import type { Place } from '../lib/place';
import type { BoardShape, Detail, Landing, Side } from '../lib/contract';
import { spokenLanguage } from './words.svelte';

export type Spot = [column: number, row: number];
export type Outcome = 'win' | 'draw' | 'loss';

export interface Value {
  score: number;
  outcome: Outcome;
  moves: number | null;
}

export interface BoardState {
  board: BoardShape;
  size: string;
  moves: string | null;
  position: string;
  ply: number;
  turn: Side | null;
  discs: [column: number, row: number, side: Side][];
  /** Whether the last one of the discs was the last move; in a position that was set up nobody knows. */
  last_known: boolean;
  landing: Landing;
  winner: Side | null;
  four: Spot[];
  over: boolean;
}

export interface Threat {
  cell: Spot;
  side: Side;
  odd: boolean;
  open: boolean;
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

export interface Analysed extends BoardState {
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

export interface PlanShape {
  holder: Side;
  theorem: string;
  bound: number;
  pairs: [Spot, Spot][];
  swaps: [Spot, Spot][];
  keys: Spot[];
}

export interface Played {
  cell: Spot;
  side: Side;
}

export interface Shapes {
  line: Played[];
  plan: PlanShape | null;
  threats: Threat[];
  four: Spot[];
}

export interface WhyNot extends Value {
  column: number;
  text: string;
  overlay: Shapes | null;
}

export interface Fact {
  kind: string;
  text: string | null;
  cells?: string[];
  fours?: string[][];
}

export interface Explained {
  column: number;
  exact: boolean;
  value: Value | null;
  verdict: string;
  reason: string;
  plan: string | null;
  facts: Fact[];
  overlay: Shapes;
  end: string | null;
  why_not: WhyNot[];
  text: string;
}

export interface ExplorerRow extends Value {
  column: number;
  replies: number;
  keeping: number;
  best_replies: number[];
}

export interface Opinion {
  agent: string;
  column: number;
  /** What it looked at, in words. */
  saw: string;
  columns: { column: number; weight: number; text: string }[];
}

export interface Converted {
  from: string;
  to: string;
  text: string;
  size: string;
  start: string;
  moves: string;
  position: string;
  variations: { ply: number; moves: string }[];
}

export type Checked = { legal: true; state: BoardState } | ({ legal: false } & Detail);

export interface Progress {
  seconds: number;
  nodes?: number;
  done?: number;
  of?: number;
}

const placeQuery = ({ start, moves, size }: Place): Record<string, string> =>
  start ? { start, moves } : { moves, board: size };

/** How to ask about a position that the server described. */
export const placeOf = ({ moves, position, size }: BoardState): Place =>
  moves === null ? { start: position, moves: '', size } : { start: '', moves, size };

const fetched = (path: string, init: RequestInit): Promise<Response> => fetch(path, init).catch(lost);

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a proxy's page, perhaps
  }
}

/** What was given up is no refusal, and a broken connection is none of the server's. */
function lost(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new Refused('offline', '');
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text().catch(lost);
  const answer = parsed(text);
  if (response.ok && answer !== null) return answer as T;
  throw refused(response.status, answer);
}

export async function ask<T>(path: string, query: Record<string, string | number>, signal?: AbortSignal): Promise<T> {
  const all = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return read<T>(await fetched(`/api/${path}?${all}`, { signal: signal ?? null }));
}

export async function tell<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return read<T>(await fetched(`/api/${path}`, { ...init, signal: signal ?? null }));
}

/** An answer that may take long: lines of progress, then the answer. */
async function streamed<T>(response: Response, onprogress: (progress: Progress) => void): Promise<T> {
  if (!response.ok || !response.body) return read<T>(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch(lost);
    if (done) throw new Refused('offline', '');
    rest += value;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.t === 'answer') return message.answer as T;
      if (message.t === 'error') throw new Refused(message.error.code, message.error.message);
      onprogress(message as Progress);
    }
  }
}

export async function analyse(
  place: Place,
  onprogress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Analysed> {
  const query = new URLSearchParams({ ...placeQuery(place), language: spokenLanguage(), stream: 'true' });
  return streamed<Analysed>(await fetched(`/api/analyse?${query}`, { signal }), onprogress);
}

export const explainColumn = (place: Place, column: number, signal?: AbortSignal) =>
  ask<Explained>('explain', { ...placeQuery(place), column, language: spokenLanguage() }, signal);
export const explore = (place: Place, signal?: AbortSignal) =>
  ask<{ rows: ExplorerRow[] | null }>('explorer', placeQuery(place), signal);
export const opinionOf = (place: Place, agent: string, think: number, signal?: AbortSignal) =>
  ask<Opinion>('opinion', { ...placeQuery(place), agent, think, language: spokenLanguage() }, signal);
export const valuesOf = (place: Place, signal?: AbortSignal) =>
  ask<{ values: (number | null)[] }>('values', placeQuery(place), signal);
export const convert = (text: string, to: string, format: string | null) => tell<Converted>('convert', { text, to, format });
export const write = ({ start, moves, size }: Place, to: string) =>
  tell<Converted>('convert', { text: moves, to, ...(start ? { start } : { format: 'moves', board: size }) });
export const whyNot = (place: Place, column: number, signal?: AbortSignal) =>
  ask<{ text: string; overlay: Shapes }>('why-not', { ...placeQuery(place), column, language: spokenLanguage() }, signal);
export const checkStones = (rows: string[], board: string, signal?: AbortSignal) =>
  tell<Checked>('position', { rows, board }, signal);
export const pictureAddress = (place: Place) => `/api/picture.svg?${new URLSearchParams(placeQuery(place))}`;

export async function streamedReview<T>(
  body: Record<string, unknown>,
  onprogress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<T> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, language: spokenLanguage(), stream: true }),
    signal,
  };
  return streamed<T>(await fetched('/api/review', init), onprogress);
}
