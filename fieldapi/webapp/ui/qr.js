// @ts-check
/**
 * A QR code from text, drawn on the phone without a network: ISO/IEC 18004, byte mode, level M,
 * versions 1 to 6 (106 bytes). The receipt calls it; a test compares it with another encoder.
 */

/** @typedef {boolean[][]} Squares rows of dark squares, without the quiet zone */

/** By version: blocks, data bytes of a block, check bytes of a block, the place of the eye. */
const VERSIONS = [
  { blocks: 1, data: 16, check: 10, eye: 0 },
  { blocks: 1, data: 28, check: 16, eye: 18 },
  { blocks: 1, data: 44, check: 26, eye: 22 },
  { blocks: 2, data: 32, check: 18, eye: 26 },
  { blocks: 2, data: 43, check: 24, eye: 30 },
  { blocks: 4, data: 27, check: 16, eye: 34 },
];
const PAD = [0xec, 0x11];
const LEVEL_M = 0;

/** @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_r, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Say whether this text fits. @param {string} text */
export function fits(text) {
  return versionOf(new TextEncoder().encode(text).length) > 0;
}

/**
 * Return the squares of a text. Throws RangeError for more than 106 bytes.
 * @param {string} text
 * @returns {Squares}
 */
export function squares(text) {
  const bytes = new TextEncoder().encode(text);
  const version = versionOf(bytes.length);
  if (version === 0) throw new RangeError("the text is too long for this code");
  const words = interleaved(codeWords(bytes, version), VERSIONS[version - 1]);
  const tried = MASKS.map((_, mask) => drawn(version, words, mask));
  const worth = tried.map(penalty);
  return tried[worth.indexOf(Math.min(...worth))];
}

/** @param {number} length */
function versionOf(length) {
  return VERSIONS.findIndex(({ blocks, data }) => length + 2 <= blocks * data) + 1;
}

/**
 * Return mode, length, bytes and padding as whole bytes.
 * @param {Uint8Array} bytes
 * @param {number} version
 */
function codeWords(bytes, version) {
  const { blocks, data } = VERSIONS[version - 1];
  // Four bits of mode before the length shift everything by half a byte.
  const nibbles = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const words = [];
  for (let at = 0; at < nibbles.length; at += 2) words.push((nibbles[at] << 4) | nibbles[at + 1]);
  for (let at = 0; words.length < blocks * data; at += 1) words.push(PAD[at % 2]);
  return words;
}

/**
 * Return data and check bytes of all blocks, one of each block in turn.
 * @param {number[]} words
 * @param {{blocks: number, data: number, check: number}} shape
 */
function interleaved(words, { blocks, data, check }) {
  const divisor = generator(check);
  const parts = Array.from({ length: blocks }, (_, at) => words.slice(at * data, (at + 1) * data));
  const checks = parts.map((part) => remainder(part, divisor));
  /** @type {number[]} */
  const mixed = [];
  for (let at = 0; at < data; at += 1) for (const part of parts) mixed.push(part[at]);
  for (let at = 0; at < check; at += 1) for (const part of checks) mixed.push(part[at]);
  return mixed;
}

/** Multiply in the field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1. @type {(a: number, b: number) => number} */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

/** @param {number} degree */
function generator(degree) {
  const result = [...new Array(degree - 1).fill(0), 1];
  let root = 1;
  for (let turn = 0; turn < degree; turn += 1) {
    for (let at = 0; at < degree; at += 1) {
      result[at] = times(result[at], root) ^ (result[at + 1] ?? 0);
    }
    root = times(root, 2);
  }
  return result;
}

/** @type {(data: number[], divisor: number[]) => number[]} */
function remainder(data, divisor) {
  const left = new Array(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ left.shift();
    left.push(0);
    divisor.forEach((one, at) => (left[at] ^= times(one, factor)));
  }
  return left;
}

