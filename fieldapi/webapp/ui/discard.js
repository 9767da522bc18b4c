// @ts-check
/**
 * A draft that is thrown away: gone from the first screen at once, from the phone ten seconds later,
 * so that it can be taken back. An app that ends before then still has it.
 */

import * as phone from "../device/phone.js";

const UNDO_MS = 10_000;

/** Tells of `change` when a draft goes or comes back. */
export const changes = new EventTarget();

/** @type {{id: string, timer: ReturnType<typeof setTimeout>} | null} */
let going = null;
/** Drafts that are being dropped from the phone. @type {Set<string>} */
const leaving = new Set();

/** Return the id of the draft that can be taken back now, null if there is none. */
export function last() {
  return going?.id ?? null;
}

/** Say whether a draft was thrown away, so that no list shows it. @param {string} id */
export function isGone(id) {
  return going?.id === id || leaving.has(id);
}

/** Throw a draft away; the one before it is gone for good. @param {string} id */
export function discard(id) {
  finish();
  going = { id, timer: setTimeout(finish, UNDO_MS) };
  changes.dispatchEvent(new Event("change"));
}

/** Take it back. */
export function undo() {
  clearTimeout(going?.timer);
  going = null;
  changes.dispatchEvent(new Event("change"));
}

function finish() {
  const one = last();
  if (one === null) return;
  leaving.add(one);
  undo();
  const done = () => leaving.delete(one);
  phone.dropDraft(one).then(done, done); // it fails for one that was saved meanwhile in another tab
}
