// The agents that may be chosen: ten levels, and what else the server offers.

import { agentList, Refused, type AgentOffer } from './api';

const AGAIN = 5_000; // milliseconds

export const LEVELS = Array.from({ length: 10 }, (_, i) => `level:${i + 1}`);

/** Offered until the server has told its own list. */
const KNOWN = ['perfect', 'minimax', 'mcts', 'rules', 'random', 'first'];

class Agents {
  others = $state.raw<AgentOffer[]>(KNOWN.map((spec) => ({ spec, name: spec, about: '' })));
  /** There is no server: said where games are made. */
  isUnreachable = $state(false);
  private asked = false;

  /** Asks the server once; without an answer the known ones stay, and it is asked again until there is one. */
  load(): void {
    if (this.asked) return;
    this.asked = true;
    agentList().then(
      ({ agents }) => {
        this.others = agents.filter(({ spec }) => !spec.startsWith('level'));
        this.isUnreachable = false;
      },
      (error) => {
        this.asked = false;
        this.isUnreachable = error instanceof Refused && error.code === 'offline';
        setTimeout(() => this.load(), AGAIN);
      },
    );
  }
}

export const agents = new Agents();
