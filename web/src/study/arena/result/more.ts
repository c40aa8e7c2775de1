// Where something lies beyond the edge of what scrolls, its edge says so: `data-more`.

import type { Attachment } from 'svelte/attachments';

export const moreBeyond: Attachment<HTMLElement> = (element) => {
  const look = () => {
    const right = element.scrollWidth - element.clientWidth - element.scrollLeft;
    const below = element.scrollHeight - element.clientHeight - element.scrollTop;
    element.toggleAttribute('data-more', Math.max(right, below) > 1);
  };
  const watch = new ResizeObserver(look);
  watch.observe(element);
  if (element.firstElementChild) watch.observe(element.firstElementChild);
  element.addEventListener('scroll', look, { passive: true });
  return () => {
    watch.disconnect();
    element.removeEventListener('scroll', look);
  };
};
