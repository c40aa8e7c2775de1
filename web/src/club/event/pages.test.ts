import { describe, expect, it } from 'vitest';
import { nextPage } from './pages';

const rows = Array.from({ length: 30 }, (_, i) => ({ top: 20 * i, bottom: 20 * i + 20 }));

describe('the pages of a wall', () => {
  it('show every row whole, and then begin anew', () => {
    for (const height of [20, 50, 205, 590, 600]) {
      const seen = new Set<number>();
      let top: number | null = 0;
      for (let page = 0; top !== null && page < 40; page += 1) {
        const from: number = top;
        rows.forEach(({ top: one, bottom }, i) => one >= from && bottom <= from + height && seen.add(i));
        top = nextPage(rows, from, height);
      }
      expect(top).toBeNull();
      expect(seen.size).toBe(30);
    }
  });

  it('pass a row that is higher than the page', () => {
    expect(nextPage([{ top: 0, bottom: 90 }], 0, 50)).toBe(90);
    expect(nextPage([], 0, 50)).toBeNull();
  });
});
