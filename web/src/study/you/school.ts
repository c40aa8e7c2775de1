// The progress at school of a file: put together with what is here, unit by unit, the better of both.

import { load, save } from '../../lib/store';

interface Unit {
  tasks: string[];
  check: number;
  game: boolean;
}
const unitsOf = (value: unknown): Record<string, Partial<Unit>> => {
  const units = (value as { units?: unknown } | null)?.units;
  return units && typeof units === 'object' ? (units as Record<string, Partial<Unit>>) : {};
};
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
const countOf = (value: unknown): number => (Number.isInteger(value) ? (value as number) : 0);

export function bringSchool(brought: unknown): void {
  const [here, there] = [unitsOf(load('school')), unitsOf(brought)];
  const units: Record<string, Unit> = {};
  for (const name of new Set([...Object.keys(here), ...Object.keys(there)])) {
    const [one, two] = [here[name] ?? {}, there[name] ?? {}];
    units[name] = {
      tasks: [...new Set([...listOf(one.tasks), ...listOf(two.tasks)])],
      check: Math.max(countOf(one.check), countOf(two.check)),
      game: one.game === true || two.game === true,
    };
  }
  if (Object.keys(units).length) save('school', { units });
}
