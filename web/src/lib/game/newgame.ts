// From the settings, or from a game just played, to a new game.

import type { Landing, NewGame, SeatWish, Side, State } from '../contract';
import type { Place } from '../place';
import { boardText, type Settings } from '../settings.svelte';

const agent = (spec: string): SeatWish => ({ kind: 'agent', agent: spec });

function seatsOf(settings: Settings): [SeatWish, SeatWish] {
  const me: SeatWish = { kind: 'me' };
  if (settings.mode === 'screen') return [me, me];
  if (settings.mode === 'watch') return [agent(settings.watchFirst), agent(settings.watchSecond)];
  const opponent: SeatWish = settings.mode === 'friend' ? { kind: 'friend' } : agent(settings.agent);
  return settings.starts === 'other' ? [opponent, me] : [me, opponent];
}

export function gameFrom(settings: Settings): NewGame {
  const isPerson = settings.mode !== 'watch';
  return {
    board: boardText(settings),
    seats: seatsOf(settings),
    shuffle: settings.starts === 'random' && (settings.mode === 'machine' || settings.mode === 'friend'),
    think: settings.think,
    pie: settings.pie,
    clock:
      settings.clock && isPerson
        ? { initial: Math.round(settings.minutes * 60_000), increment: Math.round(settings.increment * 1000) }
        : null,
    ...(settings.name.trim() && isPerson ? { name: settings.name.trim() } : {}),
  };
}

/** A game that goes on from a position, in which `toMove` is next: who "begins" is the one who moves first here. */
export function gameFromPlace(settings: Settings, { start, moves, size }: Place, toMove: Side): NewGame {
  const game = gameFrom(settings);
  const [first, second] = game.seats;
  const seats: NewGame['seats'] = toMove === 1 ? [first, second] : [second, first];
  return { ...game, board: size, moves: start || moves, seats, pie: false };
}

/** The same seats once more, from a moment of the game. */
export function retry(state: State, moves: string, name: string): NewGame {
  return { ...again(state, name), seats: [wish(state.seats[0]), wish(state.seats[1])], moves, pie: false };
}

/** Whether the first disc can be dropped at once, before the game exists. */
export const startsWithMe = (settings: Settings): boolean =>
  settings.mode === 'screen' || (settings.mode === 'machine' && settings.starts === 'me');

/** An empty board: every disc falls to the lowest row. */
export const emptyLanding = (columns: number): Landing =>
  Object.fromEntries(Array.from({ length: columns }, (_, i) => [i + 1, 1]));

const wish = ({ kind, agent: spec }: State['seats'][number]): SeatWish =>
  kind === 'agent' && spec ? agent(spec) : { kind: 'me' };

/** Whether those who play again change colours, as the other one begins: not if they did in the game before. */
export const swapsColors = ({ pie }: State): boolean => pie !== 'swapped';

/** The same game once more, the other one begins; for games without a second person. */
export function again(state: State, name: string): NewGame {
  const [first, second] = state.seats;
  return {
    board: boardText(state.board),
    seats: swapsColors(state) ? [wish(second), wish(first)] : [wish(first), wish(second)],
    think: state.think,
    pie: state.pie === 'yes' || state.pie === 'swapped',
    clock: state.clock ? { initial: state.clock.initial, increment: state.clock.increment } : null,
    ...(state.start ? { moves: state.start } : {}),
    ...(name ? { name } : {}),
  };
}
