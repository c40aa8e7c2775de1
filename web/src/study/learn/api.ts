// A step of a lesson as the server tells it.

import type { Side } from '../../lib/contract';
import type { BoardState, PlanShape, Threat } from '../api';

export interface Step {
  kind: 'show' | 'find' | 'who' | 'plan';
  state: BoardState;
  threats: Threat[];
  plan: PlanShape | null;
  side: Side;
}
