// The moment that decided a lost game becomes a card at once; its review may add others later (study/puzzles/gather.ts).

import type { Side, State, ToldMoment } from '../contract';
import { isStandard, settings } from '../settings.svelte';
import { practice } from './practice.svelte';

export function learnFrom(game: State, mine: Side | null, { state, better, kind, side }: ToldMoment): void {
  const isUsual = isStandard(game.board) && !game.start && game.pie !== 'swapped';
  if (!settings.cards || !isUsual || side !== mine || !better.length || !state.moves) return;
  const card = `moment:${state.moves}`;
  if (practice.record.cards.some(({ key }) => key === card)) return;
  practice.add({ kind: 'moment', card, moves: state.moves, better: [...better], what: kind });
}
