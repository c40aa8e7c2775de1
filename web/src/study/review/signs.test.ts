import { describe, expect, it } from 'vitest';
import { markOf, MARKS, SIGNED, SIGNS } from './signs';

describe('the mark of a move', () => {
  it('is its class', () => {
    expect(markOf({ class: 'blunder', deep: false })).toBe('blunder');
    expect(markOf({ class: 'best', deep: false })).toBe('best');
  });

  it('is no blunder where hardly anybody sees it', () => {
    expect(markOf({ class: 'blunder', deep: true })).toBe('deep');
    expect(SIGNS.deep).not.toContain('?');
  });

  it('has a sign of its own wherever it is listed', () => {
    expect(SIGNED.every((mark) => MARKS.includes(mark))).toBe(true);
    expect(MARKS.every((mark) => SIGNS[mark])).toBe(true);
  });
});
