import type { Hire } from './pool.js';

export const hire: Hire;
