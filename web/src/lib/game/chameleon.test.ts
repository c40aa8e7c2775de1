import { expect, test } from 'vitest';
import { LEVELS } from '../contract';
import { fittingLevel } from './chameleon';
import type { Finished } from './history';

const game = (against: string, outcome: Finished['outcome'], more: Partial<Finished> = {}): Finished => ({
  game: 'g',
  at: 0,
  against,
  board: '7x6x4',
  start: '',
  moves: '4',
  side: 1,
  outcome,
  wasHelped: false,
  ...more,
});

test('it begins where most people do', () => {
  expect(fittingLevel([])).toBe('level:3');
});

test('it grows after a win and becomes weaker after a loss', () => {
  expect(fittingLevel([game('level:3', 'won')])).toBe('level:4');
  expect(fittingLevel([game('level:3', 'lost')])).toBe('level:2');
});

test('games that say nothing change nothing', () => {
  const silent = [{ wasHelped: true }, { board: '8x8x4' }, { start: '4' }, { against: null }, { against: 'mcts' }];
  for (const more of silent) expect(fittingLevel([game('level:3', 'won', more)])).toBe('level:3');
});

test('it settles where wins and losses are even', () => {
  let games: Finished[] = [];
  const met: string[] = [];
  for (let i = 0; i < 60; i++) {
    const level = fittingLevel(games);
    met.push(level);
    const number = LEVELS.findIndex((one) => one === level) + 1;
    games = [game(level, number < 6 ? 'won' : number > 6 ? 'lost' : i % 2 ? 'won' : 'lost'), ...games];
  }
  expect(met.slice(-10).every((level) => ['level:5', 'level:6', 'level:7'].includes(level))).toBe(true);
  expect(met.slice(-10)).toContain('level:6');
});
