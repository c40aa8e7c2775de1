// What this browser owns: the token of every game it plays in, and moves that are not acknowledged yet.

import type { State } from '../contract';
import type { Sent } from './protocol';
import { load, save } from '../store';

export interface Seatbook {
  token: string;
  invite: string | null;
  /** Whether anybody may take the other seat. */
  isOpen?: boolean;
  unacknowledged: Sent[];
  at: number;
}

const KEPT = 200; // games remembered; the oldest are forgotten first

type Book = Record<string, Seatbook>;

function book(): Book {
  const value = load('games');
  return value && typeof value === 'object' ? (value as Book) : {};
}

export function seatOf(game: string): Seatbook | null {
  const seat = book()[game];
  return seat && typeof seat.token === 'string' ? { ...seat, unacknowledged: seat.unacknowledged ?? [] } : null;
}

export function keepSeat(game: string, seat: Omit<Seatbook, 'at' | 'unacknowledged'>): void {
  const all = { ...book(), [game]: { ...seat, unacknowledged: [], at: Date.now() } };
  const newest = Object.entries(all).sort(([, a], [, b]) => b.at - a.at);
  save('games', Object.fromEntries(newest.slice(0, KEPT)));
}

export function keepUnacknowledged(game: string, messages: Sent[]): void {
  const all = book();
  const seat = all[game];
  if (!seat) return;
  seat.unacknowledged = messages;
  save('games', all);
}

/** From now on anybody may take the other seat. */
export function openSeat(game: string): void {
  const all = book();
  const seat = all[game];
  if (!seat) return;
  seat.isOpen = true;
  save('games', all);
}

/** Every game that this browser has a seat in. */
export const ownGames = (): string[] => Object.keys(book());

export function forgetSeat(game: string): void {
  const all = book();
  delete all[game];
  save('games', all);
}

export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) => (c === '+' ? '-' : c === '/' ? '_' : ''));
}

/** A token for joining, chosen here and kept, so that joining twice takes one seat. */
export function joiningToken(game: string): string {
  const key = `joining.${game}`;
  const kept = load(key);
  if (typeof kept === 'string') return kept;
  const token = newSecret();
  save(key, token);
  return token;
}

export const forgetJoiningToken = (game: string): void => save(`joining.${game}`, null);

/** The game to go on with: the one left last while it was not over. */
export const unfinishedGame = (): string | null => {
  const value = load('unfinished');
  return typeof value === 'string' && seatOf(value) ? value : null;
};

export const keepUnfinished = (game: string | null): void => save('unfinished', game);

/** The last that was known of the game at hand: a reload without a network shows it. */
export const keepState = (state: State): void => save('state', state);

export function keptState(game: string): State | null {
  const state = load('state') as State | null;
  return state?.game === game ? state : null;
}
