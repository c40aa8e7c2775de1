import { describe, expect, test } from 'vitest';
import example from '../example.json';
import { readTournament } from '../files';
import { duelOf, hasRatings, inOrder, oddsOf, ranked, tooFew, topDuel } from './verdict';

const meeting = (wins: number, draws: number, losses: number, pairs: number[] | null, p: number | null) =>
  duelOf({ agents: [0, 1], wins, draws, losses, score: 0, pairs, p });

describe('who is stronger', () => {
  test('whoever leads is named first, whichever comes first in the file', () => {
    const duel = meeting(1, 1, 8, [3, 1, 1, 0, 0], 0.125);
    expect(duel.agents).toEqual([1, 0]);
    expect(duel.points).toEqual([8.5, 1.5]);
    expect(duel.ends).toEqual([8, 1, 1]);
    expect(duel.openings).toEqual({ better: 4, worse: 0, all: 5 });
    expect(duel.trust).toBe('looks');
  });
  test('on the score bar everybody keeps the side of the file', () => {
    const duel = meeting(1, 1, 8, [3, 1, 1, 0, 0], 0.125);
    expect(inOrder(duel)).toEqual({ agents: [0, 1], points: [1.5, 8.5], ends: [1, 1, 8] });
    const led = meeting(8, 1, 1, [0, 0, 1, 1, 3], 0.125);
    expect(inOrder(led)).toEqual({ agents: [0, 1], points: [8.5, 1.5], ends: [8, 1, 1] });
  });
  test('as sure as the test of the file is', () => {
    expect(meeting(20, 0, 0, [0, 0, 0, 0, 10], 0.002).trust).toBe('stronger');
    expect(meeting(10, 0, 0, [0, 0, 0, 0, 5], 0.0625).trust).toBe('looks');
    expect(meeting(6, 1, 3, [0, 0, 3, 1, 1], 0.5).trust).toBe('ahead');
    expect(meeting(5, 0, 5, [0, 0, 5, 0, 0], 1).trust).toBe('even');
  });
  test('fewer than six decided openings never show anything', () => {
    expect(tooFew(meeting(4, 0, 0, [0, 0, 0, 0, 2], 0.5))).toBe(2);
    expect(tooFew(meeting(10, 0, 0, [0, 0, 0, 0, 5], 0.0625))).toBe(5);
    expect(tooFew(meeting(12, 0, 0, [0, 0, 0, 0, 6], 0.03125))).toBeNull();
    expect(tooFew(meeting(9, 0, 0, null, null))).toBeNull();
  });
  test('two have ratings where the test finds a difference', () => {
    const four = readTournament(example.result);
    expect(hasRatings(four)).toBe(true);
    const [met] = four.pairings;
    if (!met) throw new Error('nobody met');
    const two = (p: number) => ({ ...four, agents: four.agents.slice(0, 2), pairings: [{ ...met, p }] });
    expect(hasRatings(two(0.5))).toBe(false);
    expect(hasRatings(two(0.03))).toBe(true);
  });
  test('what nobody tested is not called sure', () => {
    expect(meeting(9, 0, 0, [0, 0, 0, 0, 0], 0.0001)).toMatchObject({ trust: 'ahead', p: null, openings: null });
    expect(meeting(9, 0, 0, null, null).trust).toBe('ahead');
  });
  test('the best one against the next', () => {
    const tournament = readTournament(example.result);
    expect(ranked(tournament).map(({ agent }) => agent.name)).toEqual([
      'level:8',
      'level:6',
      'mcts:simulations=300',
      'level:4',
    ]);
    expect(topDuel(tournament)).toMatchObject({ points: [7, 3], trust: 'ahead', p: 1 });
  });
  test('a chance in words', () => {
    expect(oddsOf(0.0625)).toEqual({ n: 6, of: 100 });
    expect(oddsOf(0.002)).toEqual({ n: 2, of: 1000 });
    expect(oddsOf(0.0001)).toBeNull();
  });
});
