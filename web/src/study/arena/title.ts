// Who plays in an arena: a level is a character, another agent has the name of its kind and what was chosen for it.

import { LEVELS } from '../../lib/contract';
import { t } from '../../i18n/index.svelte';
import { agentName, agentTitle } from '../../lib/words';
import { speaks } from '../../parts/Face.svelte';

/** `mcts:simulations=300` is "Monte Carlo" and "simulations 300"; a name that is no agent stays as it is. */
export function partsOf(spec: string): [string, string] {
  const level = LEVELS.findIndex((one) => one === spec) + 1;
  if (level) return [agentName(spec), t('agent.level', { level })];
  if (speaks(spec) || agentName(spec) !== spec) return [agentTitle(spec), ''];
  const [kind = '', chosen] = spec.split(/:(.*)/s, 2);
  const name = agentName(kind);
  if (name === kind) return [spec, ''];
  return [name, chosen?.replaceAll('=', ' ').replaceAll(',', ', ') ?? ''];
}

/** In one line: "Nia · Level 5", "Monte Carlo (simulations 300)". */
export function titleOf(spec: string): string {
  const [name, more] = partsOf(spec);
  if (!more) return name;
  return speaks(spec) ? `${name} · ${more}` : `${name} (${more})`;
}

/** In a sentence: a character by its name. */
export const calledOf = (spec: string): string => (speaks(spec) ? partsOf(spec)[0] : titleOf(spec));

/** Whether their names alone tell them apart. */
export const areDistinct = (specs: Iterable<string>): boolean => {
  const all = [...new Set(specs)];
  return new Set(all.map((spec) => partsOf(spec)[0])).size === all.length;
};
