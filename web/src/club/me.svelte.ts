// Who one is on this server: a name, and a key that never leaves the browser but to prove it.

import { call } from '../lib/api';
import type { Me, MovingCode } from '../lib/contract';
import { newSecret } from '../lib/game/seats';
import { keep, kept, type Kept } from '../lib/game/key';
import { load, save } from '../lib/store';

class Self {
  me = $state.raw<Kept | null>(kept());

  private take(key: string, { id, name, rating }: Me): void {
    this.me = { key, id, name, rating: rating.shown };
    keep(this.me);
    save('drawn', null);
  }

  /** The key that was drawn before the answer came: asked again with it, one is the same player. */
  private drawn(): string {
    const before = load('drawn');
    const key = typeof before === 'string' ? before : newSecret();
    save('drawn', key);
    return key;
  }

  async begin(name: string): Promise<void> {
    const key = this.drawn();
    this.take(key, await call<Me>('/api/players', { name, key }));
  }

  async moveHere(code: string): Promise<void> {
    const key = this.drawn();
    this.take(key, await call<Me>('/api/players/move', { code, key }));
  }

  async rename(name: string): Promise<void> {
    if (this.me) this.take(this.me.key, await call<Me>('/api/me/name', { name }));
  }

  code = (): Promise<MovingCode> => call<MovingCode>('/api/me/code', {});

  /** What the server knows of one now; nobody, if it has forgotten. */
  async refresh(): Promise<void> {
    if (!this.me) return;
    try {
      this.take(this.me.key, await call<Me>('/api/me'));
    } catch {
      this.me = kept(); // forgotten by the server, or only out of reach
    }
  }

  async forget(isWithGames: boolean): Promise<void> {
    await call('/api/me/delete', { games: isWithGames });
    this.me = null;
    keep(null);
  }
}

export const self = new Self();
