// @ts-check
/**
 * One spelling per value: RFC 8785, and equality of values with text compared in NFC. Twin of
 * `sync/canonical.py`; used by the overlay, for hashes and for what a reviewer is shown.
 */

/** @typedef {null | boolean | number | string | any[] | {[name: string]: any}} JSONValue */

/** A value that strict JSON cannot say. */
export class NotJson extends Error {}

/**
 * Return the value as RFC 8785 spells it. Throws NotJson for lone surrogates, NaN, infinities and
 * everything that is no JSON at all.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  return spell(value, wellFormed);
}

/**
 * Return a text that two values share exactly if they are equal: RFC 8785 over NFC.
 * @param {unknown} value
 * @returns {string}
 */
export function equalityKey(value) {
  return spell(value, nfc);
}

/**
 * Say whether two values are the same value: `true` is not 1, 9 is 9.0, text in NFC.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function equal(one, other) {
  return equalityKey(one) === equalityKey(other);
}

/**
 * Say whether all values are one value; true of none.
 * @param {unknown[]} values
 * @returns {boolean}
 */
export function areEqual(values) {
  return values.every((value) => equal(value, values[0]));
}

/** @param {string} text */
function nfc(text) {
  return text.normalize("NFC");
}

/** @param {string} text */
function wellFormed(text) {
  // Half of a surrogate pair has no UTF-8, so a hash over it would mean nothing.
  if (/\p{Surrogate}/u.test(text)) throw new NotJson("a text holds half of a surrogate pair");
  return text;
}

/**
 * @param {unknown} value
 * @param {(text: string) => string} fix
 * @returns {string}
 */
function spell(value, fix) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(fix(value));
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return `[${value.map((one) => spell(one, fix)).join(",")}]`;
  if (typeof value === "object") return members(Object.entries(value), fix);
  throw new NotJson(`no JSON: ${typeof value}`);
}

/** @param {number} value */
function number(value) {
  if (!Number.isFinite(value)) throw new NotJson("a number is not finite");
  return String(value);
}

/**
 * Spell the members of an object in the order of UTF-16 code units.
 * @param {[string, unknown][]} entries
 * @param {(text: string) => string} fix
 */
function members(entries, fix) {
  /** @type {[string, unknown][]} */
  const named = entries.map(([name, one]) => [fix(name), one]);
  named.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  const spelled = named.map(([name, one]) => `${JSON.stringify(name)}:${spell(one, fix)}`);
  return `{${spelled.join(",")}}`;
}
