// What is said: one polite live region, one assertive for the end of a game and a low clock, and a short visible
// notice for what went wrong.

import { unmarked } from './light.svelte';

export interface Notice {
  text: string;
  kind: 'info' | 'problem';
}

class Announcer {
  polite = $state('');
  assertive = $state('');
  notice = $state.raw<Notice | null>(null);
  private hideNotice: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.polite = renewed(this.polite, unmarked(text));
  }

  alert(text: string): void {
    this.assertive = renewed(this.assertive, text);
  }

  /** Shown for a while and read out. */
  show(text: string, kind: Notice['kind'] = 'info'): void {
    this.say(text);
    this.notice = { text, kind };
    clearTimeout(this.hideNotice);
    this.hideNotice = setTimeout(() => (this.notice = null), kind === 'problem' ? 8_000 : 4_000);
  }

  dismiss(): void {
    this.notice = null;
  }
}

/** An unchanged text would not be read again: a no-break space makes it new. */
function renewed(before: string, text: string): string {
  return before === text ? `${text}\u00a0` : text;
}

export const announcer = new Announcer();
