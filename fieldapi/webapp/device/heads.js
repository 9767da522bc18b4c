// @ts-check
/**
 * The tree heads a phone has seen: carried away, brought back, and checked against each other. A
 * root that does not continue the last one seen is an alarm that is kept and shown; it never stops
 * a phone from handing in what it holds. Twin of `sync/client/heads.py`.
 */

import { canonical } from "../sync/canonical.js";
import { unhex, verifyConsistency } from "../sync/tree.js";

/** @typedef {import("./database.js").Stores} Stores */
/** @typedef {import("./answer.js").TreeHead} TreeHead */
/** @typedef {{authority: string, epoch: string, size: number, root: string, isWitness?: boolean}} Seen */

/**
 * Return the heads for the next request, those of older epochs included until handed in.
 * @param {Seen[]} seen
 */
export function toSend(seen) {
  return seen.map(({ authority, epoch, size, root }) => ({ authority, epoch, size, root }));
}

/**
 * Judge each head of an answer by what was seen: `keep` it, `alarm`, or pass it over (a longer one
 * without a proof: the next proof may start from the older one). Done before the transaction that
 * acts on it, for hashing may not be awaited inside one.
 * @param {TreeHead[]} heads
 * @param {Seen[]} seen
 * @returns {Promise<{head: TreeHead, seen: Seen | undefined, verdict: "keep" | "alarm" | "pass"}[]>}
 */
export function judge(heads, seen) {
  return Promise.all(
    heads.map(async (head) => {
      const last = seen.find((one) => one.authority === head.authority && one.epoch === head.epoch);
      return { head, seen: last, verdict: await verdictOn(head, last) };
    }),
  );
}

/**
 * @param {TreeHead} head
 * @param {Seen | undefined} last
 */
async function verdictOn(head, last) {
  if (!head.fits) return "alarm";
  if (!last || (await continues(head, last))) return "keep";
  return head.size <= last.size || head.consistency.length ? "alarm" : "pass";
}

/**
 * @param {TreeHead} head
 * @param {Seen} last
 */
async function continues(head, last) {
  try {
    const claim = { proof: head.consistency.map(unhex), root: unhex(head.root) };
    return await verifyConsistency(last.size, unhex(last.root), head.size, claim);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Act on verdicts, and let go of the witnesses: the server has them now.
 * @param {Stores} stores with `head`, `alarm`
 * @param {Awaited<ReturnType<typeof judge>>} judged
 * @param {number} nowMs of the server
 */
export async function take(stores, judged, nowMs) {
  for (const one of await stores.all("head")) {
    if (one.isWitness) await stores.delete("head", [one.authority, one.epoch]);
  }
  for (const { head, seen, verdict } of judged) {
    const { authority, epoch, size, root } = head;
    if (verdict === "keep") await stores.put("head", { authority, epoch, size, root, isWitness: false });
    if (verdict !== "alarm") continue;
    const detail = { authority, epoch, seen: { size: seen?.size ?? 0, root: seen?.root ?? "" }, told: { size, root } };
    const key = canonical(detail);
    if (!(await stores.get("alarm", key))) await stores.put("alarm", { key, atMs: nowMs, ...detail });
  }
}

/**
 * Turn all heads into witnesses of an epoch that is over.
 * @param {Stores} stores with `head`
 */
export async function retire(stores) {
  for (const one of await stores.all("head")) await stores.put("head", { ...one, isWitness: true });
}
