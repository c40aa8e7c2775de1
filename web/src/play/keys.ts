// The keyboard everywhere on the play page. Buttons and fields keep their own keys.

import { columnOfKey } from '../lib/game/discs';
import type { Room } from '../lib/game/room.svelte';

interface Deeds {
  room: Room | null;
  drop: (column: number) => void;
  playAgain: () => void;
  step: (by: number) => void;
  sayLast: () => void;
  sayClocks: () => void;
  /** Single-letter keys can be switched off (WCAG 2.1.4). */
  hasLetters: () => boolean;
}

const FIELDS = 'input, select, textarea, dialog';

export function gameKeys({ room, drop, playAgain, step, sayLast, sayClocks, hasLetters }: Deeds) {
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
    const target = event.target as Element;
    if (target.closest(FIELDS)) return;
    const isFree = !target.closest('button, a, summary, [role=gridcell], [role=region]');
    if (isFree && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) step(event.key === 'ArrowLeft' ? -1 : 1);
    else if (isFree && (event.key === 'Enter' || event.key === ' ')) {
      if (room?.state?.status !== 'over') return;
      playAgain();
    } else if (!hasLetters()) return;
    else if (columnOfKey(event.key)) drop(columnOfKey(event.key));
    else {
      const key = event.key.toLowerCase();
      if (key === 'u' && room?.canUndo) room.undo();
      else if (key === 's' && room?.canSwap) room.swap();
      else if (key === 'r' && room?.canRedo) room.redo();
      else if (key === 'h' && room?.canHint) room.askHint();
      else if (key === 'l' && room) sayLast();
      else if (key === 't' && room) sayClocks();
      else return;
    }
    event.preventDefault();
  };
}
