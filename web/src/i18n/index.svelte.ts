// Every text of the page comes from a catalogue: t('key', { n: 3 }). A text that counts is an object with a form per
// plural category of the language, chosen by the parameter `n`. A `column` is a number and gets its name here.

import { LANGUAGES, type Language, type Spoken } from '../lib/contract';
import { columnName } from '../lib/game/discs';
import en from './en.json';

export const NAMES: Record<Language, string> = { en: 'English', fr: 'Français', pl: 'Polski', vi: 'Tiếng Việt' };

export type Key = keyof typeof en;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<string, string | Forms>;
export type Params = Record<string, string | number>;

// English is always there; the others come when they are asked for.
const LOAD: Record<Language, () => Promise<Catalogue>> = {
  en: async () => en,
  fr: async () => (await import('./fr.json')).default,
  pl: async () => (await import('./pl.json')).default,
  vi: async () => (await import('./vi.json')).default,
};

let now = $state.raw({ language: 'en' as Language, catalogue: en as Catalogue });
let wanted: Language = 'en';

/** The language that is being spoken. */
export const language = (): Language => now.language;

/** A language as the server is asked for it: columns are to be named as the page does. */
export const forPage = (spoken: Language): Spoken => `${spoken}-x-page`;

/** Speak another language as soon as its texts are here; without them the old one stays. */
export async function speak(next: Language): Promise<void> {
  wanted = next;
  const catalogue = await LOAD[next]();
  if (wanted !== next) return;
  now = { language: next, catalogue };
  document.documentElement.lang = next;
}

/** The first language of the browser that there is. */
export function ownLanguage(): Language {
  const own = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return LANGUAGES.find((known) => known === own.find((tag) => LANGUAGES.some((one) => one === tag))) ?? 'en';
}

export function t(key: Key, params: Params = {}): string {
  return textOf(now.catalogue[key] ?? en[key], now.language, params);
}

/** A text of any catalogue with its parameters. */
export function textOf(entry: string | Forms, spoken: Language, params: Params): string {
  const text = typeof entry === 'string' ? entry : formOf(entry, spoken, Number(params.n));
  return text.replace(/\{(\w+)\}/g, (whole, name) =>
    name in params ? written(name, params[name] ?? '', spoken) : whole,
  );
}

/** Made once for each language: a board is a hundred numbers, and to make one takes longer than all of them. */
const once = <T>(make: (spoken: Language) => T): ((spoken: Language) => T) => {
  const made = new Map<Language, T>();
  return (spoken) => made.get(spoken) ?? made.set(spoken, make(spoken)).get(spoken)!;
};
const numbers = once((spoken) => new Intl.NumberFormat(spoken, { useGrouping: false }));
const plurals = once((spoken) => new Intl.PluralRules(spoken));

/** Columns by their letters, other numbers as the language writes them: 0.5 is 0,5 in French. */
function written(name: string, value: string | number, spoken: Language): string {
  if (typeof value === 'string') return value;
  return name === 'column' ? columnName(value) : numbers(spoken).format(value);
}

function formOf(forms: Forms, spoken: Language, n: number): string {
  return forms[plurals(spoken).select(n)] ?? forms.other ?? '';
}

/** A text whose key is only known at run time, for example an error code; `fallback` when there is none. */
export function tMaybe(key: string, fallback: string, params: Params = {}): string {
  return key in en ? t(key as Key, params) : fallback;
}
