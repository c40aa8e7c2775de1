// The signs that players may send each other.

import type { ReactionKind } from '../../lib/contract';

export const REACTIONS: readonly (readonly [ReactionKind, string])[] = [
  ['nice', '👏'],
  ['wow', '😮'],
  ['haha', '😄'],
  ['oops', '🙈'],
  ['thanks', '🤝'],
];

export const signOf = (kind: ReactionKind): string => REACTIONS.find(([what]) => what === kind)?.[1] ?? '';
