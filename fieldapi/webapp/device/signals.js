// @ts-check
/** Tells this tab and all others what changed on the phone, so that screens read it again. */

const TOGETHER_MS = 50;

/** @type {Set<(what: Set<string>) => void>} */
const listeners = new Set();
/** @type {Set<string>} */
let pending = new Set();
const line = new BroadcastChannel("fieldapi");
line.onmessage = ({ data }) => gather(data);
/** @type {any} */ (line).unref?.(); // Node.js would wait for it

/**
 * Say what changed: `drafts reports photos records status me`.
 * @param {string[]} what
 */
export function tell(...what) {
  line.postMessage(what);
  gather(what);
}

/**
 * Hear of changes, of this tab and others. Returns what ends it.
 * @param {(what: Set<string>) => void} listener
 * @returns {() => void}
 */
export function onChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {string[]} what */
function gather(what) {
  if (listeners.size === 0) return;
  if (pending.size === 0) setTimeout(flush, TOGETHER_MS);
  for (const one of what) pending.add(one);
}

function flush() {
  const what = pending;
  pending = new Set();
  for (const listener of listeners) listener(what);
}
