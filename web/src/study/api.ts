// What the server knows about positions. Every call can be given up: closing the connection ends the work there.

import { Refused, refused } from '../lib/api';
import { answerOf, isStatic } from '../offline/local.svelte';
import type { Place } from '../lib/place';
import type {
  Analysed,
  BoardState,
  Checked,
  Converted,
  Explained,
  Explored,
  FailedLine,
  Hinted,
  Matched,
  Opinion,
  ProgressLine,
  Refuted,
  ReviewWish,
  Values,
} from '../lib/contract';
import { askedLanguage } from './words.svelte';

const placeQuery = ({ start, moves, size }: Place): Record<string, string> =>
  start ? { start, moves } : { moves, board: size };

/** How to ask about a position that the server described. */
export const placeOf = ({ moves, position, size }: BoardState): Place =>
  moves === null ? { start: position, moves: '', size } : { start: '', moves, size };

const fetched = (path: string, init: RequestInit): Promise<Response> => answerOf(path, init).catch(lost);

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a proxy's page, perhaps
  }
}

/** What was given up is no refusal, and a broken connection is none of the server's. */
function lost(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new Refused('offline', '');
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text().catch(lost);
  const answer = parsed(text);
  if (response.ok && answer !== null) return answer as T;
  throw refused(response.status, answer);
}

export async function ask<T>(path: string, query: Record<string, string | number>, signal?: AbortSignal): Promise<T> {
  const all = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return read<T>(await fetched(`/api/${path}?${all}`, { signal: signal ?? null }));
}

export async function tell<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return read<T>(await fetched(`/api/${path}`, { ...init, signal: signal ?? null }));
}

/** An answer that may take long: lines of progress, then the answer. */
async function streamed<T>(response: Response, onprogress: (progress: ProgressLine) => void): Promise<T> {
  if (!response.ok || !response.body) return read<T>(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch(lost);
    if (done) throw new Refused('offline', '');
    rest += value;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as { t: 'answer'; answer: T } | FailedLine | ProgressLine;
      if (message.t === 'answer') return message.answer;
      if (message.t === 'error') throw refused(response.status, message);
      onprogress(message);
    }
  }
}

/** `onfirst` hears what is known before the reasons are: without a server those take a moment to begin. */
export async function analyse(
  place: Place,
  onprogress: (progress: ProgressLine) => void,
  onfirst: (found: Analysed) => void,
  signal: AbortSignal,
): Promise<Analysed> {
  if (isStatic)
    import('../offline/first')
      .then(({ firstLook }) => firstLook(place, signal))
      .then(
        (found) => found && !signal.aborted && onfirst(found),
        () => {}, // the rooms will say why
      );
  const query = new URLSearchParams({ ...placeQuery(place), language: askedLanguage(), stream: 'true' });
  try {
    return await streamed<Analysed>(await fetched(`/api/analyse?${query}`, { signal }), onprogress);
  } catch (error) {
    // Without a network the engine of this page knows the values; reasons need the server.
    const isLost = !isStatic && error instanceof Refused && error.code === 'offline';
    const found = isLost && (await (await import('../offline/first')).firstLook(place, signal).catch(() => null));
    if (!found) throw error;
    return found;
  }
}

export const explainColumn = (place: Place, column: number, signal?: AbortSignal) =>
  ask<Explained>('explain', { ...placeQuery(place), column, language: askedLanguage() }, signal);
export const hintAt = (place: Place, stage: number) =>
  ask<Hinted>('hint', { ...placeQuery(place), stage, language: askedLanguage() });
export const explore = (place: Place, signal?: AbortSignal) => ask<Explored>('explorer', placeQuery(place), signal);
export const opinionOf = (place: Place, agent: string, think: number, signal?: AbortSignal) =>
  ask<Opinion>('opinion', { ...placeQuery(place), agent, think, language: askedLanguage() }, signal);
export const valuesOf = (place: Place, signal?: AbortSignal) => ask<Values>('values', placeQuery(place), signal);
export const convert = (text: string, to: string, format: string | null) =>
  tell<Converted>('convert', { text, to, format });
export const write = ({ start, moves, size }: Place, to: string) =>
  tell<Converted>('convert', { text: moves, to, ...(start ? { start } : { format: 'moves', board: size }) });
export const whyNot = (place: Place, column: number, signal?: AbortSignal) =>
  ask<Refuted>('why-not', { ...placeQuery(place), column, language: askedLanguage() }, signal);
export const checkStones = (rows: string[], board: string, signal?: AbortSignal) =>
  tell<Checked>('position', { rows, board }, signal);
export const pictureAddress = (place: Place) => `/api/picture.svg?${new URLSearchParams(placeQuery(place))}`;

/** A question with a body whose answer may take long. */
async function streamedTell<T>(
  path: string,
  body: object,
  onprogress: (progress: ProgressLine) => void,
  signal: AbortSignal,
): Promise<T> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, stream: true }),
    signal,
  };
  return streamed<T>(await fetched(`/api/${path}`, init), onprogress);
}

export const streamedReview = <T>(
  body: ReviewWish,
  onprogress: (progress: ProgressLine) => void,
  signal: AbortSignal,
) => streamedTell<T>('review', { ...body, language: askedLanguage() }, onprogress, signal);

export const playMatch = (
  agents: [string, string],
  pairs: number,
  seed: number,
  onprogress: (progress: ProgressLine) => void,
  signal: AbortSignal,
) => streamedTell<Matched>('match', { agents, pairs, seed }, onprogress, signal);
