// Every text of the page comes from a catalogue: t('key', { n: 3 }). A text that counts is an object with a form per
// plural category of the language, chosen by the parameter `n`.

import en from './en.json';

export type Key = keyof typeof en;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>>;
type Params = Record<string, string | number>;

const state = $state({ language: 'en', catalogue: en as Record<string, string | Forms> });

export function t(key: Key, params: Params = {}): string {
  const entry = state.catalogue[key] ?? en[key];
  const text = typeof entry === 'string' ? entry : formOf(entry, Number(params.n));
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? String(params[name]) : whole));
}

function formOf(forms: Forms, n: number): string {
  return forms[new Intl.PluralRules(state.language).select(n)] ?? forms.other ?? '';
}

/** A text whose key is only known at run time, for example an error code; `fallback` when there is none. */
export function tMaybe(key: string, fallback: string, params: Params = {}): string {
  return key in en ? t(key as Key, params) : fallback;
}
