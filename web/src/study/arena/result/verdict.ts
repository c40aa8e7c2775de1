// What a result says about who is stronger, and how much of it may be chance. Everything is counted from the file.

import type { Pairing, Tournament } from '../files';

/** How far a lead can be trusted: by the exact test over openings, each of which was played with both colours. */
export type Trust = 'stronger' | 'looks' | 'ahead' | 'even';

export interface Duel {
  /** Numbers of the two, whoever leads first; of a tie the first entrant. */
  agents: [number, number];
  points: [number, number];
  /** Games of the one who leads: won, drawn, lost. */
  ends: [number, number, number];
  trust: Trust;
  /** In how many openings each did better, and how many there were; null where nobody played an opening twice. */
  openings: { better: number; worse: number; all: number } | null;
  /** The chance of a result at least as uneven between equals; null where it was not worked out. */
  p: number | null;
}

const SURE = 0.05;
const LEAST = 6; // decided openings: all six for one side are 1 of 32 between equals, all five 1 of 16
const LIKELY = 0.15; // ten games, all won, are five openings: 1 of 16

function trustOf(lead: number, p: number | null): Trust {
  if (lead === 0) return 'even';
  if (p === null || p >= LIKELY) return 'ahead';
  return p < SURE ? 'stronger' : 'looks';
}

/** The colour of an entrant in everything that is drawn about a result, by its place in the file. */
export const TONES = 5;
export const toneOf = (index: number): string => `tone-${index % TONES}`;

/** The same meeting in the order of the file: whoever stands on the left stays there, whoever leads. */
export function inOrder(duel: Duel): Pick<Duel, 'agents' | 'points' | 'ends'> {
  const { agents, points, ends } = duel;
  if (agents[0] < agents[1]) return { agents, points, ends };
  return { agents: [agents[1], agents[0]], points: [points[1], points[0]], ends: [ends[2], ends[1], ends[0]] };
}

/** A meeting of two, as the one who leads sees it. */
export function duelOf({ agents, wins, draws, losses, pairs, p }: Pairing): Duel {
  const isTurned = losses > wins;
  const [won, lost] = isTurned ? [losses, wins] : [wins, losses];
  const [a = 0, b = 0, even = 0, c = 0, d = 0] = pairs ?? [];
  const [better, worse] = isTurned ? [a + b, c + d] : [c + d, a + b];
  const all = better + even + worse;
  // People meet in other ways: what was not tested is not told.
  const tested = all > 0 ? (p ?? null) : null;
  return {
    agents: isTurned ? [agents[1], agents[0]] : agents,
    points: [won + draws / 2, lost + draws / 2],
    ends: [won, draws, lost],
    trust: trustOf(won - lost, tested),
    openings: all > 0 ? { better, worse, all } : null,
    p: tested,
  };
}

/** How many openings were decided, where those are too few to show anything, however they went. */
export function tooFew({ openings, p }: Duel): number | null {
  const decided = openings && p !== null ? openings.better + openings.worse : LEAST;
  return decided < LEAST ? decided : null;
}

/** Whether ratings say more than the test: of two, between whom it finds nothing, they would. */
export function hasRatings({ agents, pairings }: Tournament): boolean {
  const [only] = pairings;
  if (!agents.some(({ rating }) => rating)) return false;
  return agents.length > 2 || !only || duelOf(only).p === null || duelOf(only).trust === 'stronger';
}

/** Entrants by strength, the strongest first, with their numbers. */
export const ranked = ({ agents }: Tournament) =>
  agents
    .map((agent, index) => ({ agent, index }))
    .sort((a, b) => (b.agent.rating?.value ?? b.agent.score) - (a.agent.rating?.value ?? a.agent.score));

/** How the best one did against the next, where they met. */
export function topDuel(tournament: Tournament): Duel | null {
  const [first, second] = ranked(tournament);
  if (!first || !second) return null;
  const met = tournament.pairings.find(
    ({ agents }) => agents.includes(first.index) && agents.includes(second.index) && first.index !== second.index,
  );
  return met ? duelOf(met) : null;
}

/** A chance as people say it: 6 of 100, 2 of 1000, or less than that. */
export function oddsOf(p: number): { n: number; of: 100 | 1000 } | null {
  if (p < 0.001) return null;
  return p < 0.01 ? { n: Math.round(1000 * p), of: 1000 } : { n: Math.round(100 * p), of: 100 };
}
