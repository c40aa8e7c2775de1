// What a person chose, kept in the browser. Anything unexpected in the storage falls back to the default.

import { LANGUAGES, ownLanguage, speak, type Language } from '../i18n/index.svelte';
import type { Geometry } from './protocol';
import { load, save } from './store';

export type Mode = 'machine' | 'friend' | 'screen' | 'watch';
export type Starts = 'me' | 'other' | 'random';
export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type LanguageChoice = 'auto' | Language;

const DEFAULTS = {
  mode: 'machine' as Mode,
  agent: 'level:3',
  watchFirst: 'level:5',
  watchSecond: 'mcts',
  starts: 'me' as Starts,
  columns: 7,
  rows: 6,
  connect: 4,
  clock: false,
  minutes: 3,
  increment: 2,
  think: 1000,
  name: '',
  theme: 'system' as Theme,
  language: 'auto' as LanguageChoice,
  expert: false, // numbers beside the words
  letterKeys: true,
  sound: false,
};

export type Settings = typeof DEFAULTS;

const CHOICES: { [K in keyof Settings]?: readonly Settings[K][] } = {
  mode: ['machine', 'friend', 'screen', 'watch'],
  starts: ['me', 'other', 'random'],
  theme: ['system', 'light', 'dark', 'contrast'],
  language: ['auto', ...LANGUAGES],
};

export const LIMITS = {
  columns: [1, 35],
  rows: [1, 20],
  connect: [1, 20],
  minutes: [0.25, 180],
  increment: [0, 120],
  think: [50, 60_000],
} as const;

function read(): Settings {
  const stored = (load('settings') ?? {}) as Record<string, unknown>;
  const settings: Record<string, unknown> = { ...DEFAULTS };
  for (const [key, fallback] of Object.entries(DEFAULTS)) {
    const value = stored[key];
    const choices = CHOICES[key as keyof Settings] as readonly unknown[] | undefined;
    if (typeof value === typeof fallback && (!choices || choices.includes(value))) settings[key] = value;
  }
  for (const [key, [low, high]] of Object.entries(LIMITS)) {
    const value = settings[key] as number;
    if (!(value >= low && value <= high)) settings[key] = DEFAULTS[key as keyof Settings];
  }
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
});

/** The language to speak: the chosen one, or the first of the browser's that there is. */
export const spoken = (): Language => (settings.language === 'auto' ? ownLanguage() : settings.language);

export const boardText = (board: Geometry): string => `${board.columns}x${board.rows}x${board.connect}`;

export const isStandard = (board: Geometry): boolean => boardText(board) === '7x6x4';
