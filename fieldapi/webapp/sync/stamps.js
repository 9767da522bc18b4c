// @ts-check
/**
 * Stamps that only grow: twin of `sync/clock.py`, docs/protocol/sync.md section 2.
 * Called by whoever captures.
 * The wall clock is always an argument; nothing here reads one.
 */

export const MAX_MS = 2 ** 48 - 1;
export const MAX_COUNTER = 0xffff;

const STAMP = /^[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{16}$/;

/**
 * @typedef {object} StampParts
 * @property {number} ms since 1970
 * @property {number} counter
 * @property {string} actor 16 hex digits
 */

/** A text that is no stamp, or a clock that has no stamp left. */
export class StampError extends Error {}

/**
 * Say whether `text` is a stamp.
 * @param {unknown} text
 * @returns {text is string}
 */
export function isStamp(text) {
  return typeof text === "string" && STAMP.test(text);
}

/**
 * Return the parts of a stamp. Throws StampError.
 * @param {string} text
 * @returns {StampParts}
 */
export function parseStamp(text) {
  if (!isStamp(text)) throw new StampError(`not a stamp: ${text}`);
  return {
    ms: parseInt(text.slice(0, 12), 16),
    counter: parseInt(text.slice(13, 17), 16),
    actor: text.slice(18),
  };
}

/**
 * Return a stamp greater than `last`, at the wall clock or later.
 *
 * Throws StampError if `actor` is none, or after the last stamp there is.
 * @param {number} wallMs
 * @param {string | null} last
 * @param {string} actor
 * @returns {string}
 */
export function nextStamp(wallMs, last, actor) {
  const wall = clamped(wallMs);
  let stamp = written({ ms: wall, counter: 0, actor });
  if (last !== null) {
    const { ms, counter } = parseStamp(last);
    if (ms >= wall) stamp = written(after(ms, counter, actor));
  }
  if (!isStamp(stamp)) throw new StampError("no stamp can follow");
  return stamp;
}

/**
 * Return what the next stamp must beat once a server has told its time.
 * @param {string | null} last
 * @param {number} serverNowMs
 * @param {string} actor
 * @returns {string}
 */
export function raiseLast(last, serverNowMs, actor) {
  const told = written({ ms: clamped(serverNowMs), counter: 0, actor });
  return last === null || told > last ? told : last;
}

/**
 * Return what the next stamp must beat once stamps of a pull were met: those of the own actor
 * count, other people's never do.
 * @param {string} last
 * @param {Iterable<string>} stamps
 * @param {string} actor
 * @returns {string}
 */
export function raiseByPulled(last, stamps, actor) {
  let greatest = last;
  for (const stamp of stamps) {
    if (isStamp(stamp) && actorOf(stamp) === actor && stamp > greatest) greatest = stamp;
  }
  return greatest;
}

/**
 * Return the actor that made a stamp: the stamp ends with it.
 * @param {string} stamp
 * @returns {string}
 */
export function actorOf(stamp) {
  return stamp.slice(stamp.lastIndexOf("-") + 1);
}

/** @param {number} ms */
function clamped(ms) {
  return Math.min(Math.max(ms, 0), MAX_MS);
}

/**
 * @param {number} ms
 * @param {number} counter
 * @param {string} actor
 * @returns {StampParts}
 */
function after(ms, counter, actor) {
  return counter < MAX_COUNTER
    ? { ms, counter: counter + 1, actor }
    : { ms: ms + 1, counter: 0, actor };
}

/** @param {StampParts} parts */
function written({ ms, counter, actor }) {
  return `${hex(ms, 12)}-${hex(counter, 4)}-${actor}`;
}

/**
 * @param {number} number
 * @param {number} digits
 */
function hex(number, digits) {
  return number.toString(16).padStart(digits, "0");
}
