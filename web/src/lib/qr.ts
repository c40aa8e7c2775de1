// A QR code of a short text: byte mode, error correction M, versions 1 to 10 (up to 213 bytes). ISO/IEC 18004.

// Per version: data codewords per block group [blocks, data codewords], and error correction codewords per block.
const BLOCKS: [ecPerBlock: number, groups: [count: number, data: number][]][] = [
  [10, [[1, 16]]],
  [16, [[1, 28]]],
  [26, [[1, 44]]],
  [18, [[2, 32]]],
  [24, [[2, 43]]],
  [16, [[4, 27]]],
  [18, [[4, 31]]],
  [
    22,
    [
      [2, 38],
      [2, 39],
    ],
  ],
  [
    22,
    [
      [3, 36],
      [2, 37],
    ],
  ],
  [
    26,
    [
      [4, 43],
      [1, 44],
    ],
  ],
];
const ALIGNMENT = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

const MASKS: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

type Matrix = boolean[][];

/** Rows of dark (true) and light modules, or null when the text is too long. */
export function qrCode(text: string): Matrix | null {
  const bytes = [...new TextEncoder().encode(text)];
  const version = BLOCKS.findIndex((_, i) => bytes.length <= capacity(i + 1)) + 1;
  if (!version) return null;
  const stream = interleave(version, dataWords(version, bytes));
  const { modules, isFixed } = frame(version);
  fill(modules, isFixed, stream);
  let best: Matrix | null = null;
  let least = Infinity;
  MASKS.forEach((mask, index) => {
    const masked = modules.map((row, r) => row.map((dark, c) => (isFixed[r]?.[c] ? dark : dark !== mask(r, c))));
    writeFormat(masked, index);
    const cost = penalty(masked);
    if (cost < least) [best, least] = [masked, cost];
  });
  return best;
}

const total = (version: number): number =>
  (BLOCKS[version - 1]?.[1] ?? []).reduce((sum, [count, data]) => sum + count * data, 0);
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);
const capacity = (version: number): number => total(version) - Math.ceil((4 + lengthBits(version)) / 8);

function dataWords(version: number, bytes: number[]): number[] {
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, lengthBits(version));
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, total(version) * 8 - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  const words: number[] = [];
  for (let i = 0; i < bits.length; i += 8) words.push(bits.slice(i, i + 8).reduce((word, bit) => word * 2 + bit, 0));
  for (let i = 0; words.length < total(version); i++) words.push(i % 2 ? 0x11 : 0xec);
  return words;
}

// Arithmetic in GF(256) with the polynomial 0x11d.
const EXP: number[] = [];
const LOG: number[] = [];
for (let i = 0, value = 1; i < 255; i++) {
  EXP[i] = value;
  LOG[value] = i;
  value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1;
}
const times = (a: number, b: number): number => (a && b ? (EXP[((LOG[a] ?? 0) + (LOG[b] ?? 0)) % 255] ?? 0) : 0);

function errorWords(data: number[], count: number): number[] {
  let generator = [1];
  for (let i = 0; i < count; i++) {
    const root = EXP[i] ?? 1;
    generator = [...generator, 0].map((term, k) => term ^ times(generator[k - 1] ?? 0, root));
  }
  const rest = [...data, ...Array<number>(count).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const factor = rest[i] ?? 0;
    if (factor) generator.forEach((term, k) => (rest[i + k] = (rest[i + k] ?? 0) ^ times(term, factor)));
  }
  return rest.slice(data.length);
}

function interleave(version: number, words: number[]): number[] {
  const [ecCount, groups] = BLOCKS[version - 1] ?? [0, []];
  const blocks: number[][] = [];
  let at = 0;
  for (const [count, size] of groups) {
    for (let i = 0; i < count; i++) blocks.push(words.slice(at, (at += size)));
  }
  const errors = blocks.map((block) => errorWords(block, ecCount));
  const woven: number[] = [];
  for (const parts of [blocks, errors]) {
    const longest = Math.max(...parts.map((part) => part.length));
    for (let i = 0; i < longest; i++) for (const part of parts) if (i < part.length) woven.push(part[i] ?? 0);
  }
  return woven;
}

