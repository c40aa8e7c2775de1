// The agents that may be chosen: ten levels, and what else the server offers.

import { isStatic } from '../offline/local.svelte';
import { agentList, Refused } from './api';
import { AGENTS, type AgentOffer, type AgentOption } from './contract';

const AGAIN = 5_000; // milliseconds

class Agents {
  /** Until the server has told its own list, those that every server offers. */
  others = $state.raw<AgentOffer[]>(AGENTS.map((spec) => ({ spec, name: spec, about: '', rating: null })));
  /** What can be set, by kind of agent. */
  kinds = $state.raw<Record<string, AgentOption[]>>({});
  /** There is no server: said where games are made. */
  isUnreachable = $state(false);
  /** Where other machines of the network find this server. */
  lan = $state<string | null>(null);
  private asked = false;

  /** Asks the server once; without an answer the known ones stay, and it is asked again until there is one. */
  load(): void {
    if (this.asked || isStatic) return;
    this.asked = true;
    agentList().then(
      ({ agents, kinds, lan }) => {
        this.kinds = kinds;
        this.lan = lan;
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

const kindOf = (spec: string): string => spec.split(':', 1)[0] ?? spec;

/** The agents but the levels: those with a name of their own, then the variants of each kind. */
export function agentGroups(): { kind: string | null; specs: string[] }[] {
  const specs = agents.others.map(({ spec }) => spec);
  const isVariant = (spec: string) => spec.includes(':') && kindOf(spec) in agents.kinds;
  const kinds = [...new Set(specs.filter(isVariant).map(kindOf))];
  return [
    { kind: null, specs: specs.filter((spec) => !isVariant(spec)) },
    ...kinds.map((kind) => ({ kind, specs: specs.filter((spec) => isVariant(spec) && kindOf(spec) === kind) })),
  ];
}

type Value = AgentOption['default'];

/** The options of a spec that can be set, with their values. */
export function optionsOf(spec: string): { option: AgentOption; value: Value }[] {
  const given = new Map<string, string>();
  for (const item of spec.slice(kindOf(spec).length + 1).split(',')) {
    const [name = '', value = 'yes'] = item.split('=', 2);
    given.set(name, value);
  }
  return (agents.kinds[kindOf(spec)] ?? []).map((option) => {
    const text = given.get(option.name);
    if (text === undefined) return { option, value: option.default };
    if (option.type === 'switch') return { option, value: text === 'yes' };
    return { option, value: option.type === 'word' ? text : Number(text) };
  });
}

/** The spec with one option changed. */
export function withOption(spec: string, name: string, value: Value): string {
  const items = optionsOf(spec).flatMap(({ option, value: old }) => {
    const now = option.name === name ? value : old;
    if (now === option.default || now === null) return [];
    return [now === true ? option.name : `${option.name}=${now === false ? 'no' : now}`];
  });
  return [kindOf(spec), items.join(',')].filter(Boolean).join(':');
}
