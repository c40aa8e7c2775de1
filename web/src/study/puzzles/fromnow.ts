// How long it takes until then, as people say it: "in 20 minutes", "in 3 hours", "tomorrow".

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function fromNow(at: number, now: Date, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const left = at - now.getTime();
  const days = Math.round((midnight(new Date(at)) - midnight(now)) / (24 * HOUR));
  if (left < HOUR) return words.format(Math.max(1, Math.ceil(left / MINUTE)), 'minute');
  return days < 1 || left < 6 * HOUR ? words.format(Math.ceil(left / HOUR), 'hour') : words.format(days, 'day');
}

const midnight = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
