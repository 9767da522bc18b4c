// @ts-check
/** Names and randomness for what a phone makes: twin of `sync/client/ids.py`. */

export const ENTROPY_BYTES = 10;
export const SALT_BYTES = 16;

/**
 * Return a UUIDv7 (RFC 9562 section 5.7) of a moment and 10 random bytes.
 * @param {number} ms since 1970
 * @param {Uint8Array} [entropy]
 * @returns {string}
 */
export function newId(ms, entropy = random(ENTROPY_BYTES)) {
  const time = (ms % 2 ** 48).toString(16).padStart(12, "0");
  const raw = [...entropy];
  raw[0] = (raw[0] & 0x0f) | 0x70;
  raw[2] = (raw[2] & 0x3f) | 0x80;
  const digits = time + raw.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Return the salt of a personal op: 16 random bytes, base64url without padding.
 * @param {Uint8Array} [bytes]
 * @returns {string}
 */
export function newSalt(bytes = random(SALT_BYTES)) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {number} count */
function random(count) {
  return crypto.getRandomValues(new Uint8Array(count));
}
