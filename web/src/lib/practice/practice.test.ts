import glicko2 from 'glicko2-lite';
import { expect, test } from 'vitest';
import reference from '../../../../tests/data/practice.json';
import { type Entry } from '../contract';
import { isEntry, merged } from './entries';
import { review, type Grade, type Memory } from './fsrs';
import { expected, rated, type Rating } from './glicko';
import { daysInARow, dueAt, nextRating, recordOf, START } from './record';

const DAY = 86_400_000;

test('cards are due when the package fsrs says so, on random histories', () => {
  let compared = 0;
  for (const history of reference.fsrs) {
    let memory: Memory | null = null;
    for (const [at, grade, stability, difficulty, due] of history as [number, Grade, number, number, number][]) {
      memory = review(memory, grade, at);
      expect(Math.abs(memory.stability - stability)).toBeLessThan(1e-9 * Math.max(1, stability));
      expect(Math.abs(memory.difficulty - difficulty)).toBeLessThan(1e-9);
      expect(memory.due).toBe(due);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(200);
});

test('ratings are those of the package glicko2-lite, on random histories', () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let history = 0; history < 20; history++) {
    let you: Rating = { ...START };
    for (let game = 0; game < 30; game++) {
      const other: Rating = { rating: 400 + 2000 * random(), deviation: 30 + 320 * random(), volatility: 0.06 };
      const score = random() < expected(you, other) ? 1 : 0;
      const found = glicko2(you.rating, you.deviation, you.volatility, [[other.rating, other.deviation, score]]);
      you = rated(you, other, score);
      expect(Math.abs(you.rating - found.rating)).toBeLessThan(1e-9);
      expect(Math.abs(you.deviation - found.rd)).toBeLessThan(1e-9);
      expect(Math.abs(you.volatility - found.vol)).toBeLessThan(1e-9);
    }
  }
});

test('the recorded ratings are those that Python is held against', () => {
  for (const { player, opponent, score, after } of reference.glicko) {
    const found = rated(toRating(player), toRating(opponent), score);
    for (const [place, value] of [found.rating, found.deviation, found.volatility].entries())
      expect(Math.abs(value - (after[place] as number))).toBeLessThan(1e-9);
  }
});

const toRating = ([rating, deviation, volatility]: number[]): Rating => ({
  rating: rating as number,
  deviation: deviation as number,
  volatility: volatility as number,
});

function puzzle(number: number, grade: Grade, more: Partial<Entry> = {}): Entry {
  const entry = { kind: 'puzzle', puzzle: `p${number}`, theme: 'fork', rating: 900, grade, mode: 'train' };
  return { id: `e${number}`, at: number * DAY, day: '2026-11-16', ...entry, ...more } as Entry;
}

