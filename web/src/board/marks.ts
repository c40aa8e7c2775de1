// Every mark that a board can wear and the one thing it means, on all pages. Shapes differ, not only colours: whoever
// sees no colours tells them apart, too. Paths lie around the middle of a cell that is 100 wide.

/** How it is drawn: along its path, or filled. */
type Pen = 'line' | 'shape';

interface Mark {
  readonly d: string;
  /** A colour of the theme. */
  readonly tone: string;
  readonly pen: Pen;
}

const ring = (r: number): string => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

export const MARKS = {
  /** The disc that was dropped last. */
  last: { d: ring(43.5), tone: '--mark', pen: 'line' },
  /** A disc should be dropped here. */
  play: { d: 'M0-27V20M-22 0 0 23 22 0', tone: '--hint-mark', pen: 'line' },
  /** What the words beside the board speak of. */
  meant: {
    d: 'M-43-21V-36Q-43-43-36-43H-21M21-43H36Q43-43 43-36V-21M43 21V36Q43 43 36 43H21M-21 43H-36Q-43 43-43 36V21',
    tone: '--lit',
    pen: 'line',
  },
  /** Four in a row, from one end to the other. */
  four: { d: 'M-44 0H44', tone: '--mark', pen: 'line' },
  /** Winning cells, by their row. */
  odd: { d: 'M0-33 33 0 0 33-33 0Z', tone: '--disc-1-rim', pen: 'shape' },
  even: { d: 'M-25-25h50v50h-50Z', tone: '--disc-1-rim', pen: 'shape' },
  /** Two cells of a plan: when the lower one is taken, the upper one answers. */
  pair: { d: 'M-26-14a26 30 0 0 1 52 0V14a26 30 0 0 1-52 0Z', tone: '--plan', pen: 'line' },
  /** The cell that decides in the end. */
  key: {
    d: 'M0-31l8.500 20.500 22 1.700-16.800 14.300 5.200 21.500L0 15.400l-18.900 11.600 5.200-21.500L-30.500-8.800l22-1.700z',
    tone: '--plan',
    pen: 'shape',
  },
} as const satisfies Record<string, Mark>;

export type MarkName = keyof typeof MARKS;
/** What a game shows; the rest belongs to the pages that teach. */
export const IN_GAMES: readonly MarkName[] = ['last', 'play', 'meant', 'four'];
export const NAMES = Object.keys(MARKS) as MarkName[];
