// The entries of this browser. Another tab may write at the same time: what is stored is read again before every write
// and merged, and what another tab wrote is heard of. Whoever finds own entries missing in the storage adds them again.

import { load, save } from '../store';
import { finishedGames } from '../game/history';
import type { Entry } from '../contract';
import { merged } from './entries';
import { recordOf } from './record';

const KEY = 'practice';
const FORMAT = 'claimeven-you';

type Fresh = { [K in Entry['kind']]: Omit<Extract<Entry, { kind: K }>, 'id' | 'at'> }[Entry['kind']];

const stored = (): unknown[] => {
  const found = load(KEY);
  return Array.isArray(found) ? found : [];
};

class Practice {
  entries = $state.raw<Entry[]>(merged(stored()));
  record = $derived(recordOf(this.entries));

  constructor() {
    addEventListener('storage', ({ key }) => {
      if (key === null || key.endsWith(`.${KEY}`)) this.meet();
    });
  }

  /** Together with what is in the storage; written only if something is missing there. */
  private meet(own: readonly unknown[] = this.entries): void {
    const there = merged(stored());
    const all = merged(there, own);
    if (all.length !== this.entries.length) this.entries = all;
    if (all.length > there.length) save(KEY, all);
  }

  add(...facts: Fresh[]): void {
    const now = Date.now();
    const fresh = facts.map((fact) => ({
      ...fact,
      id: `${now.toString(36)}-${crypto.randomUUID().slice(0, 13)}`,
      at: now,
    }));
    this.meet([...this.entries, ...fresh]);
  }

  /** The games that were finished since the last look; the page of games keeps them, and only the newest. */
  gather(): void {
    const games = finishedGames().map((one): Entry => ({
      id: `game:${one.game}:${one.at}`,
      at: one.at,
      kind: 'game',
      game: one.game,
      moves: one.moves,
      start: one.start,
      size: one.board,
      side: one.side,
      opponent: one.against ?? 'person',
      score: one.outcome === 'won' ? 1 : one.outcome === 'lost' ? 0 : 0.5,
    }));
    this.meet([...this.entries, ...games]);
  }

  /** One file with everything that is kept: what the page of this name shows, and what school has. */
  exported(): string {
    this.gather();
    return JSON.stringify({ format: FORMAT, version: 1, entries: this.entries, school: load('school') });
  }

  /** How many entries of a file are new here; null when it is no such file. What is here stays. School merges its own. */
  imported(text: string, school: (progress: unknown) => void): number | null {
    const file = parsed(text);
    if (file?.format !== FORMAT || !Array.isArray(file.entries)) return null;
    const before = this.entries.length;
    this.meet([...this.entries, ...file.entries]);
    school(file.school);
    return this.entries.length - before;
  }
}

function parsed(text: string): { format?: unknown; entries?: unknown; school?: unknown } | null {
  try {
    const found = JSON.parse(text);
    return found && typeof found === 'object' ? found : null;
  } catch {
    return null;
  }
}

export const practice = new Practice();
