// HTTP: creating and joining games, and what is listed.

import type { Created, Joined, NewGame } from './protocol';

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

/** More about a refusal, to be said in any language. */
export interface Detail {
  code: string;
  params: Record<string, string>;
}

/** What an answer that is no success says. */
export const refused = (status: number, answer: { error?: { code?: string; message?: string; detail?: Detail } } | null): Refused =>
  new Refused(answer?.error?.code ?? `http_${status}`, answer?.error?.message ?? '', answer?.error?.detail ?? null);

async function call<T>(path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Refused('offline', '');
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  throw refused(response.status, answer);
}

export interface AgentOffer {
  spec: string;
  name: string;
  about: string;
}

/** One option of a kind of agents, as the server declares it. */
export interface AgentOption {
  name: string;
  type: 'switch' | 'whole' | 'decimal' | 'weights' | 'word' | 'text';
  default: boolean | number | string | null;
  low: number | null;
  high: number | null;
  words: string[] | null;
  help: string;
}

/** Why an agent moved, in its own terms. */
export interface Thought {
  agent: string;
  column: number;
  ms: number;
  saw: string;
  line: string | null;
  terms: { text: string; count: number; weight: number; value: number }[];
  value: number | null;
  columns: { column: number; weight: number; known: boolean; text: string }[];
}

export interface PublicGame {
  game: string;
  board: string;
  names: string[];
  ply: number;
  watchers: number;
}

const inGame = (game: string) => `/api/games/${encodeURIComponent(game)}`;

export const createGame = (game: NewGame) => call<Created>('/api/games', game);
export const joinGame = (game: string, invite: string, name: string, token: string) =>
  call<Joined>(`${inGame(game)}/join`, { invite, name, token });
export const recordAddress = (game: string, format: string) =>
  `${inGame(game)}/record?format=${encodeURIComponent(format)}`;
export const agentList = () => call<{ agents: AgentOffer[]; kinds: Record<string, AgentOption[]> }>('/api/agents');
export const thoughtAt = (game: string, ply: number, language: string) =>
  call<Thought>(`${inGame(game)}/thought?ply=${ply}&language=${language}`);
export const publicGames = () => call<{ games: PublicGame[] }>('/api/games');
