// What somebody did, as a list of small facts that only grows. Everything shown follows from it (record.ts), so two
// lists are merged by putting them together: nothing is lost, in whatever order that happens, however often.

import type { Grade } from './fsrs';

export type Mode = 'train' | 'daily' | 'streak' | 'timed' | 'card';
const MODES: readonly string[] = ['train', 'daily', 'streak', 'timed', 'card'];

interface Fact {
  id: string; // unlike any other
  at: number; // milliseconds
}
/** A puzzle was tried, for the first time on this board: solved without an error or help, or not. */
export interface Tried extends Fact {
  kind: 'puzzle';
  puzzle: string;
  theme: string;
  rating: number; // of the puzzle as it is shipped
  grade: Grade; // 1 wrong, 2 with help, 3 right, 4 right and quickly
  mode: Mode;
  day: string; // where the person is, like 2026-11-16
}
/** A moment of an own game that could have gone better: a card to find it again. */
export interface Missed extends Fact {
  kind: 'moment';
  card: string;
  moves: string; // up to the moment
  better: number[]; // columns, from 1
  what: string; // the kind of mistake
}
/** A card of a moment was seen again. */
export interface Graded extends Fact {
  kind: 'grade';
  card: string;
  grade: Grade;
}
/** A run is over: so many in a row, or within the time. */
export interface Run extends Fact {
  kind: 'run';
  mode: 'streak' | 'timed';
  count: number;
}
export interface Played extends Fact {
  kind: 'game';
  game: string;
  moves: string;
  start: string; // what was on the board before, if anything
  size: string;
  side: 1 | 2;
  opponent: string; // level:3
  score: 0 | 0.5 | 1;
}
/** The moments of a game have been looked for. */
export interface Looked extends Fact {
  kind: 'looked';
  game: string;
}
export type Entry = Tried | Missed | Graded | Run | Played | Looked;

export const MOST = 20_000; // entries kept; the oldest are forgotten first

const isText = (value: unknown, most = 64): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= most;
const isWhole = (value: unknown, low: number, high: number): boolean =>
  Number.isInteger(value) && (value as number) >= low && (value as number) <= high;
const isMoves = (value: unknown): boolean => typeof value === 'string' && /^[1-9a-z]{0,128}$/.test(value);
const isDay = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

type Raw = Record<string, unknown>;
const FITS: Record<Entry['kind'], (raw: Raw) => boolean> = {
  puzzle: (raw) =>
    isText(raw.puzzle) &&
    isText(raw.theme) &&
    isWhole(raw.rating, 0, 4000) &&
    isWhole(raw.grade, 1, 4) &&
    MODES.includes(raw.mode as string) &&
    isDay(raw.day),
  moment: (raw) =>
    isText(raw.card) &&
    isMoves(raw.moves) &&
    isText(raw.what) &&
    Array.isArray(raw.better) &&
    raw.better.length > 0 &&
    raw.better.every((column) => isWhole(column, 1, 35)),
  grade: (raw) => isText(raw.card) && isWhole(raw.grade, 1, 4),
  run: (raw) => (raw.mode === 'streak' || raw.mode === 'timed') && isWhole(raw.count, 0, 100_000),
  game: (raw) =>
    isText(raw.game) &&
    isMoves(raw.moves) &&
    typeof raw.start === 'string' &&
    raw.start.length <= 400 &&
    isText(raw.size) &&
    isWhole(raw.side, 1, 2) &&
    isText(raw.opponent, 200) &&
    [0, 0.5, 1].includes(raw.score as number),
  looked: (raw) => isText(raw.game),
};

/** Whether this is an entry: storage and files may hold anything. */
export function isEntry(value: unknown): value is Entry {
  if (!value || typeof value !== 'object') return false;
  const raw = value as Raw;
  const fits = Object.hasOwn(FITS, String(raw.kind)) ? FITS[raw.kind as Entry['kind']] : null;
  return !!fits && isText(raw.id) && isWhole(raw.at, 0, 8.64e15) && fits(raw);
}

const before = (one: Entry, two: Entry): number => one.at - two.at || (one.id < two.id ? -1 : one.id > two.id ? 1 : 0);

/** All entries of all lists, each once, in the order of time. */
export function merged(...lists: (readonly unknown[])[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of lists.flat()) if (isEntry(entry) && !all.has(entry.id)) all.set(entry.id, entry);
  return [...all.values()].sort(before).slice(-MOST);
}
