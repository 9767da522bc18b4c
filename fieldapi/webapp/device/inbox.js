// @ts-check
/**
 * How an answer comes in: results, records, cursor and clock in one transaction, so that a phone
 * killed at any moment has either had the answer or will ask again. Twin of `sync/client/inbox.py`.
 */

import { readPulled } from "../sync/ground.js";
import { read, write } from "./database.js";
import { facts, raiseClock } from "./identity.js";
import * as heads from "./heads.js";
import { answer as note, endPull, erase, offerAgain } from "./outbox.js";
import { opOf } from "./records.js";

/** @typedef {import("./database.js").Stores} Stores */
/** @typedef {import("./answer.js").Answer} Answer */
/** @typedef {import("./answer.js").Change} Change */

const STORES = ["facts", "op", "photo", "pulled", "looked", "head", "alarm"];

/**
 * Save an answer, all of it or nothing.
 * @param {string} name
 * @param {Answer} answer
 */
export async function take(name, answer) {
  const seen = await read(name, ["head"], (stores) => stores.all("head"));
  const judged = await heads.judge(answer.treeHeads, seen);
  await write(name, STORES, async (stores) => {
    const { cursor, device } = await facts(stores, "cursor", "device");
    const nowMs = answer.serverNowMs;
    if (cursor?.epoch && cursor.epoch !== answer.epoch) await forget(stores);
    for (const { op, outcome } of answer.results) if (outcome) await note(stores, op, outcome, nowMs);
    const stamps = [];
    for (const change of answer.changes) stamps.push(...(await apply(stores, change, nowMs)));
    await raiseClock(stores, { serverNowMs: nowMs, stamps, actor: device.actor });
    await stores.put("facts", { epoch: answer.epoch, cursor: answer.cursor }, "cursor");
    await heads.take(stores, judged, nowMs);
    for (const photo of answer.photos) await want(stores, photo);
    if (!answer.more) await endPull(stores, nowMs);
  });
}

/**
 * Begin a new epoch: drop what was pulled, offer again every op that is kept.
 * @param {string} name
 */
export function startOver(name) {
  return write(name, STORES, forget);
}

/** @param {Stores} stores */
async function forget(stores) {
  await stores.clear("pulled");
  await stores.clear("looked");
  await offerAgain(stores);
  await heads.retire(stores);
  await stores.put("facts", { epoch: null, cursor: null }, "cursor");
}

/**
 * Save one change; returns the stamps in it.
 * @param {Stores} stores
 * @param {Change} change
 * @param {number} nowMs
 * @returns {Promise<string[]>}
 */
async function apply(stores, change, nowMs) {
  const { what, kind, id, seq, rev, document } = change;
  if (what === "outcome") {
    const { status, code = null, reason = null } = document;
    await note(stores, id, { status, seq, code, parked: [], reason }, nowMs);
  }
  if (!["put", "leave", "closed"].includes(what)) return [];
  const stands = await stores.get("pulled", [kind, id]);
  if (stands && isOlder(change, stands)) return [];
  const isPut = what === "put";
  await stores.put("pulled", { kind, id, seq, rev, what, change: isPut ? document : null });
  if (!isPut) return [];
  if (kind === "photo") await askAgain(stores, id);
  const { heads: told } = readPulled(document);
  await eraseOwn(stores, change, told);
  return Object.values(told).flatMap((list) => list.map((head) => head.t));
}

/**
 * @param {Change} change
 * @param {{seq: number, rev: number, what: string}} stands
 */
function isOlder(change, stands) {
  const arePuts = change.what === "put" && stands.what === "put";
  return arePuts ? change.rev < stands.rev : change.seq < stands.seq;
}

/**
 * Drop the values of own ops that an erasure took: those without a value among the heads.
 * @param {Stores} stores
 * @param {Change} change
 * @param {{[name: string]: import("../sync/ground.js").Head[]}} told
 */
async function eraseOwn(stores, { kind, id }, told) {
  const lists = Object.entries(told);
  const gone = lists.filter(([, list]) => list.some((head) => head.erased)).map(([name]) => name);
  if (gone.length === 0) return;
  const valued = new Set(lists.flatMap(([, list]) => list.filter((head) => !head.erased).map((head) => head.t)));
  for (const row of await stores.all("op", "record", [kind, id])) {
    const op = opOf(row) ?? {};
    const fields = [op.set, op.add, op.strike].flatMap((part) => Object.keys(part ?? {}));
    if (!valued.has(row.stamp) && fields.some((field) => gone.includes(field))) await erase(stores, row);
  }
}

/**
 * Something became of a photo's record: its receipt may be had now.
 * @param {Stores} stores
 * @param {string} id
 */
async function askAgain(stores, id) {
  const photo = await stores.get("photo", id);
  if (photo?.askAfter) await stores.put("photo", { ...photo, askAfter: 0 });
}

/**
 * Send a photo again that the server asks for after all.
 * @param {Stores} stores
 * @param {{id: string, sha256: string}} wanted
 */
async function want(stores, { id, sha256 }) {
  const photo = await stores.get("photo", id);
  if (photo?.state === "stored" && photo.sha256 === sha256) {
    await stores.put("photo", { ...photo, state: "waiting", offset: 0, upload: null, previewAsked: false, previewSent: false });
  }
}