function frame(version: number): { modules: Matrix; isFixed: Matrix } {
  const size = 17 + 4 * version;
  const blank = () => Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  const modules = blank();
  const isFixed = blank();
  const set = (r: number, c: number, dark: boolean) => {
    const [row, fixed] = [modules[r], isFixed[r]];
    if (!row || !fixed || c < 0 || c >= size) return;
    row[c] = dark;
    fixed[c] = true;
  };
  const square = (row: number, column: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let r = -radius; r <= radius; r++) {
      for (let c = -radius; c <= radius; c++) set(row + r, column + c, isDark(Math.max(Math.abs(r), Math.abs(c))));
    }
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [r, c] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(r, c, 4, (d) => d !== 2 && d !== 4);
  const centres = ALIGNMENT[version - 1] ?? [];
  const far = centres.at(-1);
  for (const r of centres) {
    for (const c of centres) {
      const isFinder = (r === 6 && (c === 6 || c === far)) || (r === far && c === 6);
      if (!isFinder) square(r, c, 2, (d) => d !== 1);
    }
  }
  for (let i = 0; i < 9; i++) {
    if (i !== 6) {
      set(8, i, false);
      set(i, 8, false);
    }
    if (i < 8) {
      set(8, size - 1 - i, false);
      set(size - 1 - i, 8, false);
    }
  }
  set(size - 8, 8, true);
  if (version >= 7) {
    const bits = withRemainder(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      set(Math.floor(i / 3), size - 11 + (i % 3), dark);
      set(size - 11 + (i % 3), Math.floor(i / 3), dark);
    }
  }
  return { modules, isFixed };
}

/** Two columns at a time from the right, up and down in turn. */
function fill(modules: Matrix, isFixed: Matrix, stream: number[]): void {
  const size = modules.length;
  let bit = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) {
      const r = isUp ? size - 1 - i : i;
      for (const c of [right, right - 1]) {
        if (isFixed[r]?.[c]) continue;
        const row = modules[r];
        if (row) row[c] = (((stream[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        bit++;
      }
    }
  }
}

/** `value` followed by its remainder, as the format and version bits want it. */
function withRemainder(value: number, polynomial: number, degree: number): number {
  let rest = value << degree;
  for (let i = 31 - Math.clz32(rest); i >= degree; i--) if ((rest >> i) & 1) rest ^= polynomial << (i - degree);
  return (value << degree) | rest;
}

function writeFormat(modules: Matrix, mask: number): void {
  const size = modules.length;
  const bits = withRemainder(mask, 0x537, 10) ^ 0x5412; // level M is 00
  const set = (r: number, c: number, i: number) => {
    const row = modules[r];
    if (row) row[c] = ((bits >> i) & 1) === 1;
  };
  for (let i = 0; i < 15; i++) {
    if (i < 6) set(i, 8, i);
    else if (i < 8) set(i + 1, 8, i);
    else if (i === 8) set(8, 7, i);
    else set(8, 14 - i, i);
    if (i < 8) set(8, size - 1 - i, i);
    else set(size - 15 + i, 8, i);
  }
}

/** How hard the code is to read: long runs, blocks, look-alikes of the corners, too dark or too light. */
function penalty(modules: Matrix): number {
  const size = modules.length;
  const columns = modules.map((_, c) => modules.map((row) => row[c] ?? false));
  let cost = 0;
  for (const line of [...modules, ...columns]) {
    const text = line.map(Number).join('');
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) cost += run.length - 2;
    for (const shape of ['10111010000', '00001011101']) {
      for (let at = text.indexOf(shape); at >= 0; at = text.indexOf(shape, at + 1)) cost += 40;
    }
  }
  let dark = 0;
  for (let r = 0; r < size; r++) {
    for (let c = 0; c < size; c++) {
      const here = modules[r]?.[c];
      if (here) dark++;
      const isBlock = here === modules[r]?.[c + 1] && here === modules[r + 1]?.[c] && here === modules[r + 1]?.[c + 1];
      if (isBlock) cost += 3;
    }
  }
  return cost + 10 * Math.floor(Math.abs((100 * dark) / (size * size) - 50) / 5);
}
