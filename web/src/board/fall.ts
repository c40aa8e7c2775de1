// Discs fall one after another: each begins when the one before has landed. At most 300 ms each, and not at all for
// those who asked for less motion.

import { settings } from '../lib/settings.svelte';

const LONGEST = 300;
const CROWD = 2; // falls that wait behind one that falls: somebody is in a hurry

export const wantsLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The falls of one board, in order. */
export class Falls {
  private last = Promise.resolve();
  private waiting = 0;
  private running: Animation | null = null;
  /** When the last disc landed, in milliseconds of this page. */
  landedAt = -Infinity;

  /** Nothing moves any more. Who waits sees also what was added meanwhile. */
  async settled(): Promise<void> {
    for (let seen: Promise<void> | null = null; seen !== this.last;) await (seen = this.last);
  }

  add(node: SVGElement, distance: number): Promise<void> {
    const duration = wantsLessMotion() || settings.pace === 'instant' ? 0 : durationOf(distance);
    node.style.visibility = 'hidden'; // until its turn comes
    this.waiting += 1;
    if (this.waiting > CROWD) this.running?.finish();
    this.last = this.last.then(async () => {
      node.style.visibility = '';
      if (duration && node.isConnected && this.waiting <= CROWD) {
        this.running = animated(node, distance, duration);
        await this.running.finished.catch(() => {}); // taken away while it fell
        this.running = null;
      }
      this.waiting -= 1;
      this.landedAt = performance.now();
    });
    return this.last;
  }
}

const durationOf = (distance: number): number =>
  Math.min(LONGEST, 140 + Math.sqrt(distance) * 6.5) * (settings.pace === 'quick' ? 0.6 : 1);

function animated(node: SVGElement, distance: number, duration: number): Animation {
  const up = (units: number) => `translateY(${-units}px)`;
  return node.animate(
    [
      { transform: up(distance), easing: 'cubic-bezier(0.5, 0, 0.9, 0.55)' },
      { transform: up(0), offset: 0.74, easing: 'ease-out' },
      { transform: up(Math.min(14, distance / 24)), offset: 0.87, easing: 'ease-in' },
      { transform: up(0) },
    ],
    { duration },
  );
}
