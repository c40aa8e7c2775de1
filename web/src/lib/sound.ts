// A soft knock when a disc lands. Off unless a person switches it on.

import { settings } from './settings.svelte';

let context: AudioContext | null = null;

export function knock(side: 1 | 2): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const { currentTime: now } = context;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(side === 1 ? 210 : 260, now);
  tone.frequency.exponentialRampToValueAtTime(90, now + 0.09);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.16);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.17);
}
