// What follows from the entries: the rating and its curve, cards and when they are due, days, themes, games.

import { STANDARD, type Entry, type GameEntry, type PuzzleMode } from '../contract';
import { review, type Grade, type Memory } from './fsrs';
import { rated, type Rating } from './glicko';

export interface Card {
  key: string; // puzzle:… or moment:…
  memory: Memory;
  puzzle: string | null;
  moment: { moves: string; better: number[]; what: string } | null;
}

export interface Point {
  at: number;
  rating: number;
}

export interface Theme {
  theme: string;
  solved: number;
  tried: number;
}

export interface Level {
  opponent: string;
  won: number;
  drawn: number;
  lost: number;
}

export interface Record {
  you: Rating;
  curve: Point[];
  tried: ReadonlySet<string>; // puzzles
  puzzles: ReadonlyMap<string, Rating>; // those that were rated, as they are now on this device
  solved: number;
  themes: Theme[];
  cards: Card[];
  days: ReadonlySet<string>; // whose puzzle of the day was solved, at whatever try
  first: ReadonlySet<string>; // of those: at the first try, without help
  met: ReadonlySet<string>; // whose puzzle of the day was tried, solved or not
  best: { streak: number; timed: number };
  games: GameEntry[]; // the newest first
  levels: Level[];
  unseen: GameEntry[]; // lost games whose moments nobody has looked for
}

export const START: Rating = { rating: 1000, deviation: 200, volatility: 0.06 };
/** Levels and a model of people measured it: it may be off by so much. */
const PUZZLE = { deviation: 100, volatility: 0.06 };
/** The grade of who took a hint: it is not rated. */
const HELPED: Grade = 2;
const RATED: readonly PuzzleMode[] = ['train', 'daily'];

export function recordOf(entries: readonly Entry[]): Record {
  let you = START;
  const curve: Point[] = [];
  const puzzles = new Map<string, Rating>();
  const tried = new Set<string>();
  const solved = new Set<string>();
  const themes = new Map<string, Theme>();
  const cards = new Map<string, Card>();
  const days = new Set<string>();
  const first = new Set<string>();
  const met = new Set<string>();
  const best = { streak: 0, timed: 0 };
  const games = new Map<string, GameEntry>();
  const looked = new Set<string>();

  function grade(key: string, at: number, given: Grade, fresh: Omit<Card, 'key' | 'memory'> | null): void {
    const card = cards.get(key);
    if (!card && !fresh) return;
    const memory = review(card?.memory ?? null, given, at);
    cards.set(key, { key, puzzle: null, moment: null, ...(card ?? fresh), memory });
  }

  for (const entry of entries) {
    if (entry.kind === 'puzzle') {
      const isRight = entry.grade >= 3;
      if (RATED.includes(entry.mode) && entry.grade !== HELPED && !tried.has(entry.puzzle)) {
        const puzzle = puzzles.get(entry.puzzle) ?? { rating: entry.rating, ...PUZZLE };
        puzzles.set(entry.puzzle, rated(puzzle, you, isRight ? 0 : 1));
        you = rated(you, puzzle, isRight ? 1 : 0);
        curve.push({ at: entry.at, rating: you.rating });
      }
      if (!tried.has(entry.puzzle)) {
        const theme = themes.get(entry.theme) ?? { theme: entry.theme, solved: 0, tried: 0 };
        themes.set(entry.theme, { ...theme, solved: theme.solved + (isRight ? 1 : 0), tried: theme.tried + 1 });
      }
      tried.add(entry.puzzle);
      if (isRight) solved.add(entry.puzzle);
      if (entry.mode === 'daily') {
        if (isRight) days.add(entry.day);
        if (isRight && !met.has(entry.day)) first.add(entry.day);
        met.add(entry.day);
      }
      // A missed puzzle becomes a card; one that is a card already was seen once more.
      grade(`puzzle:${entry.puzzle}`, entry.at, entry.grade, isRight ? null : { puzzle: entry.puzzle, moment: null });
    } else if (entry.kind === 'found') {
      days.add(entry.day);
      met.add(entry.day);
    } else if (entry.kind === 'moment') {
      const { moves, better, what } = entry;
      if (!cards.has(entry.card)) grade(entry.card, entry.at, 1, { puzzle: null, moment: { moves, better, what } });
    } else if (entry.kind === 'grade') grade(entry.card, entry.at, entry.grade, null);
    else if (entry.kind === 'run') best[entry.mode] = Math.max(best[entry.mode], entry.count);
    else if (entry.kind === 'game')
      games.set(entry.game, entry); // its last end counts
    else looked.add(entry.game);
  }

  const played = [...games.values()].sort((one, two) => two.at - one.at);
  return {
    you,
    curve,
    tried,
    puzzles,
    solved: solved.size,
    themes: [...themes.values()].sort((one, two) => one.solved / one.tried - two.solved / two.tried),
    cards: [...cards.values()].sort((one, two) => one.memory.due - two.memory.due),
    days,
    first,
    met,
    best,
    games: played,
    levels: levelsOf(played),
    unseen: played.filter(
      ({ game, score, size, start }) => score === 0 && size === STANDARD && !start && !looked.has(game),
    ),
  };
}

function levelsOf(games: readonly GameEntry[]): Level[] {
  const levels = new Map<string, Level>();
  for (const { opponent, score } of games) {
    const level = levels.get(opponent) ?? { opponent, won: 0, drawn: 0, lost: 0 };
    levels.set(opponent, {
      ...level,
      won: level.won + (score === 1 ? 1 : 0),
      drawn: level.drawn + (score === 0.5 ? 1 : 0),
      lost: level.lost + (score === 0 ? 1 : 0),
    });
  }
  const number = (opponent: string) => Number(/^level:(\d+)$/.exec(opponent)?.[1] ?? 99);
  return [...levels.values()].sort((one, two) => number(one.opponent) - number(two.opponent));
}

export const dueAt = (cards: readonly Card[], now: number): Card[] => cards.filter(({ memory }) => memory.due <= now);

/** The rating of a puzzle that is solved three times in four. */
export const nextRating = (you: Rating): number => you.rating - 400 * Math.log10(3);

/** Days in a row with a puzzle of the day, up to today; today's may still be to come. */
export function daysInARow(days: ReadonlySet<string>, today: string): number {
  let count = 0;
  for (let day = days.has(today) ? today : dayBefore(today); days.has(day); day = dayBefore(day)) count += 1;
  return count;
}

function dayBefore(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** The day where the person is. */
export const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
