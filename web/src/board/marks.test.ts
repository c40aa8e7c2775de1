import { describe, expect, it } from 'vitest';
import { MARKS, NAMES } from './marks';

describe('marks of the board', () => {
  it('have shapes of their own: no two differ by colour alone', () => {
    expect(new Set(NAMES.map((name) => MARKS[name].d)).size).toBe(NAMES.length);
  });
  it('share a colour only with marks of the same kind', () => {
    const of = (tone: string) => NAMES.filter((name) => MARKS[name].tone === tone);
    expect(of('--hint-mark')).toEqual(['play']);
    expect(of('--lit')).toEqual(['meant']);
  });
});
