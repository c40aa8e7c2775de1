// Who plays in an arena: a level is a character, another agent has the name of its kind and what was chosen for it.

import { agentName, agentTitle } from '../../lib/words';
import { hasFace } from '../../parts/Face.svelte';

/** `mcts:simulations=300` is "Monte Carlo (simulations 300)"; a name that is no agent stays as it is. */
export function titleOf(spec: string): string {
  if (hasFace(spec) || agentName(spec) !== spec) return agentTitle(spec);
  const [kind = '', chosen] = spec.split(/:(.*)/s, 2);
  const name = agentName(kind);
  if (name === kind) return spec;
  return chosen ? `${name} (${chosen.replaceAll('=', ' ').replaceAll(',', ', ')})` : name;
}
