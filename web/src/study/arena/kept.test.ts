import { expect, test } from 'vitest';
import { addressOf, askedIn } from './kept';

const queryOf = (address: string) => new URLSearchParams(address.split('?')[1]);

test('a match is found again by its address', () => {
  const asked = { pair: ['level:3', 'mcts:simulations=300'] as [string, string], games: 20, seed: 7 };
  expect(askedIn(queryOf(addressOf(asked)))).toEqual(asked);
});

test.each([
  '',
  'one=level:3',
  'one=a&two=b&games=5&seed=1',
  'one=a&two=b&games=4&seed=-1',
  'one=a&two=b&games=4&seed=x',
])('no match: %s', (query) => expect(askedIn(new URLSearchParams(query))).toBeNull());
