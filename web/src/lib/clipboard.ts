// Copying and sharing, with words for what happened.

import { t } from '../i18n/index.svelte';
import { announcer } from './announce.svelte';

export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    announcer.show(done);
  } catch {
    // Without https, browsers close the clipboard: then the old way.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    if (isCopied) announcer.show(done);
    else announcer.show(t('copy.failed', { text }), 'problem');
  }
}

export const canShare = (): boolean => typeof navigator.share === 'function';

export async function share(url: string, text: string): Promise<void> {
  try {
    await navigator.share({ url, text });
  } catch {
    // The person closed the sheet: nothing to say.
  }
}
