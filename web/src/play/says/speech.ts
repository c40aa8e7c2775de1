// What the character across the board says: at the beginning, now and then, and at the end. With a server and without.

import { t, type Key } from '../../i18n/index.svelte';
import type { BoardShape, Side } from '../../lib/contract';
import type { Disc } from '../../lib/game/discs';
import { remarkAt } from './remarks';
import type { Room } from '../../lib/game/room.svelte';
import { settings } from '../../lib/settings.svelte';

export interface Spoken {
  name: string;
  discs: readonly Disc[];
  /** How many of them lay there before the game began. */
  given: number;
  mine: Side;
  board: BoardShape;
  /** Null while it is being played; 0 is a draw. */
  winner: Side | 0 | null;
  /** Chooses among a few ways to say it, the same for the whole game. */
  seed: number;
}

const VARIANTS = 3;
const wayOf = (number: number): number => (number % VARIANTS) + 1;

/** A sentence, or nothing. */
export function speechOf({ name, discs, given, mine, board, winner, seed }: Spoken): string {
  if (!settings.talk) return '';
  if (winner !== null) {
    const how = winner ? (winner === mine ? 'lost' : 'won') : 'drawn';
    return t(`speech.${how}.${wayOf(seed)}` as Key);
  }
  if (discs.length <= 1) return t(`speech.hello.${wayOf(seed)}` as Key, { name });
  const remark = remarkAt(discs, given, mine, board);
  return remark ? t(`speech.${remark.what}.${wayOf(seed + remark.ply)}` as Key) : '';
}

/** What a room knows of it. */
export function spokenIn({ state, discs, game }: Room): Omit<Spoken, 'name' | 'mine'> {
  return {
    discs,
    given: discs.length - (state?.moves.length ?? 0),
    board: state?.board ?? { columns: 7, rows: 6, connect: 4 },
    winner: state?.status === 'over' ? (state.result?.winner ?? 0) : null,
    seed: game.charCodeAt(0),
  };
}
