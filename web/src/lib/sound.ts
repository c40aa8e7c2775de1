// A small set of sounds, made here and not loaded. They are on until somebody switches them off, and begin with the
// first touch: before it no browser lets a page be heard.

import { settings } from './settings.svelte';

type Wave = { at: number; from: number; to?: number; long: number; loud: number; type?: OscillatorType };

let context: AudioContext | null = null;

function play(waves: Wave[]): void {
  if (!settings.speaker || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const { at, from, to = from, long, loud, type = 'triangle' } of waves) {
    const start = context.currentTime + at;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = type;
    tone.frequency.setValueAtTime(from, start);
    if (to !== from) tone.frequency.exponentialRampToValueAtTime(to, start + long * 0.55);
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(loud, start + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + long + 0.02);
  }
}

const notes = (frequencies: number[], step: number, long: number, loud: number): Wave[] =>
  frequencies.map((from, i) => ({ at: i * step, from, long, loud }));

/** A disc lands: wood on wood, higher the higher it lies. */
export function landing(side: 1 | 2, row: number): void {
  const base = (side === 1 ? 196 : 233) * 2 ** ((row - 1) / 18);
  play([
    { at: 0, from: base, to: base * 0.45, long: 0.15, loud: 0.22 },
    { at: 0, from: base * 3.1, to: base * 1.2, long: 0.05, loud: 0.07, type: 'sine' },
  ]);
}

export const winning = (): void => play(notes([523.25, 659.25, 783.99, 1046.5], 0.11, 0.7, 0.13));
export const losing = (): void => play(notes([329.63, 261.63], 0.16, 0.45, 0.1));
export const drawing = (): void => play(notes([392, 392], 0.18, 0.35, 0.08));
export const hinting = (): void => play(notes([880, 1174.66], 0.07, 0.25, 0.06));
export const refusing = (): void => play([{ at: 0, from: 150, to: 110, long: 0.12, loud: 0.12 }]);

/** A short buzz where the device can; it belongs to the sounds. */
export function buzz(pattern: number | number[]): void {
  if (settings.haptics && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
