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
