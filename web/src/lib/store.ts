// The browser's own storage. It may be closed or hold anything: then the page works without it.

const PREFIX = 'claimeven.';

/** What happens when there is no room for more. */
export const FULL = 'claimeven:full';

export function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null');
  } catch {
    return null;
  }
}

export function save(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch (error) {
    // Nothing can be kept: the game goes on, only a reload will forget it. Whoever has no room left is told (App.svelte).
    if (error instanceof DOMException && error.name === 'QuotaExceededError')
      setTimeout(() => dispatchEvent(new Event(FULL))); // later: an effect may have saved
  }
}
