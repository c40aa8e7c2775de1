// The files of `claimeven arena --out` and of `claimeven train`, read in the browser. They may be anything: what does not
// fit is refused with a code that has words.

import type {
  AgentResult,
  Measured,
  PairingResult,
  Part,
  Point,
  Quality,
  Settings,
  TournamentResult,
} from '../../lib/contract';

export type Entrant = Pick<AgentResult, 'name' | 'wins' | 'draws' | 'losses' | 'score' | 'interval'> & {
  rating: Measured | null;
  keeping: number | null; // share of decisive moves that kept the outcome
  isReliable: boolean;
};
export type Pairing = Pick<PairingResult, 'agents' | 'wins' | 'draws' | 'losses' | 'score'> & {
  /** Openings by the points that the first of the two made there, from none to two wins. */
  pairs?: number[] | null;
  /** The chance of a result as uneven between equals, corrected for all that were compared. */
  p?: number | null;
};

export interface Tournament {
  agents: Entrant[];
  pairings: Pairing[];
  games: number;
  board: string;
}

export interface Played {
  board: string;
  start: string;
  moves: string;
  names: [string, string];
  score: string;
  reason: string;
}

export type CurvePoint = Pick<Point, 'games' | 'scores'> & { kept: Measured | null };

export interface Curve {
  name: string;
  board: string;
  points: CurvePoint[];
}

export class NotReadable extends Error {}

/** What a file may say where a value should be: the names are ours, the rest is to be looked at. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Unread<T> = { [Name in keyof T]?: any };
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = Record<string, any>;

const finite = (value: unknown): number => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new NotReadable();
  return value;
};
const text = (value: unknown): string => {
  if (typeof value !== 'string') throw new NotReadable();
  return value.slice(0, 300);
};
const range = (value: unknown): [number, number] => {
  if (!Array.isArray(value)) throw new NotReadable();
  return [finite(value[0]), finite(value[1])];
};
const measured = (value: Unread<Measured> | null | undefined): Measured | null =>
  value ? { value: finite(value.value), interval: range(value.interval) } : null;

const shareOf = (part: Unread<Part> | undefined): number | null =>
  typeof part?.share === 'number' ? part.share : null;

export function readTournament(data: Unread<TournamentResult>): Tournament {
  if (data.format !== 'claimeven-tournament' || !Array.isArray(data.agents) || !Array.isArray(data.pairings)) {
    throw new NotReadable();
  }
  const agents = data.agents.map((agent: Unread<AgentResult>): Entrant => ({
    name: text(agent.name),
    wins: finite(agent.wins),
    draws: finite(agent.draws),
    losses: finite(agent.losses),
    score: finite(agent.score),
    interval: range(agent.interval),
    rating: measured(agent.rating),
    keeping: shareOf((agent.quality as Unread<Quality> | null)?.keeping),
    isReliable: agent.is_reliable !== false,
  }));
  const pairings = data.pairings.map((pairing: Unread<PairingResult>): Pairing => {
    const [one, two] = range(pairing.agents);
    if (!agents[one] || !agents[two]) throw new NotReadable();
    return {
      agents: [one, two],
      wins: finite(pairing.wins),
      draws: finite(pairing.draws),
      losses: finite(pairing.losses),
      score: finite(pairing.score),
      pairs: Array.isArray(pairing.pairs) ? pairing.pairs.map(finite) : null,
      p: typeof pairing.p_holm === 'number' ? pairing.p_holm : null,
    };
  });
  return {
    agents,
    pairings,
    games: finite(data.games),
    board: text((data.plan as Unread<Settings> | undefined)?.board),
  };
}

export function readGames(lines: string): Played[] {
  return lines
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const game = parse(line);
      if (game.format !== 'c4game' || !Array.isArray(game.players)) throw new NotReadable();
      return {
        board: text(game.board),
        start: text(game.start ?? ''),
        moves: text(game.moves),
        names: [text(game.players[0]?.name), text(game.players[1]?.name)],
        score: text(game.result?.score ?? '*'),
        reason: text(game.result?.reason ?? ''),
      };
    });
}

/** Which share of the points everybody had after each of their own games. */
export function runningShares(games: Played[]): { name: string; shares: number[] }[] {
  const found = new Map<string, { points: number; shares: number[] }>();
  for (const { names, score } of games) {
    const won = { '1-0': 1, '0-1': 0, '1/2-1/2': 0.5 }[score];
    if (won === undefined) continue; // not finished
    names.forEach((name, side) => {
      const own = found.get(name) ?? { points: 0, shares: [] };
      own.points += side === 0 ? won : 1 - won;
      own.shares.push(own.points / (own.shares.length + 1));
      found.set(name, own);
    });
  }
  return [...found].map(([name, { shares }]) => ({ name, shares }));
}

export function readCurve(name: string, data: Loose): Curve {
  if (!Array.isArray(data.curve)) throw new NotReadable();
  const points = data.curve.map((point: Unread<Point>): CurvePoint => ({
    games: finite(point.games),
    kept: measured(point.kept),
    scores: Object.fromEntries(
      Object.entries((point.scores ?? {}) as Loose).flatMap(([opponent, value]) => {
        const found = measured(value);
        return found ? [[opponent, found]] : [];
      }),
    ),
  }));
  return { name, board: text(data.board), points };
}

export function parse(written: string): Loose {
  try {
    const value: unknown = JSON.parse(written);
    if (value && typeof value === 'object') return value as Loose;
  } catch {
    // told below
  }
  throw new NotReadable();
}
