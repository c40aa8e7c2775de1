// What is on the page of the arena, kept in this browser: results are too large for localStorage.

import type { Curve, Played, Tournament } from './files';

export interface Results {
  tournament: Tournament | null;
  games: Played[];
  curves: Curve[];
}

export const NOTHING: Results = { tournament: null, games: [], curves: [] };

const KEY = 'results';
const STORE = 'arena';

function opened(): Promise<IDBObjectStore> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('claimeven', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result.transaction(STORE, 'readwrite').objectStore(STORE));
    request.onerror = () => reject(request.error);
  });
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** What was there at the last visit. A browser that keeps nothing has nothing. */
export async function keptResults(): Promise<Results> {
  try {
    return (await done<Results | undefined>((await opened()).get(KEY))) ?? NOTHING;
  } catch {
    return NOTHING;
  }
}

export async function keepResults(results: Results): Promise<void> {
  try {
    await done((await opened()).put(results, KEY));
  } catch {
    // The next visit begins anew.
  }
}
