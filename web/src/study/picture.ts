// A picture of the server as PNG: drawn by the browser, twice as large as on the screen.

import { announcer } from '../lib/announce.svelte';
import { s } from './words.svelte';

export async function downloadPng(address: string): Promise<void> {
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * image.naturalWidth;
    canvas.height = 2 * image.naturalHeight;
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!blob) throw new Error('no picture');
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = 'claimeven.png';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch {
    announcer.show(s('exchange.noPicture'), 'problem');
  }
}
