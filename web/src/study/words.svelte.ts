// The texts of the pages that teach: s('key', { n: 3 }). They come with those pages, in the language being spoken.
// What is told of an error lies beside the errors, in the Python package.

import { language, forPage, textOf, type Catalogue, type Params } from '../i18n/index.svelte';
import type { Language, Spoken } from '../lib/contract';
import toldEn from '../../../src/claimeven/catalogue/told/en.json';
import studyEn from './i18n/en.json';

const en = { ...studyEn, ...toldEn };

export type StudyKey = keyof typeof en;

const both = ([study, told]: { default: Catalogue }[]): Catalogue => ({ ...study?.default, ...told?.default });

const LOAD: Record<Language, () => Promise<Catalogue>> = {
  en: async () => en,
  fr: async () =>
    both(await Promise.all([import('./i18n/fr.json'), import('../../../src/claimeven/catalogue/told/fr.json')])),
  pl: async () =>
    both(await Promise.all([import('./i18n/pl.json'), import('../../../src/claimeven/catalogue/told/pl.json')])),
  vi: async () =>
    both(await Promise.all([import('./i18n/vi.json'), import('../../../src/claimeven/catalogue/told/vi.json')])),
};

let now = $state.raw<{ language: Language; catalogue: Catalogue }>({ language: 'en', catalogue: en });

async function follow(next: Language): Promise<void> {
  const catalogue = await LOAD[next]();
  if (language() === next) now = { language: next, catalogue };
}

/** The texts of the current language are here. */
export const ready = (): Promise<void> => follow(language());

$effect.root(() => {
  $effect(() => void follow(language()));
});

export const s = (key: StudyKey, params: Params = {}): string =>
  textOf(now.catalogue[key] ?? en[key], now.language, params);

/** A text whose key is put together at run time, such as a class of moves. */
export const sOf = (key: string, params: Params = {}): string => (key in en ? s(key as StudyKey, params) : '');

/** The language on the screen. */
export const spokenLanguage = (): Language => now.language;

/** The same as the server is asked for it. */
export const askedLanguage = (): Spoken => forPage(now.language);

/** A number in the language of the page; what rounds to nothing has no sign ("0", not "-0"). */
export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(now.language, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(
    Number(value.toFixed(digits)) + 0,
  );

/** A share that was counted in so many games; a tenth of a per cent is only told where it may mean something. */
export const percent = (share: number, games: number): string => `${number(100 * share, games < 1000 ? 0 : 1)} %`;
