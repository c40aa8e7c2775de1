// What somebody has done at school, kept in the browser: the same JSON as `claimeven learn --json` prints. Anything
// unexpected in the storage is forgotten.

import { PASSED, UNITS } from '../contract';
import { load, save } from '../store';

export interface UnitProgress {
  tasks: string[];
  check: number;
  game: boolean;
}
export interface SchoolProgress {
  units: Record<string, UnitProgress>;
}

const KEY = 'school';
const NOTHING: UnitProgress = { tasks: [], check: 0, game: false };

export function readSchool(stored: unknown): SchoolProgress {
  const units: Record<string, UnitProgress> = {};
  const given = (stored as SchoolProgress | null)?.units ?? {};
  const isUnit = (name: string): boolean => UNITS.some((unit) => unit === name);
  // The unit that was touched last stands last.
  for (const name of Object.keys(given).filter(isUnit)) {
    const one = given[name] as Partial<UnitProgress> | undefined;
    if (!one || typeof one !== 'object') continue;
    const tasks = Array.isArray(one.tasks) ? one.tasks.filter((id) => typeof id === 'string').slice(0, 100) : [];
    const check = Number.isInteger(one.check) ? Math.max(0, Math.min(5, one.check as number)) : 0;
    units[name] = { tasks, check, game: one.game === true };
  }
  return { units };
}

class School {
  now = $state.raw<SchoolProgress>(readSchool(load(KEY)));

  constructor() {
    // Another tab has learnt something, too.
    addEventListener('storage', (event) => {
      if (event.key === `claimeven.${KEY}`) this.look();
    });
  }

  /** What is kept may have been brought from a file. */
  look(): void {
    this.now = readSchool(load(KEY));
  }

  of = (unit: string): UnitProgress => this.now.units[unit] ?? NOTHING;
  isPassed = (unit: string): boolean => this.of(unit).check >= PASSED;

  /** Nothing was done yet. */
  get isEmpty(): boolean {
    return !Object.values(this.now.units).some(({ tasks, check, game }) => tasks.length || check || game);
  }
  get passed(): number {
    return UNITS.filter(this.isPassed).length;
  }

  /** Where it was left: the unit that was touched last, or what follows it, unless all of that is passed. */
  get next(): string | undefined {
    const last = Object.keys(this.now.units).at(-1);
    const open = (name: string) => !this.isPassed(name);
    return (
      UNITS.slice(
        Math.max(
          0,
          UNITS.findIndex((name) => name === last),
        ),
      ).find(open) ?? UNITS.find(open)
    );
  }

  private keep(unit: string, change: (done: UnitProgress) => UnitProgress): void {
    const stored = readSchool(load(KEY)); // of other tabs, too
    const { [unit]: done = NOTHING, ...others } = { ...this.now.units, ...stored.units };
    this.now = { units: { ...others, [unit]: change(done) } };
    save(KEY, this.now);
  }

  noteTask(unit: string, id: string): void {
    this.keep(unit, (done) => ({ ...done, tasks: [...done.tasks.filter((other) => other !== id), id] }));
  }
  noteCheck(unit: string, right: number): void {
    this.keep(unit, (done) => ({ ...done, check: Math.max(done.check, right) }));
  }
  noteGame(unit: string): void {
    this.keep(unit, (done) => ({ ...done, game: true }));
  }
}

export const school = new School();
