// When to see a card again: FSRS-6 with its published default weights, in whole days and without steps within a day.
// The same as src/claimeven/practice/fsrs.py; both are held against the package `fsrs` to 1e-9.

export type Grade = 1 | 2 | 3 | 4; // again, hard, good, easy

export interface Memory {
  stability: number; // days until it is remembered nine times in ten
  difficulty: number; // 1 to 10
  last: number; // milliseconds
  due: number;
}

const W = [
  0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483,
  0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
] as const;
const RETENTION = 0.9;
const LONGEST = 36_500; // days
const LEAST_STABILITY = 0.001;
const DECAY = -W[20];
const FACTOR = 0.9 ** (1 / DECAY) - 1;
export const DAY = 86_400_000;

const initialDifficulty = (grade: number) => W[4] - Math.exp(W[5] * (grade - 1)) + 1;
const clamped = (difficulty: number) => Math.min(Math.max(difficulty, 1), 10);

function nextDifficulty(difficulty: number, grade: Grade): number {
  const moved = difficulty + ((10 - difficulty) * -W[6] * (grade - 3)) / 9;
  return clamped(W[7] * initialDifficulty(4) + (1 - W[7]) * moved);
}

function withinADay(stability: number, grade: Grade): number {
  const gain = Math.exp(W[17] * (grade - 3 + W[18])) * stability ** -W[19];
  return stability * (grade > 1 ? Math.max(gain, 1) : gain);
}

function forgotten(difficulty: number, stability: number, recall: number): number {
  const long = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1) * Math.exp((1 - recall) * W[14]);
  return Math.min(long, stability / Math.exp(W[17] * W[18]));
}

function recalled(difficulty: number, stability: number, recall: number, grade: Grade): number {
  const gain =
    Math.exp(W[8]) *
    (11 - difficulty) *
    stability ** -W[9] *
    (Math.exp((1 - recall) * W[10]) - 1) *
    (grade === 2 ? W[15] : 1) *
    (grade === 4 ? W[16] : 1);
  return stability * (1 + gain);
}

function nextStability({ stability, difficulty, last }: Memory, grade: Grade, at: number): number {
  const days = Math.floor((at - last) / DAY);
  if (days < 1) return withinADay(stability, grade);
  const recall = (1 + (FACTOR * days) / stability) ** DECAY;
  return grade === 1 ? forgotten(difficulty, stability, recall) : recalled(difficulty, stability, recall, grade);
}

/** What is remembered after a card was seen at a time; the first time there was nothing before. */
export function review(before: Memory | null, grade: Grade, at: number): Memory {
  const stability = Math.max(before ? nextStability(before, grade, at) : (W[grade - 1] as number), LEAST_STABILITY);
  const difficulty = before ? nextDifficulty(before.difficulty, grade) : clamped(initialDifficulty(grade));
  const days = Math.round((stability / FACTOR) * (RETENTION ** (1 / DECAY) - 1));
  return { stability, difficulty, last: at, due: at + DAY * Math.min(Math.max(days, 1), LONGEST) };
}
