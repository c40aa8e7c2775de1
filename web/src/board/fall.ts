// A disc falls into its place: at most 300 ms, and not at all for those who asked for less motion.

const LONGEST = 300;

export const wantsLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Action: lets a disc fall from `distance` units above its place. */
export function fall(node: SVGElement, { distance, isNew }: { distance: number; isNew: boolean }): void {
  if (!isNew || wantsLessMotion()) return;
  const duration = Math.min(LONGEST, 140 + Math.sqrt(distance) * 6.5);
  const up = (units: number) => `translateY(${-units}px)`;
  node.animate(
    [
      { transform: up(distance), easing: 'cubic-bezier(0.5, 0, 0.9, 0.55)' },
      { transform: up(0), offset: 0.74, easing: 'ease-out' },
      { transform: up(Math.min(14, distance / 24)), offset: 0.87, easing: 'ease-in' },
      { transform: up(0) },
    ],
    { duration },
  );
}