/** @type {(version: number, words: number[], mask: number) => Squares} */
function drawn(version, words, mask) {
  const side = version * 4 + 17;
  /** @type {(boolean | undefined)[][]} */
  const grid = Array.from({ length: side }, () => new Array(side).fill(undefined));
  fixed(grid, VERSIONS[version - 1].eye);
  format(grid, mask);
  zigzag(grid, words, MASKS[mask]);
  return /** @type {Squares} */ (grid);
}

/** @type {(grid: (boolean | undefined)[][], eye: number) => void} */
function fixed(grid, eye) {
  const side = grid.length;
  for (let at = 0; at < side; at += 1) grid[6][at] = grid[at][6] = at % 2 === 0;
  for (const [row, column] of [[3, 3], [3, side - 4], [side - 4, 3]]) rings(grid, row, column, 4);
  if (eye > 0) rings(grid, eye, eye, 2);
}

/** Draw a finder (radius 4, with its white edge) or an eye (radius 2). @type {(grid: (boolean | undefined)[][], row: number, column: number, radius: number) => void} */
function rings(grid, row, column, radius) {
  for (let down = -radius; down <= radius; down += 1) {
    for (let right = -radius; right <= radius; right += 1) {
      const far = Math.max(Math.abs(down), Math.abs(right));
      const line = grid[row + down];
      const isInside = line !== undefined && column + right >= 0 && column + right < grid.length;
      if (isInside) line[column + right] = radius === 4 ? far !== 2 && far !== 4 : far !== 1;
    }
  }
}

/** Write level and mask, twice, and the one square that is always dark. @type {(grid: (boolean | undefined)[][], mask: number) => void} */
function format(grid, mask) {
  const side = grid.length;
  const data = (LEVEL_M << 3) | mask;
  let rest = data;
  for (let turn = 0; turn < 10; turn += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((data << 10) | rest) ^ 0x5412;
  for (let at = 0; at < 15; at += 1) {
    const isDark = ((bits >> at) & 1) === 1;
    if (at < 8) grid[at < 6 ? at : at + 1][8] = isDark;
    else grid[8][at < 9 ? 7 : 14 - at] = isDark;
    if (at < 8) grid[8][side - 1 - at] = isDark;
    else grid[side - 15 + at][8] = isDark;
  }
  grid[side - 8][8] = true;
}

/** Fill what is free, two columns at a time, up and down from the right. @type {(grid: (boolean | undefined)[][], words: number[], mask: (row: number, column: number) => boolean) => void} */
function zigzag(grid, words, mask) {
  const side = grid.length;
  let bit = 0;
  for (let right = side - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < side; step += 1) {
      const row = isUp ? side - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (grid[row][column] !== undefined) continue;
        const isDark = ((words[bit >> 3] >> (7 - (bit & 7))) & 1) === 1;
        grid[row][column] = isDark !== mask(row, column);
        bit += 1;
      }
    }
  }
}

/** Say how hard a code is to read: ISO/IEC 18004 §7.8.3. @type {(grid: Squares) => number} */
function penalty(grid) {
  const side = grid.length;
  const columns = grid.map((_, at) => grid.map((row) => row[at]));
  let points = 0;
  for (const line of [...grid, ...columns]) points += linePenalty(line);
  for (let r = 0; r < side - 1; r += 1) {
    for (let c = 0; c < side - 1; c += 1) {
      const is = grid[r][c];
      if (is === grid[r][c + 1] && is === grid[r + 1][c] && is === grid[r + 1][c + 1]) points += 3;
    }
  }
  const dark = grid.flat().filter(Boolean).length;
  return points + Math.floor(Math.abs((dark * 100) / (side * side) - 50) / 5) * 10;
}

/** @param {boolean[]} line */
function linePenalty(line) {
  const text = line.map((one) => (one ? "1" : "0")).join("");
  let points = 0;
  for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
  for (let at = text.indexOf("1011101"); at >= 0; at = text.indexOf("1011101", at + 1)) {
    const before = text.slice(Math.max(0, at - 4), at);
    const after = text.slice(at + 7, at + 11);
    if (!before.includes("1") || !after.includes("1")) points += 40;
  }
  return points;
}
