// What does not fit on a wall is shown page by page: whole rows, the next ones after some seconds, the first again
// at the end. Who has a keyboard or a wheel scrolls.

import type { Attachment } from 'svelte/attachments';

const PAUSE = 7_000; // milliseconds: time to read a page from the last row of a hall
const LOOK = 1_000; // between two looks whether all of it fits

export interface Row {
  top: number;
  bottom: number;
}

/** Where the next page begins, of rows that lie one below the other: at the first that is not whole in sight. Null on
 * the last page. */
export function nextPage(rows: readonly Row[], top: number, height: number): number | null {
  const next = rows.find(({ bottom }) => bottom > top + height + 1);
  if (!next) return null;
  return next.top > top ? next.top : next.bottom; // a row that is higher than the page is passed
}

/** `rows`: which elements are not to be cut. A head of a table stays. */
export function pageByPage(rows: string): Attachment<HTMLElement> {
  return (element) => {
    let since = 0;
    const look = () => {
      const head = element.querySelector('thead')?.getBoundingClientRect().height ?? 0;
      const zero = element.getBoundingClientRect().top - element.scrollTop;
      const found = [...element.querySelectorAll(rows)].map((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return { top: top - zero - head, bottom: bottom - zero - head };
      });
      const next = nextPage(found, element.scrollTop, element.clientHeight - head);
      element.toggleAttribute('data-more', next !== null);
      since += LOOK;
      if (since < PAUSE) return;
      since = 0;
      element.scrollTop = next ?? 0;
    };
    look();
    const timer = setInterval(look, LOOK);
    return () => clearInterval(timer);
  };
}
