// A position as it is asked for and as it stands in an address.

import { STANDARD, type State } from './contract';
import { boardText } from './settings.svelte';

/** Moves like 4453, from a position (which says its board) or from the empty board. */
export interface Place {
  start: string;
  moves: string;
  size: string;
}

/** A text may be moves (`4453`) or a position (`7/7/7/7/3o3/2oxx2 x`). */
export const isPosition = (text: string): boolean => /[ /]/.test(text);

/** A start may be a position or moves itself. */
export function placeFrom({ start, moves, size }: Place): Place {
  if (isPosition(moves)) return { start: moves, moves: '', size };
  return isPosition(start) ? { start, moves, size } : { start: '', moves: start + moves, size };
}

/** A game to be judged. By the pie rule its first disc became the other's: then it was given, and nobody's mistake. */
export function judgedPlace({ start, moves, board, pie }: Pick<State, 'start' | 'moves' | 'board' | 'pie'>): Place {
  const size = boardText(board);
  const [first, ...rest] = moves;
  if (pie !== 'swapped' || start || !first) return placeFrom({ start, moves, size });
  const left = parseInt(first, 36) - 1;
  const empty = (count: number) => (count ? String(count) : '');
  const bottom = `${empty(left)}x${empty(board.columns - 1 - left)}`;
  const rows = [...Array<string>(board.rows - 1).fill(String(board.columns)), bottom];
  return { start: `${rows.join('/')} o ${size}`, moves: rest.join(''), size };
}

/** What leads to it on the pages: without what goes without saying. */
export function addressOf(page: 'analysis' | 'review' | 'play' | 'embed', { start, moves, size }: Place): string {
  const query = new URLSearchParams(start ? { [page === 'review' ? 'start' : 'position']: start } : {});
  if (moves || !start) query.set('moves', moves);
  if (!start && size !== STANDARD) query.set('board', size);
  return `/${page === 'play' ? '' : page}?${query}`;
}

/** The position that an address asks for; null where it asks for none. */
export function placeIn(query: URLSearchParams): Place | null {
  const [start, moves] = [query.get('position') ?? '', query.get('moves') ?? ''];
  return start || moves ? placeFrom({ start, moves, size: query.get('board') ?? STANDARD }) : null;
}
