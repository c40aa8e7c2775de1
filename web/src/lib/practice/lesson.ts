// The moment that decided a lost game becomes a card at once; its review may add others later (study/puzzles/gather.ts).

import type { Side, State, ToldMoment } from '../contract';
import { isStandard, settings } from '../settings.svelte';
import { practice } from './practice.svelte';

/** It has an answer that could be found: of what was too deep to be seen one would only learn the column by heart. */
export const isTaught = ({ better, kind, cells }: ToldMoment): boolean =>
  better.length > 0 && (kind !== 'deep' || cells.length > 0);

export function learnFrom(game: State, mine: Side | null, moment: ToldMoment): void {
  const { state, better, kind, side } = moment;
  const isUsual = isStandard(game.board) && !game.start && game.pie !== 'swapped';
  if (!settings.cards || !isUsual || side !== mine || !isTaught(moment) || !state.moves) return;
  const card = `moment:${state.moves}`;
  if (practice.record.cards.some(({ key }) => key === card)) return;
  practice.add({ kind: 'moment', card, moves: state.moves, better: [...better], what: kind });
}
