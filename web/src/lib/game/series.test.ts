import { expect, test } from 'vitest';
import { scoreText } from './series';

test('points are written as people write them', () => {
  expect([0, 0.5, 1, 1.5, 3].map(scoreText)).toEqual(['0', '½', '1', '1½', '3']);
});
