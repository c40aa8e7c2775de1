// What the character across the board says: at the beginning, now and then, and at the end. With a server and without.

import { t, type Key } from '../../i18n/index.svelte';
import type { BoardShape, Side } from '../../lib/contract';
import type { Disc } from '../../lib/game/discs';
import { remarkAt } from './remarks';
import type { Room } from '../../lib/game/room.svelte';
import { settings } from '../../lib/settings.svelte';

export interface Spoken {
  /** Who speaks: each has a voice of its own to begin, to end and to pass the time. */
  spec: string;
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
/** A level, whatever else is said of it. */
const voiceOf = (spec: string): string => /^level:\d+/.exec(spec)?.[0] ?? 'level:5';
const wayOf = (number: number): number => (number % VARIANTS) + 1;

/** A sentence, or nothing. */
export function speechOf({ spec, discs, given, mine, board, winner, seed }: Spoken): string {
  if (!settings.talk) return '';
  if (winner !== null) {
    const how = winner ? (winner === mine ? 'lost' : 'won') : 'drawn';
    return t(`speech.${how}.${how === 'drawn' ? wayOf(seed) : voiceOf(spec)}` as Key);
  }
  if (discs.length - given <= 2) return t(`speech.hello.${voiceOf(spec)}` as Key);
  const remark = remarkAt(discs, given, mine, board);
  if (!remark) return '';
  return t(`speech.${remark.what}.${remark.what === 'calm' ? voiceOf(spec) : wayOf(seed + remark.ply)}` as Key);
}

/** What a room knows of it. */
export function spokenIn({ state, discs, game }: Room): Omit<Spoken, 'spec' | 'mine'> {
  return {
    discs,
    given: discs.length - (state?.moves.length ?? 0),
    board: state?.board ?? { columns: 7, rows: 6, connect: 4 },
    winner: state?.status === 'over' ? (state.result?.winner ?? 0) : null,
    seed: game.charCodeAt(0),
  };
}
