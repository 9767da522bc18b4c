// @ts-check
/**
 * The answer of `POST /api/v1/sync`, read with suspicion: one that does not fit what was sent is no
 * answer, for a captive portal must never make a phone drop an op. What a newer server adds is
 * passed over. Twin of `sync/client/answer.py`; pure.
 */

import { Fault } from "./faults.js";

const STORED = new Set(["applied", "conflict", "held", "quarantined", "rejected"]);

/**
 * `outcome` is null for `retry`: the phone keeps the op.
 * @typedef {{op: string, outcome: import("./outbox.js").Outcome | null, retryAfterMs: number}} Result
 */

/** @typedef {{seq: number, what: string, kind: string, id: string, rev: number, document: any}} Change */

/**
 * @typedef {object} TreeHead
 * @property {string} authority
 * @property {string} epoch
 * @property {number} size
 * @property {string} root
 * @property {string[]} consistency
 * @property {boolean} fits false where the server says that a head brought back is not of its history
 */

/**
 * @typedef {object} Answer
 * @property {string} epoch
 * @property {number} serverNowMs
 * @property {string} cursor
 * @property {boolean} more
 * @property {Result[]} results
 * @property {Change[]} changes
 * @property {{id: string, sha256: string}[]} photos
 * @property {TreeHead[]} treeHeads
 */

/**
 * Return the answer to a request that carried the ops `sent`. Raises `not-ours`.
 * @param {any} told
 * @param {string[]} sent
 * @returns {Answer}
 */
export function readAnswer(told, sent) {
  const isWhole =
    typeof told?.epoch === "string" &&
    typeof told.cursor === "string" &&
    typeof told.more === "boolean" &&
    !Number.isNaN(Date.parse(told.server_now)) &&
    Array.isArray(told.changes) &&
    Array.isArray(told.results) &&
    told.results.length === sent.length;
  if (!isWhole) throw new Fault("not-ours", "this is no answer to a sync");
  return {
    epoch: told.epoch,
    serverNowMs: Date.parse(told.server_now),
    cursor: told.cursor,
    more: told.more,
    results: sent.map((op, i) => resultOf(told.results[i], i, op)),
    changes: told.changes.map(changeOf),
    photos: told.photos ?? [],
    treeHeads: (told.tree_heads ?? []).map(headOf),
  };
}

/**
 * @param {any} item
 * @param {number} i
 * @param {string} op
 * @returns {Result}
 */
export function resultOf(item, i, op) {
  if (item?.i !== i || item.op !== op || typeof item.status !== "string") {
    throw new Fault("not-ours", `result ${i} answers another op`);
  }
  const { status, seq = null, reason = null, retry_after_ms: retryAfterMs = 0 } = item;
  if (!STORED.has(status)) return { op, outcome: null, retryAfterMs };
  const fields = Object.entries(item.fields ?? {});
  const aside = fields.filter(([, told]) => isParked(told));
  const parked = aside.map(([name]) => name);
  const code = item.code ?? /** @type {any} */ (aside[0]?.[1])?.code ?? null;
  return { op, outcome: { status, seq, code, parked, reason }, retryAfterMs: 0 };
}

/** @param {any} told */
function isParked(told) {
  return typeof told?.code === "string" && told.code !== "corrected";
}

/**
 * @param {any} item
 * @returns {Change}
 */
function changeOf(item) {
  const { seq, what, kind } = item ?? {};
  if (!Number.isSafeInteger(seq) || typeof what !== "string") throw new Fault("not-ours", "a change without seq");
  const id = String(what === "outcome" ? item.op : item.id);
  return { seq, what, kind: String(kind), id, rev: revOf(item.rev, seq), document: item };
}

/**
 * Return the place in `"epoch.seq"`, the change's own place if there is none.
 * @param {any} rev
 * @param {number} seq
 */
function revOf(rev, seq) {
  const last = /(\d+)"?$/.exec(String(rev ?? ""));
  return last ? Number(last[1]) : seq;
}

/**
 * @param {any} item
 * @returns {TreeHead}
 */
function headOf({ authority, epoch, size, root, consistency = [], fits }) {
  if (!Number.isSafeInteger(size)) throw new Fault("not-ours", "a tree head without size");
  return { authority: String(authority), epoch: String(epoch), size, root: String(root), consistency, fits: fits !== false };
}
