// The moments of lost games become cards: quietly, a few games at a time, when somebody comes to practise.

import type { Reviewed } from '../../lib/contract';
import type { GameEntry } from '../../lib/contract';
import { isTaught } from '../../lib/practice/lesson';
import { practice } from '../../lib/practice/practice.svelte';
import { streamedReview } from '../api';

const AT_ONCE = 3; // games; the next ones when somebody comes again
const MOST = 3; // cards of a game

let isWorking = false;

export async function gatherCards(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  try {
    practice.gather();
    for (const game of practice.record.unseen.slice(0, AT_ONCE)) await look(game);
  } catch {
    // Without the server there are no reviews; the games stay to be looked at.
  } finally {
    isWorking = false;
  }
}

async function look({ game, moves, size, side }: GameEntry): Promise<void> {
  const wish = { text: moves, format: 'moves', board: size, start: null, side };
  const { moments } = await streamedReview<Reviewed>(wish, () => {}, new AbortController().signal);
  const mine = moments.filter((moment) => moment.side === side && isTaught(moment)).slice(0, MOST);
  practice.add(
    ...mine.map(({ index, better, kind }) => {
      const before = moves.slice(0, index);
      return { kind: 'moment' as const, card: `moment:${before}`, moves: before, better: [...better], what: kind };
    }),
    { kind: 'looked', game },
  );
}
