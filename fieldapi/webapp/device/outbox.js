// @ts-check
/**
 * Own ops from capture until the server can be trusted to keep them for good: signed, handed to a
 * request, answered. Twin of `sync/client/outbox.py`. Answered ops stay 30 days: a restored server
 * may ask for them once more.
 */

import { REFUSED, WAITING } from "../sync/ground.js";
import { read, write } from "./database.js";
import { facts } from "./identity.js";
import { sign } from "./keys.js";
import { MOST_UNDO_MS, isAhead } from "./moments.js";

/** @typedef {import("./database.js").Stores} Stores */
/** @typedef {import("./records.js").OpRow} OpRow */

/**
 * What became of an op (docs/protocol/sync.md section 3).
 * @typedef {object} Outcome
 * @property {string} status
 * @property {number | null} seq
 * @property {string | null} code
 * @property {string[]} parked
 * @property {string | null} reason
 */

const KEEP_MS = 30 * 24 * 3600 * 1000;
const SETTLED = new Set(["applied", "conflict", "rejected"]);

/**
 * Sign every op that waits and has no signature yet. A phone killed before it signs later: what is
 * signed was fixed when the op was saved.
 * @param {string} name
 * @returns {Promise<void>}
 */
export async function signAll(name) {
  const { rows, key, device } = await read(name, ["op", "facts"], async (stores) => ({
    rows: /** @type {OpRow[]} */ (await stores.all("op", "status", WAITING)),
    ...(await facts(stores, "key", "device")),
  }));
  const unsigned = rows.filter((row) => row.jws === null && row.text !== null);
  if (unsigned.length === 0) return;
  const made = new Map();
  for (const row of unsigned) made.set(row.stamp, await sign(key, { kid: device.id }, String(row.text)));
  await write(name, ["op"], async (stores) => {
    for (const [stamp, jws] of made) {
      const row = await stores.get("op", stamp);
      if (row && row.jws === null && row.text !== null) await stores.put("op", { ...row, jws });
    }
  });
}

/**
 * Take the next ops to send, in stamp order, and note that they leave: what left cannot be undone.
 * @param {string} name
 * @param {{most: number, mostBytes: number, skip: Set<string>, nowMs: number}} room
 * @returns {Promise<OpRow[]>}
 */
export function takeBatch(name, { most, mostBytes, skip, nowMs }) {
  return write(name, ["op"], async (stores) => {
    /** @type {OpRow[]} */
    const batch = [];
    let room = mostBytes;
    for (const row of await ready(stores, nowMs)) {
      if (skip.has(row.id) || row.jws === null) continue;
      room -= row.jws.length + 12; // {"jws":""},
      if (batch.length && (room < 0 || batch.length === most)) break;
      batch.push(row);
    }
    for (const row of batch) await stores.put("op", { ...row, sends: row.sends + 1 });
    return batch;
  });
}

/**
 * Return the ops that may be sent now.
 * @param {Stores} stores with `op`
 * @param {number} nowMs
 * @returns {Promise<OpRow[]>}
 */
export async function ready(stores, nowMs) {
  const rows = /** @type {OpRow[]} */ (await stores.all("op", "status", WAITING));
  // A row without its text has nothing to say any more, or was damaged by the storage.
  return rows.filter((row) => typeof row.text === "string" && !isAhead(row.holdUntil, { most: MOST_UNDO_MS, nowMs }));
}

/**
 * Write down what became of an op; one that this phone has no longer is passed over. A photo whose
 * record was answered may be sent. A later word on it is not shown back before another pull ended.
 * @param {Stores} stores with `op`, `photo`
 * @param {string} id
 * @param {Outcome} outcome
 * @param {number} nowMs of the server
 */
export async function answer(stores, id, outcome, nowMs) {
  const row = /** @type {OpRow | undefined} */ (await stores.first("op", "id", id));
  if (!row) return;
  const { status, code, parked } = outcome;
  const seq = outcome.seq ?? row.seq;
  const reason = outcome.reason ?? row.reason;
  await stores.put("op", { ...row, status, code, parked, seq, reason, past: false, answeredMs: nowMs });
  if (row.kind !== "photo") return;
  const photo = await stores.get("photo", row.record);
  if (photo?.state === "saved") await stores.put("photo", { ...photo, state: "waiting" });
  else if (photo?.askAfter) await stores.put("photo", { ...photo, askAfter: 0 });
}

/**
 * Set aside an op that is too large even alone, so that it blocks no other.
 * @param {string} name
 * @param {string} stamp
 */
export function refuse(name, stamp) {
  return write(name, ["op"], async (stores) => {
    const row = await stores.get("op", stamp);
    await stores.put("op", { ...row, status: REFUSED, code: "too-large" });
  });
}

/**
 * End a pull: what was answered is shown back now, and what was settled 30 days ago may go.
 * @param {Stores} stores with `op`
 * @param {number} nowMs of the server
 */
export async function endPull(stores, nowMs) {
  for (const row of /** @type {OpRow[]} */ (await stores.all("op"))) {
    const isOld = row.answeredMs !== null && row.answeredMs < nowMs - KEEP_MS;
    if (isOld && SETTLED.has(row.status)) await stores.delete("op", row.stamp);
    else if (row.seq !== null && !row.past) await stores.put("op", { ...row, past: true });
  }
}

/**
 * Put every op that is kept back in the queue: the server was restored.
 * @param {Stores} stores with `op`
 */
export async function offerAgain(stores) {
  const fresh = { status: WAITING, code: null, parked: [], seq: null, past: false, answeredMs: null };
  for (const row of /** @type {OpRow[]} */ (await stores.all("op"))) {
    if (row.text !== null) await stores.put("op", { ...row, ...fresh });
  }
}

/**
 * Drop the values of an answered own op that an erasure reached; its id stays.
 * @param {Stores} stores with `op`
 * @param {OpRow} row
 */
export async function erase(stores, row) {
  if (row.status !== WAITING) await stores.put("op", { ...row, text: null, jws: null });
}
