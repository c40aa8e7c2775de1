// Players and tournaments, as the server tells them.

import { call, Refused } from '../lib/api';
import type { BestGame, EventList, EventPage, FairPlay, MutedPlayers, NewEvent, PlayerPage } from '../lib/contract';
import { refusal } from '../lib/words';

const at = (event: string) => `/api/events/${encodeURIComponent(event)}`;

export const bestGame = () => call<BestGame>('/api/best');
export const playerPage = (id: string, before: number | null) =>
  call<PlayerPage>(`/api/players/${encodeURIComponent(id)}${before === null ? '' : `?before=${before}`}`);
export const eventList = () => call<EventList>('/api/events');
export const eventPage = (event: string) => call<EventPage>(at(event));
export const newEvent = (wish: NewEvent) => call<EventPage>('/api/events', wish);
export const inEvent = (event: string, what: 'join' | 'leave' | 'start' | 'stop') =>
  call<EventPage>(`${at(event)}/${what}`, {});
export const addLevel = (event: string, level: number) => call<EventPage>(`${at(event)}/levels`, { level });
export const removeEntrant = (event: string, number: number) => call<EventPage>(`${at(event)}/remove`, { number });
export const fairPlay = (event: string, after: number) => call<FairPlay>(`${at(event)}/fair?after=${after}`);
export const fileOf = (event: string, name: 'games.jsonl' | 'result.json') => `${at(event)}/${name}`;
export const mute = (player: string, on: boolean) => call(`/api/players/${encodeURIComponent(player)}/mute`, { on });
export const mutedPlayers = () => call<MutedPlayers>('/api/me/muted');
export const report = (game: string, reason: string) =>
  call(`/api/games/${encodeURIComponent(game)}/report`, { reason });

export const inWords = (error: unknown): string =>
  error instanceof Refused ? refusal(error.code, error.message) : refusal('unknown', '');
