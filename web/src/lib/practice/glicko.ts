// Ratings by Glicko-2 (Glickman 2013), one game at a time. The same as src/claimeven/practice/glicko.py; held against
// the package glicko2-lite to 1e-9.

export interface Rating {
  rating: number;
  deviation: number;
  volatility: number;
}

const SCALE = 173.7178;
const BASE = 1500;
const TAU = 0.5;
const EPSILON = 1e-6;

const SETTLED = 110; // the largest deviation of a rating that says something
const ROUNDED = 10; // points: one that does not is shown no finer

export const isProvisional = ({ deviation }: Rating): boolean => deviation > SETTLED;

/** As people read it: no digit that is only noise. */
export const shownRating = (one: Rating): number =>
  isProvisional(one) ? ROUNDED * Math.round(one.rating / ROUNDED) : Math.round(one.rating);

const damped = (phi: number) => 1 / Math.sqrt(1 + (3 * phi ** 2) / Math.PI ** 2);

/** How likely the first one is to win. */
export function expected(one: Rating, two: Rating): number {
  return 1 / (1 + Math.exp((-damped(two.deviation / SCALE) * (one.rating - two.rating)) / SCALE));
}

/** The rating after one game: 1 for a win, 0 for a loss. */
export function rated(player: Rating, opponent: Rating, score: number): Rating {
  const mu = (player.rating - BASE) / SCALE;
  const phi = player.deviation / SCALE;
  const g = damped(opponent.deviation / SCALE);
  const e = 1 / (1 + Math.exp(-g * (mu - (opponent.rating - BASE) / SCALE)));
  const variance = 1 / (g ** 2 * e * (1 - e));
  const delta = variance * g * (score - e);
  const volatility = moved(player.volatility, phi, variance, delta);
  const wide = Math.sqrt(phi ** 2 + volatility ** 2);
  const narrow = 1 / Math.sqrt(1 / wide ** 2 + 1 / variance);
  return {
    rating: SCALE * (mu + narrow ** 2 * g * (score - e)) + BASE,
    deviation: SCALE * narrow,
    volatility,
  };
}

/** The new volatility, by the Illinois method of the paper. */
function moved(sigma: number, phi: number, variance: number, delta: number): number {
  const a = Math.log(sigma ** 2);
  const f = (x: number) => {
    const e = Math.exp(x);
    return (e * (delta ** 2 - phi ** 2 - variance - e)) / (2 * (phi ** 2 + variance + e) ** 2) - (x - a) / TAU ** 2;
  };
  let low = a;
  let high: number;
  if (delta ** 2 > phi ** 2 + variance) high = Math.log(delta ** 2 - phi ** 2 - variance);
  else {
    let k = 1;
    while (f(a - k * TAU) < 0) k += 1;
    high = a - k * TAU;
  }
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > EPSILON) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const atMiddle = f(middle);
    if (atMiddle * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, atMiddle];
  }
  return Math.exp(low / 2);
}
