// HTTP: creating and joining games, and what is listed.

import { answerOf, isStatic } from '../offline/local.svelte';
import type {
  Agents,
  Announced,
  Announcing,
  Created,
  DecidedBy,
  Detail,
  Faulty,
  Joined,
  Joining,
  Meeting,
  NewGame,
  OpenGames,
  PublicGames,
  Side,
  State,
  ToldThought,
} from './contract';
import { newSecret } from './game/seats';
import { keep, kept } from './game/key';
import type { Place } from './place';

/** An answer of the server that is not the one hoped for, or no answer at all (`code` 'offline'). */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly detail: Detail | null = null,
  ) {
    super(message);
  }
}

/** What an answer that is no success says. */
export const refused = (status: number, answer: Partial<Faulty> | null): Refused =>
  new Refused(answer?.error?.code ?? `http_${status}`, answer?.error?.message ?? '', answer?.error?.detail ?? null);

/** Games between people, and their lists, need a server. */
const TABLES = /^\/api\/(games|agents|lobby|players|me|events|best)/;
/** What is done in one's own name, where there is one. */
const OWN = /^\/api\/(games|lobby|me|events|players\/[^/]+\/mute)/;

export async function call<T>(path: string, body?: unknown): Promise<T> {
  if (isStatic && TABLES.test(path)) throw new Refused('offline', '');
  const key = OWN.test(path) ? kept()?.key : undefined;
  let response: Response;
  try {
    response = await answerOf(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused('offline', '');
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const fault = refused(response.status, answer);
  if (key && fault.code === 'no_player') keep(null); // the server has forgotten this player
  throw fault;
}

const inGame = (game: string) => `/api/games/${encodeURIComponent(game)}`;

/** Asked once more when the answer is lost: with the same key it is the same game. */
export async function createGame(game: NewGame): Promise<Created> {
  const wish: NewGame = { ...game, key: newSecret() };
  const ask = () => call<Created>('/api/games', wish);
  return ask().catch((error: unknown) => {
    if (error instanceof Refused && error.code === 'offline') return ask();
    throw error;
  });
}
export const joinGame = (game: string, invite: string, name: string, token: string) =>
  call<Joined>(`${inGame(game)}/join`, { invite, name, token } satisfies Joining);
export const stateOf = (game: string) => call<State>(inGame(game));
export const recordAddress = (game: string, format: string) =>
  `${inGame(game)}/record?format=${encodeURIComponent(format)}`;
export const agentList = () => call<Agents>('/api/agents');
export const thoughtAt = (game: string, ply: number, language: string, name: string) =>
  call<ToldThought>(`${inGame(game)}/thought?${new URLSearchParams({ ply: String(ply), language, name })}`);
/** `since`: how many discs lay there when it began. */
export const decidedIn = (
  { start, moves, size }: Place,
  language: string,
  side: Side | null,
  opponent = '',
  since = 0,
) =>
  call<DecidedBy>(
    `/api/decided?${new URLSearchParams({
      moves,
      ...(start ? { start } : { board: size }),
      ...(side ? { side: String(side) } : {}),
      ...(opponent ? { opponent } : {}),
      ...(since ? { since: String(since) } : {}),
      language,
    })}`,
  );
/** A position as a picture, or the game to it as an animation. */
export const pictureOf = (kind: 'png' | 'gif', { start, moves, size }: Place) =>
  `/api/picture.${kind}?${new URLSearchParams(start ? { start, moves } : { moves, board: size })}`;
export const publicGames = () => call<PublicGames>('/api/games');

export const openGames = () => call<OpenGames>('/api/lobby');
/** Anybody may take the free seat now; or another game like this one waits already. */
export const announce = (body: Announcing) => call<Announced>('/api/lobby', body);
export const sitDown = (game: string, body: Meeting) =>
  call<Joined>(`/api/lobby/${encodeURIComponent(game)}/join`, body);
