// @ts-check
/**
 * Human numbers of seizures, minted offline and never changed: `RJK-07-2611-0042-G`. Twin of
 * `fieldapi/domain/references.py`.
 */

const LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"; // 23: a prime, and no letter that is read as a digit
const SHAPE = /^[A-Z]{3,5}-[0-9]{2,4}-[0-9]{2}(?:0[1-9]|1[0-2])-[0-9]{4,6}-[A-Z]$/;

/**
 * Return the check letter of a reference without it: read as base 36, modulo 23.
 * @param {string} stem
 * @returns {string}
 */
export function checkLetter(stem) {
  let rest = 0;
  for (const digit of stem.replaceAll("-", "")) {
    rest = (rest * 36 + parseInt(digit, 36)) % LETTERS.length;
  }
  return LETTERS[rest];
}

/**
 * Return a reference. `atMs`: when it is minted; its year and month are those of India.
 * Throws RangeError if a part does not fit.
 * @param {string} authority code
 * @param {number} device number
 * @param {{atMs: number, counter: number}} minted
 * @returns {string}
 */
export function mint(authority, device, { atMs, counter }) {
  const month = monthOf(atMs);
  const stem = `${authority}-${padded(device, 2)}-${month}-${padded(counter, 4)}`;
  const text = `${stem}-${checkLetter(stem)}`;
  if (!SHAPE.test(text)) throw new RangeError(`no reference can be made of ${stem}`);
  return text;
}

/**
 * Say whether a text is a reference with the right check letter.
 * @param {string} text
 */
export function isReference(text) {
  return SHAPE.test(text) && checkLetter(text.slice(0, -2)) === text.at(-1);
}

const INDIA_MS = 5.5 * 3600 * 1000; // ahead of UTC, without summer time

/**
 * Return year and month as `2611`.
 * @param {number} atMs
 */
export function monthOf(atMs) {
  const there = new Date(atMs + INDIA_MS);
  return `${padded(there.getUTCFullYear() % 100, 2)}${padded(there.getUTCMonth() + 1, 2)}`;
}

/** @param {number} number @param {number} digits */
function padded(number, digits) {
  return String(number).padStart(digits, "0");
}
