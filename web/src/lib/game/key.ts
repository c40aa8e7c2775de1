// The key of a player: drawn here, kept here, known to nobody else. The server has its hash.

import { load, save } from '../store';

export interface Kept {
  key: string;
  id: string;
  name: string;
  rating: number;
}

export function kept(): Kept | null {
  const value = load('player') as Kept | null;
  return value && typeof value.key === 'string' && typeof value.id === 'string' ? value : null;
}

export const keep = (player: Kept | null): void => save('player', player);
