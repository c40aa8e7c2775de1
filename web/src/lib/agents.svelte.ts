// The agents that may be chosen: ten levels, and what else the server offers.

import { agentList, type AgentOffer } from './api';

export const LEVELS = Array.from({ length: 10 }, (_, i) => `level:${i + 1}`);

/** Offered until the server has told its own list. */
const KNOWN = ['perfect', 'minimax', 'mcts', 'rules', 'random', 'first'];

class Agents {
  others = $state.raw<AgentOffer[]>(KNOWN.map((spec) => ({ spec, name: spec, about: '' })));
  private asked = false;

  /** Asks the server once; without an answer the known ones stay. */
  load(): void {
    if (this.asked) return;
    this.asked = true;
    agentList().then(
      ({ agents }) => (this.others = agents.filter(({ spec }) => !spec.startsWith('level'))),
      () => (this.asked = false),
    );
  }
}

export const agents = new Agents();