test('lists are merged in any order, as often as one likes, and nothing is lost', () => {
  const [one, two] = [[1, 2, 3].map((n) => puzzle(n, 3)), [3, 4, 2].map((n) => puzzle(n, 3))];
  const all = merged(one, two);
  expect(all.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3', 'e4']);
  expect(merged(two, one)).toEqual(all);
  expect(merged(all, all, one)).toEqual(all);
});

test('what is no entry is left out', () => {
  const wrong = [
    null,
    7,
    {},
    { ...puzzle(1, 3), grade: 9 },
    { ...puzzle(1, 3), at: 'x' },
    { ...puzzle(1, 3), kind: 'toString' },
    { ...puzzle(1, 3), day: '16.11.2026' },
    { ...puzzle(1, 3), mode: 'other' },
    { ...puzzle(1, 3), theme: '' },
    { ...puzzle(1, 3), rating: 4001 },
    { id: 'a', at: 1, kind: 'moment', card: 'a', moves: '4', what: 'x', better: [] },
    { id: 'a', at: 1, kind: 'moment', card: 'a', moves: '4', what: 'x', better: [36] },
    { id: 'a', at: 1, kind: 'moment', card: 'a', moves: '4!', what: 'x', better: [1] },
  ];
  expect(wrong.some(isEntry)).toBe(false);
  expect(merged(wrong, [puzzle(1, 3)])).toHaveLength(1);
});

test('the rating moves with the first try of a puzzle, and the next one is solved three times in four', () => {
  const won = recordOf([puzzle(1, 3)]);
  const lost = recordOf([puzzle(1, 1)]);
  expect(won.you.rating).toBeGreaterThan(START.rating);
  expect(lost.you.rating).toBeLessThan(START.rating);
  expect(recordOf([puzzle(1, 1), puzzle(2, 3, { puzzle: 'p1' } as Partial<Entry>)]).you).toEqual(lost.you);
  expect(recordOf([puzzle(1, 3, { mode: 'timed' } as Partial<Entry>)]).you).toEqual(START);
  const next: Rating = { rating: nextRating(START), deviation: 0, volatility: 0.06 };
  expect(expected(START, next)).toBeCloseTo(0.75, 3);
});

test('a missed puzzle comes back tomorrow, and later when it is solved', () => {
  const missed = recordOf([puzzle(10, 1)]);
  expect(missed.cards.map(({ key }) => key)).toEqual(['puzzle:p10']);
  expect(dueAt(missed.cards, 10.5 * DAY)).toEqual([]);
  expect(dueAt(missed.cards, 11 * DAY)).toHaveLength(1);
  const again = recordOf([puzzle(10, 1), puzzle(11, 3, { puzzle: 'p10', mode: 'card' } as Partial<Entry>)]);
  expect(dueAt(again.cards, 11.5 * DAY)).toEqual([]);
  expect(recordOf([puzzle(10, 3)]).cards).toEqual([]);
});

test('a moment becomes one card, however often its game is looked at', () => {
  const moment = { kind: 'moment', card: 'moment:4141', moves: '4141', better: [4], what: 'block_missed' };
  const entries = [1, 2].map((n) => ({ ...moment, id: `m${n}`, at: n * DAY }) as Entry);
  const { cards } = recordOf(entries);
  expect(cards).toHaveLength(1);
  expect(cards[0]?.memory.due).toBe(2 * DAY);
  const graded = recordOf([...entries, { kind: 'grade', id: 'g', at: 3 * DAY, card: 'moment:4141', grade: 3 }]);
  expect(graded.cards[0]?.memory.due).toBeGreaterThan(3 * DAY);
});

test('days in a row', () => {
  const days = new Set(['2026-10-31', '2026-11-01', '2026-11-02']);
  expect(daysInARow(days, '2026-11-02')).toBe(3);
  expect(daysInARow(days, '2026-11-03')).toBe(3);
  expect(daysInARow(days, '2026-11-04')).toBe(0);
});

test('games: the record of every level, and the lost ones to look at', () => {
  const game = (n: number, opponent: string, score: number) =>
    ({
      kind: 'game',
      id: `g${n}`,
      at: n,
      game: `G${n}`,
      moves: '4',
      start: '',
      size: '7x6x4',
      side: 1,
      opponent,
      score,
    }) as Entry;
  const found = recordOf([game(1, 'level:3', 0), game(2, 'level:3', 1), game(3, 'level:1', 0.5)]);
  expect(found.levels).toEqual([
    { opponent: 'level:1', won: 0, drawn: 1, lost: 0 },
    { opponent: 'level:3', won: 1, drawn: 0, lost: 1 },
  ]);
  expect(found.unseen.map(({ game }) => game)).toEqual(['G1']);
  expect(recordOf([game(1, 'x', 0), { kind: 'looked', id: 'l', at: 2, game: 'G1' }]).unseen).toEqual([]);
});

test('the puzzle of a day is solved at the first try, in the end, or missed', () => {
  const tried = (at: number, grade: Grade, day: string): Entry => puzzle(at, grade, { mode: 'daily', day });
  const found = (at: number, day: string): Entry => ({
    kind: 'found',
    id: `f${at}`,
    at: at * DAY,
    puzzle: `p${at}`,
    day,
  });
  const record = recordOf([
    tried(1, 3, '2026-11-01'),
    tried(2, 1, '2026-11-02'),
    found(2.1, '2026-11-02'),
    tried(3, 1, '2026-11-03'),
    tried(3.1, 3, '2026-11-03'), // once more
    tried(4, 2, '2026-11-04'),
  ]);
  expect([...record.first]).toEqual(['2026-11-01']);
  expect([...record.days]).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
  expect([...record.met]).toEqual(['2026-11-01', '2026-11-02', '2026-11-03', '2026-11-04']);
  expect(daysInARow(record.days, '2026-11-04')).toBe(3);
});

test('a puzzle solved with help changes no rating and is not solved, also when it is tried again', () => {
  const entry = (id: string, grade: Grade): Entry => ({
    id,
    at: DAY + Number(id),
    kind: 'puzzle',
    puzzle: 'one',
    theme: 'win',
    rating: 1000,
    grade,
    mode: 'train',
    day: '2026-11-17',
  });
  const helped = recordOf([entry('1', 2)]);
  expect([helped.you, helped.curve, helped.solved]).toEqual([START, [], 0]);
  expect(recordOf([entry('1', 2), entry('2', 3)]).you).toEqual(START);
  expect(recordOf([entry('1', 1)]).you.rating).toBeLessThan(START.rating);
});
