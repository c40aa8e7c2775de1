// What somebody has solved and failed, kept in the browser. Anything unexpected in the storage is forgotten.

import { load, save } from '../../lib/store';

interface Kept {
  solved: string[];
  failed: string[];
  streak: number;
  best: number;
  daily: string; // the last day whose puzzle was solved
  lessons: string[];
}

const MOST = 5000;
const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string').slice(-MOST) : [];
const count = (value: unknown): number => (Number.isInteger(value) && (value as number) >= 0 ? (value as number) : 0);

function read(): Kept {
  const stored = (load('puzzles') ?? {}) as Record<string, unknown>;
  return {
    solved: list(stored.solved),
    failed: list(stored.failed),
    streak: count(stored.streak),
    best: count(stored.best),
    daily: typeof stored.daily === 'string' ? stored.daily : '',
    lessons: list(stored.lessons),
  };
}

class Progress {
  now = $state.raw<Kept>(read());

  private keep(next: Partial<Kept>): void {
    this.now = { ...this.now, ...next };
    save('puzzles', this.now);
  }

  /** A puzzle is over: solved at once, or not. */
  note(id: string, isClean: boolean): void {
    const without = (ids: string[]) => ids.filter((other) => other !== id);
    const { solved, failed, streak, best } = this.now;
    if (isClean) {
      this.keep({
        solved: [...without(solved), id],
        failed: without(failed),
        streak: streak + 1,
        best: Math.max(best, streak + 1),
      });
    } else this.keep({ failed: [...without(failed), id], streak: 0 });
  }

  noteDaily(day: string): void {
    this.keep({ daily: day });
  }

  noteLesson(name: string): void {
    if (!this.now.lessons.includes(name)) this.keep({ lessons: [...this.now.lessons, name] });
  }
}

export const progress = new Progress();
