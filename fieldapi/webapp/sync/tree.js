// @ts-check
/**
 * Proofs over a ledger's tree (RFC 6962): twin of the checking half of `sync/tree.py`. SHA-256 is
 * WebCrypto's, so every check is a promise. Bytes are Uint8Arrays; `hex` and `unhex` convert.
 */

const HASH_BYTES = 32;
const LEAF = 0x00;
const NODE = 0x01;

/**
 * Return the hash of an entry: SHA-256(0x00 ‖ entry), RFC 6962 §2.1.
 * @param {Uint8Array} entry
 * @returns {Promise<Uint8Array>}
 */
export function leafHash(entry) {
  return sha256(LEAF, entry);
}

/**
 * Return the hash of two subtrees: SHA-256(0x01 ‖ left ‖ right).
 * @param {Uint8Array} left
 * @param {Uint8Array} right
 * @returns {Promise<Uint8Array>}
 */
export function nodeHash(left, right) {
  return sha256(NODE, left, right);
}

/**
 * Return the tree head over leaf hashes (RFC 6962 §2.1).
 * @param {Uint8Array[]} leaves
 * @returns {Promise<Uint8Array>}
 */
export async function rootOf(leaves) {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leaves[0];
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(await rootOf(leaves.slice(0, split)), await rootOf(leaves.slice(split)));
}

/**
 * Say whether the leaf hash stands at `index` (from 0) under `root` of `size` (RFC 9162 §2.1.3.2).
 * @param {Uint8Array} leaf
 * @param {number} index
 * @param {number} size
 * @param {{proof: Uint8Array[], root: Uint8Array}} claim
 * @returns {Promise<boolean>}
 */
export async function verifyInclusion(leaf, index, size, { proof, root }) {
  if (!isPlace(index, size) || !areHashes(leaf, root, ...proof)) return false;
  let found = leaf;
  const climb = new Climb(index, size - 1);
  for (const sibling of proof) {
    if (climb.isDone) return false;
    found = climb.isRight ? await nodeHash(sibling, found) : await nodeHash(found, sibling);
    climb.up();
  }
  return climb.isDone && isSame(found, root);
}

/**
 * Say whether the head `root` of `size` continues `oldRoot` of `oldSize` (RFC 9162 §2.1.4.2). An
 * empty old tree continues into any.
 * @param {number} oldSize
 * @param {Uint8Array} oldRoot
 * @param {number} size
 * @param {{proof: Uint8Array[], root: Uint8Array}} claim
 * @returns {Promise<boolean>}
 */
export async function verifyConsistency(oldSize, oldRoot, size, { proof, root }) {
  if (!(0 <= oldSize && oldSize <= size) || !areHashes(oldRoot, root, ...proof)) return false;
  if (oldSize === 0 || oldSize === size) {
    return proof.length === 0 && isSame(oldRoot, oldSize === 0 ? await emptyRoot() : root);
  }
  const path = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  const roots = path.length ? await rootsOf(oldSize, size, path) : null;
  return roots !== null && isSame(roots.older, oldRoot) && isSame(roots.newer, root);
}

/**
 * Return the two roots that a path leads to, null if it has not the right length.
 * @param {number} oldSize
 * @param {number} size
 * @param {Uint8Array[]} path
 */
async function rootsOf(oldSize, size, path) {
  const climb = new Climb(oldSize - 1, size - 1);
  while (climb.isOdd) climb.step();
  let older = path[0];
  let newer = path[0];
  for (const sibling of path.slice(1)) {
    if (climb.isDone) return null;
    if (climb.isRight) {
      older = await nodeHash(sibling, older);
      newer = await nodeHash(sibling, newer);
    } else {
      newer = await nodeHash(newer, sibling);
    }
    climb.up();
  }
  return climb.isDone ? { older, newer } : null;
}

/**
 * The way from a leaf to the root: its place on each level, and the last place there. Divides
 * instead of shifting, for a size may be greater than 32 bits.
 */
class Climb {
  /**
   * @param {number} place
   * @param {number} last
   */
  constructor(place, last) {
    this.place = place;
    this.last = last;
  }

  get isDone() {
    return this.last === 0;
  }

  get isOdd() {
    return this.place % 2 === 1;
  }

  get isRight() {
    return this.isOdd || this.place === this.last;
  }

  /** Go up past one sibling; a node that stands alone at the end of a level has none. */
  up() {
    if (this.isRight) while (!this.isOdd && this.place !== 0) this.step();
    this.step();
  }

  step() {
    this.place = Math.floor(this.place / 2);
    this.last = Math.floor(this.last / 2);
  }
}

/**
 * Return bytes as lower-case hex.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Return the bytes that hex digits say. Throws RangeError for anything else.
 * @param {string} text
 * @returns {Uint8Array}
 */
export function unhex(text) {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new RangeError("not hex");
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function emptyRoot() {
  return sha256();
}

/** @param {(number | Uint8Array)[]} parts */
async function sha256(...parts) {
  const bytes = parts.flatMap((part) => (typeof part === "number" ? [part] : [...part]));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
}

/**
 * @param {number} index
 * @param {number} size
 */
function isPlace(index, size) {
  return Number.isSafeInteger(index) && Number.isSafeInteger(size) && 0 <= index && index < size;
}

/** @param {number} size */
function isPowerOfTwo(size) {
  return 2 ** Math.round(Math.log2(size)) === size;
}

/** @param {Uint8Array[]} hashes */
function areHashes(...hashes) {
  return hashes.every((one) => one.length === HASH_BYTES);
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
function isSame(one, other) {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
