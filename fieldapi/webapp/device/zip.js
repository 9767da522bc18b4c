// @ts-check
/**
 * A zip without compression (APPNOTE 6.3, method 0): names, sizes, checksums. Parts stay apart, so
 * that photos need not be in memory together.
 */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
const DAY_ZERO = 0x0021; // 1 January 1980: equal contents give equal bytes
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const UTF8 = 0x0800;

/**
 * Return the CRC-32 of bytes.
 * @param {Uint8Array} bytes
 * @returns {number}
 */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** A zip in the making. Names are ASCII; at most 65,535 entries and 4 GiB. */
export class Zip {
  constructor() {
    /** @type {BlobPart[]} */
    this.parts = [];
    /** @type {Uint8Array[]} */
    this.directory = [];
    this.size = 0;
  }

  /**
   * @param {string} name
   * @param {Uint8Array} bytes
   */
  add(name, bytes) {
    const named = new TextEncoder().encode(name);
    const sums = [crc32(bytes), bytes.length, bytes.length];
    const common = /** @type {[number, number][]} */ ([[20, 2], [UTF8, 2], [0, 2], [0, 2], [DAY_ZERO, 2], [sums[0], 4], [sums[1], 4], [sums[2], 4], [named.length, 2], [0, 2]]);
    const local = record([[LOCAL, 4], ...common], named);
    this.directory.push(
      record([[CENTRAL, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [this.size, 4]], named),
    );
    // A Blob, so that the browser may keep it on disk.
    this.parts.push(local, new Blob([bytes]));
    this.size += local.length + bytes.length;
  }

  /** Return the whole. */
  finish() {
    const length = this.directory.reduce((sum, one) => sum + one.length, 0);
    const count = this.directory.length;
    const end = record([[END, 4], [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [this.size, 4], [0, 2]], new Uint8Array());
    return new Blob([...this.parts, ...this.directory, end], { type: "application/zip" });
  }
}

/**
 * Return little-endian numbers of 2 or 4 bytes, then a tail.
 * @param {[number, number][]} numbers
 * @param {Uint8Array} tail
 */
function record(numbers, tail) {
  const length = numbers.reduce((sum, [, bytes]) => sum + bytes, 0);
  const bytes = new Uint8Array(length + tail.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, width] of numbers) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  bytes.set(tail, at);
  return bytes;
}
