// What is on the page of the arena, kept in this browser: results are too large for localStorage.

import type { Curve, Played, Tournament } from './files';

export interface Results {
  tournament: Tournament | null;
  games: Played[];
  curves: Curve[];
  /** What leads to the same results anywhere; '' for files, which are sent nowhere. */
  address?: string;
}

export const NOTHING: Results = { tournament: null, games: [], curves: [] };

/** A match by what it is played with: the same seed gives the same games. */
export interface Asked {
  pair: [string, string];
  games: number;
  seed: number;
}
export const PAGE = '/arena';
export const EXAMPLE = `${PAGE}?result=example`;

export const addressOf = ({ pair, games, seed }: Asked): string =>
  `${PAGE}?${new URLSearchParams({ one: pair[0], two: pair[1], games: String(games), seed: String(seed) })}`;

/** The match that an address asks for, if it is one that can be played here. */
export function askedIn(query: URLSearchParams): Asked | null {
  const [one, two] = [query.get('one'), query.get('two')];
  const [games, seed] = [Number(query.get('games')), Number(query.get('seed'))];
  const isMatch = one && two && [4, 10, 20].includes(games) && Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31;
  return isMatch ? { pair: [one, two], games, seed } : null;
}

const KEY = 'results';
const STORE = 'arena';

function opened(mode: IDBTransactionMode): Promise<IDBTransaction> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('claimeven', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result.transaction(STORE, mode));
    request.onerror = () => reject(request.error);
  });
}

/** Once all of it is on disk: what was asked for may be lost with the page until then. */
const done = <T>(work: IDBTransaction, request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    work.oncomplete = () => resolve(request.result);
    work.onerror = work.onabort = () => reject(work.error);
  });

/** What was there at the last visit. A browser that keeps nothing has nothing. */
export async function keptResults(): Promise<Results> {
  try {
    const work = await opened('readonly');
    return (await done<Results | undefined>(work, work.objectStore(STORE).get(KEY))) ?? NOTHING;
  } catch {
    return NOTHING;
  }
}

const PATIENCE = 2000; // milliseconds: a browser that says neither yes nor no must not hold results back

export async function keepResults(results: Results): Promise<void> {
  await Promise.race([kept(results), new Promise((go) => setTimeout(go, PATIENCE))]);
}

async function kept(results: Results): Promise<void> {
  try {
    const work = await opened('readwrite');
    await done(work, work.objectStore(STORE).put(results, KEY));
  } catch {
    // The next visit begins anew.
  }
}
