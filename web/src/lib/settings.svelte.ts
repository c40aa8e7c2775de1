// What a person chose, kept in the browser. Anything unexpected in the storage falls back to the default.

import { ownLanguage, speak } from '../i18n/index.svelte';
import { isBoard, mostColumns, mostRows } from './bounds';
import { BOUNDS, LANGUAGES, STANDARD, type BoardShape, type Language } from './contract';
import { load, save } from './store';

export type Mode = 'machine' | 'friend' | 'screen' | 'watch';
export type Starts = 'me' | 'other' | 'random';
export type Theme = 'system' | 'light' | 'dark' | 'contrast';
/** How long a reply lets one breathe, and how discs fall. */
export type Pace = 'calm' | 'quick' | 'instant';
/** How long each disc is looked at where agents play each other. */
export type WatchPace = 'slow' | 'calm' | 'quick';
export type BoardTheme = 'blue' | 'wood' | 'slate' | 'forest';
/** Pairs of a red and a yellow, for words call them so. */
export type DiscTheme = 'classic' | 'berry' | 'ember';
export type LanguageChoice = 'auto' | Language;

/** An average person is level 5, a beginner level 3 (docs/people.md): the first opponent can be beaten. */
export const START_LEVEL = 'level:3';

const DEFAULTS = {
  mode: 'machine' as Mode,
  agent: START_LEVEL as string,
  adapts: false, // the opponent is the level that fits (game/chameleon.ts)
  watchFirst: 'level:5',
  watchSecond: 'mcts',
  starts: 'me' as Starts,
  columns: 7,
  rows: 6,
  connect: 4,
  pie: false, // the second player may take the first disc
  clock: false,
  minutes: 3,
  increment: 2,
  think: 1000,
  name: '',
  theme: 'system' as Theme,
  language: 'auto' as LanguageChoice,
  expert: false, // numbers beside the words
  letterKeys: true,
  cards: true, // missed puzzles and moments of own games come back
  board: 'blue' as BoardTheme,
  discs: 'classic' as DiscTheme,
  speaker: true,
  haptics: true,
  pace: 'calm' as Pace,
  watchPace: 'calm' as WatchPace,
  talk: true, // opponents say something now and then
  reactions: true, // those of others are shown
};

export type Settings = typeof DEFAULTS;

const CHOICES: { [K in keyof Settings]?: readonly Settings[K][] } = {
  mode: ['machine', 'friend', 'screen', 'watch'],
  starts: ['me', 'other', 'random'],
  theme: ['system', 'light', 'dark', 'contrast'],
  language: ['auto', ...LANGUAGES],
  board: ['blue', 'wood', 'slate', 'forest'],
  discs: ['classic', 'berry', 'ember'],
  pace: ['calm', 'quick', 'instant'],
  watchPace: ['slow', 'calm', 'quick'],
};

const TIMES = {
  minutes: [BOUNDS.initial[0] / 60_000, BOUNDS.initial[1] / 60_000],
  increment: [BOUNDS.increment[0] / 1000, BOUNDS.increment[1] / 1000],
  think: BOUNDS.think,
} as const;

export type Part = keyof BoardShape | keyof typeof TIMES;

/** How far a number of the settings may go; on a wide board there is room for fewer rows. */
export function limitsOf(part: Part, { columns, rows }: BoardShape): readonly [number, number] {
  if (part === 'columns') return [BOUNDS.columns[0], mostColumns(rows)];
  if (part === 'rows') return [1, mostRows(columns)];
  if (part === 'connect') return [1, Math.max(columns, rows)];
  return TIMES[part];
}

function read(): Settings {
  const stored = (load('settings') ?? {}) as Record<string, unknown>;
  const settings: Record<string, unknown> = { ...DEFAULTS };
  for (const [key, fallback] of Object.entries(DEFAULTS)) {
    const value = stored[key];
    const choices = CHOICES[key as keyof Settings] as readonly unknown[] | undefined;
    if (typeof value === typeof fallback && (!choices || choices.includes(value))) settings[key] = value;
  }
  for (const [key, [low, high]] of Object.entries(TIMES)) {
    const value = settings[key] as number;
    if (!(value >= low && value <= high)) settings[key] = DEFAULTS[key as keyof Settings];
  }
  const { columns, rows, connect } = DEFAULTS;
  if (!isBoard(settings as Settings)) Object.assign(settings, { columns, rows, connect });
  return settings as Settings;
}

export const settings: Settings = $state(read());

$effect.root(() => {
  $effect(() => save('settings', $state.snapshot(settings)));
  $effect(() => void speak(spoken()));
  $effect(() => {
    if (settings.theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
  });
  $effect(() => void (document.documentElement.dataset.board = settings.board));
  $effect(() => void (document.documentElement.dataset.discs = settings.discs));
});

/** The language to speak: the chosen one, or the first of the browser's that there is. */
export const spoken = (): Language => (settings.language === 'auto' ? ownLanguage() : settings.language);

export const boardText = (board: BoardShape): string => `${board.columns}x${board.rows}x${board.connect}`;

export const isStandard = (board: BoardShape): boolean => boardText(board) === STANDARD;
