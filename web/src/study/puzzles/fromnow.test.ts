import { expect, test } from 'vitest';
import { fromNow } from './fromnow';

test('how long until then, in words', () => {
  const now = new Date(2026, 10, 16, 22, 0);
  const after = (minutes: number, language = 'en') => fromNow(now.getTime() + minutes * 60_000, now, language);
  expect(after(0.2)).toBe('in 1 minute');
  expect(after(20)).toBe('in 20 minutes');
  expect(after(170)).toBe('in 3 hours');
  expect(after(60 * 20)).toBe('tomorrow');
  expect(after(60 * 24 * 4)).toBe('in 4 days');
  expect(after(60 * 20, 'fr')).toBe('demain');
  expect(after(60 * 24 * 4, 'pl')).toBe('za 4 dni');
});
