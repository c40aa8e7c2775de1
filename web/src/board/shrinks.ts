// A board that stays in sight on a phone while the words below it are read: it gives way to them, down to a size that
// can still be read. It is scaled, so nothing else moves.

const LEAST = 0.6;

export function shrinks(node: HTMLElement): { destroy: () => void } {
  // On its side a phone shows the words beside the board.
  const upright = matchMedia('(min-height: 32.01rem)');
  let top = 0; // where it lies when it does not stick
  let frame = 0;

  function measure(): void {
    node.style.position = 'static';
    top = node.getBoundingClientRect().top + scrollY;
    node.style.position = '';
    follow();
  }
  function follow(): void {
    frame = 0;
    const sticks = upright.matches && getComputedStyle(node).position === 'sticky';
    const past = sticks ? scrollY - top : 0;
    const share = Math.max(LEAST, Math.min(1, 1 - past / node.offsetHeight));
    node.style.scale = share < 1 ? share.toFixed(3) : '';
    node.style.setProperty('--share', share.toFixed(3)); // for what keeps its size beside it
    node.classList.toggle('stuck', past > 0);
    node.classList.toggle('shrunk', share < 0.85);
  }
  const scrolled = () => (frame ||= requestAnimationFrame(follow));

  // What lies above may grow, a window may turn.
  const sizes = new ResizeObserver(measure);
  sizes.observe(document.body);
  addEventListener('scroll', scrolled, { passive: true });
  return {
    destroy: () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      removeEventListener('scroll', scrolled);
    },
  };
}
