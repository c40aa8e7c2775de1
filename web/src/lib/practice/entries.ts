// What somebody did, as a list of small facts that only grows. Everything shown follows from it (record.ts), so two
// lists are merged by putting them together: nothing is lost, in whatever order that happens, however often.

import { ENTRIES, MOST_ENTRIES, type Entry } from '../contract';

interface Rule {
  type?: string;
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  items?: Rule;
}

/** As the rules of contract.ts say it, in those words of JSON Schema that they use. */
function fits(value: unknown, rule: Rule): boolean {
  if (rule.enum) return rule.enum.includes(value);
  if (rule.type === 'string') {
    if (typeof value !== 'string' || (rule.pattern && !new RegExp(rule.pattern).test(value))) return false;
    return value.length >= (rule.minLength ?? 0) && value.length <= (rule.maxLength ?? Infinity);
  }
  if (rule.type === 'array') {
    const { items = {}, minItems = 0 } = rule;
    return Array.isArray(value) && value.length >= minItems && value.every((one) => fits(one, items));
  }
  if (rule.type !== 'integer' || !Number.isInteger(value)) return false;
  return (value as number) >= (rule.minimum ?? -Infinity) && (value as number) <= (rule.maximum ?? Infinity);
}

/** Whether this is an entry: storage and files may hold anything. */
export function isEntry(value: unknown): value is Entry {
  if (!value || typeof value !== 'object') return false;
  const raw = value as Record<string, unknown>;
  if (!Object.hasOwn(ENTRIES, String(raw.kind))) return false;
  const rules: Record<string, Rule> = ENTRIES[raw.kind as Entry['kind']];
  return Object.entries(rules).every(([name, rule]) => fits(raw[name], rule));
}

const before = (one: Entry, two: Entry): number => one.at - two.at || (one.id < two.id ? -1 : one.id > two.id ? 1 : 0);

/** All entries of all lists, each once, in the order of time. */
export function merged(...lists: (readonly unknown[])[]): Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of lists.flat()) if (isEntry(entry) && !all.has(entry.id)) all.set(entry.id, entry);
  return [...all.values()].sort(before).slice(-MOST_ENTRIES);
}
