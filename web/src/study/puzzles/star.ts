const POINTS = 5;
const [OUTER, INNER] = [30, 13]; // units of a hole, whose radius is 41

/** A star around the middle of a hole: solved at the first try. */
export const STAR = `M${Array.from({ length: 2 * POINTS }, (_, i) => {
  const [angle, radius] = [(i * Math.PI) / POINTS, i % 2 ? INNER : OUTER];
  return `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`;
}).join('L')}Z`;
