// Sentences about a game, from the catalogue: who a side is, whose turn it is, how it ended.

import { language, t, tMaybe, type Key } from '../i18n/index.svelte';
import type { Disc } from './game/discs';
import type { Room } from './game/room.svelte';
import {
  LEVELS,
  type OfferKind,
  type OpenGame,
  type ResultState,
  type SeatState,
  type Side,
  type State,
} from './contract';
import { other } from './game/protocol';

export const colorName = (side: Side): string => t(side === 1 ? 'color.1' : 'color.2');

/** `level:3` by its character, other agents by their name or their spec. */
export const agentName = (spec: string): string => tMaybe(`agent.name.${plain(spec)}`, spec);

/** With the level that a character plays at. */
export function agentTitle(spec: string): string {
  const level = LEVELS.findIndex((one) => one === plain(spec)) + 1;
  return level ? `${agentName(spec)} · ${t('agent.level', { level })}` : agentName(spec);
}

/** One spec for each level: `level` and `level:level=5` are `level:5`. */
const plain = (spec: string): string => {
  const level = /^level(?::(?:level=)?(\d+))?$/.exec(spec);
  return level ? `level:${level[1] ?? 5}` : spec;
};

export function seatName(room: Room, seat: SeatState): string {
  if (seat.kind === 'agent') return agentName(seat.agent ?? seat.name);
  if (seat.kind === 'free') return t('seat.free');
  if (room.you.length === 1 && room.you[0] === seat.side) return t('seat.you');
  if (room.you.length === 2) return colorName(seat.side);
  return seat.name || t(room.you.length ? 'seat.opponent' : 'seat.anyone', { color: colorName(seat.side) });
}

/** By the pie rule the first disc is another's now. */
export function swappedText(room: Room): string {
  const [me] = room.you;
  const taker = room.state?.seats[0];
  if (room.you.length !== 1 || !taker) return t('pie.taken');
  return me === 1 ? t('pie.youTook') : t('pie.theyTook', { name: seatName(room, taker) });
}

/** What an offer says, of mine or of theirs; that of a seat names who would sit there. */
export function offerText(state: State, kind: OfferKind, isMine: boolean): string {
  const { successor } = state.offers;
  const who = kind === 'seat' && successor?.agent ? 'seat' : kind === 'seat' ? 'seat_back' : kind;
  return t(`offer.${who}.${isMine ? 'mine' : 'theirs'}`, { name: successor?.agent ? agentName(successor.agent) : '' });
}

const seatOf = (state: State, side: Side): SeatState => state.seats[side - 1] as SeatState;

/** The line above everything: whose turn it is, or how it ended. */
export function headline(room: Room): string {
  const { state } = room;
  if (!state) return t('status.loading');
  if (state.status === 'over' && state.result) return resultHeadline(room, state.result);
  if (state.status === 'waiting') return t(room.isPlayer ? 'status.waiting' : 'status.waitingOther');
  const side = room.pending ? other(room.pending.side) : (state.turn ?? lastTurn(room));
  if (!side) return t('status.loading');
  const seat = seatOf(state, side);
  if (seat.kind === 'agent') return t('status.thinking', { name: agentName(seat.agent ?? seat.name) });
  if (room.you.length === 1 && room.you[0] === side) return t('status.yourTurn');
  if (room.you.length === 2 && state.seats.every(({ kind }) => kind === 'human')) {
    return t('status.turnOf', { name: colorName(side) });
  }
  if (room.you.includes(side)) return t('status.yourTurn');
  return t('status.turnOf', { name: seatName(room, seat) });
}

/** While the last disc falls nobody is to move, and the end is not told yet: what stood there stays. */
function lastTurn(room: Room): Side | null {
  const last = room.discs.at(-1);
  if (!last || !room.state) return null;
  const isHere = room.you.includes(last.side) && seatOf(room.state, last.side).kind === 'human';
  return isHere ? other(last.side) : last.side;
}

function resultHeadline(room: Room, result: ResultState): string {
  if (result.reason === 'abort') return t('result.abort');
  if (!result.winner) return t('result.draw');
  const [me] = room.you;
  const humans = room.state?.seats.filter(({ kind }) => kind === 'human') ?? [];
  const isOneOfTwo = room.you.length === 1 || (room.you.length === 2 && humans.length === 1);
  const mine = room.you.length === 1 ? me : humans[0]?.side;
  const opponent = mine && room.state?.seats[other(mine) - 1];
  if (isOneOfTwo && opponent && opponent.kind === 'agent') {
    const name = agentName(opponent.agent ?? opponent.name);
    return t(result.winner === mine ? 'level.won' : 'result.lostTo', { name });
  }
  if (isOneOfTwo && mine) return t(result.winner === mine ? 'result.youWin' : 'result.youLose');
  const winner = room.state?.seats[result.winner - 1];
  return t('result.wins', { name: winner ? seatName(room, winner) : colorName(result.winner) });
}

/** How it ended, in one sentence. */
export function resultReason(room: Room): string {
  const { state } = room;
  if (!state?.result) return '';
  const { reason, winner } = state.result;
  const loser = winner ? seatName(room, seatOf(state, other(winner))) : '';
  const n = room.discs.length;
  const isLoserMe = winner !== null && room.you.length === 1 && room.you[0] === other(winner);
  const key = `reason.${reason}${isLoserMe && `reason.${reason}.you` in YOU ? '.you' : ''}`;
  return t(key as Key, { n, connect: state.board.connect, name: loser });
}

/** Reasons that read differently when it is oneself. */
const YOU = { 'reason.resign.you': 1, 'reason.time.you': 1, 'reason.abandon.you': 1 };

export const moveText = ({ side, column, row }: Pick<Disc, 'side' | 'column' | 'row'>): string =>
  t('say.move', { color: colorName(side), column, row });

export function lastMove(discs: Disc[]): string {
  const last = discs.at(-1);
  return last ? t('say.last', { move: moveText(last) }) : t('moves.none');
}

export function clocks(room: Room): string {
  const texts = ([1, 2] as const).flatMap((side) => {
    const left = room.timeLeft(side, Date.now());
    return left === null ? [] : [t('clock.of', { color: colorName(side), time: clockText(left) })];
  });
  return texts.join('. ') || t('clock.none');
}

/** Refusals by code, in words. What the server says itself is English. */
export const refusal = (code: string, message: string): string =>
  tMaybe(`error.${code}`, (language() === 'en' && message) || t('error.unknown'));

/** A time of thinking as the language writes it: 0.8, or 0.02 where it is short. */
export const secondsText = (milliseconds: number): string =>
  (milliseconds / 1000).toLocaleString(language(), { maximumFractionDigits: milliseconds < 100 ? 2 : 1 });

/** What two people play who do not know each other: the board, the clock, the pie rule. */
export function openGameWords({ board, clock, has_pie }: OpenGame): string {
  const minutes = (clock?.initial ?? 0) / 60_000;
  const time = clock ? t('clock.text', { n: minutes, minutes, increment: clock.increment / 1000 }) : t('clock.none');
  return [board.split('x').slice(0, 2).join(' × '), time, ...(has_pie ? [t('pie.on')] : [])].join(', ');
}

export function clockText(milliseconds: number): string {
  const seconds = milliseconds < 10_000 ? Math.ceil(milliseconds / 100) / 10 : Math.ceil(milliseconds / 1000);
  if (seconds < 10) return seconds.toFixed(1);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}
