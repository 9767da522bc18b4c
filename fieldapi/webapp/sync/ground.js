// @ts-check
/**
 * What a phone knows of one record: the version it last pulled and its own ops on it, and which of
 * these the pulled version contains already. Twin of `sync/client/record.py` and of the reading in
 * `pulled.py`; values only. `base.js`, `overlay.js` and `capture.js` compute with them.
 */

import { actorOf } from "./stamps.js";

/** @typedef {import("./canonical.js").JSONValue} JSONValue */

/**
 * One entry of `stamps`: `op` is ready to be put in a base. `key`: adds of a set only.
 * @typedef {{op: string, t: string, e?: number, key?: JSONValue, erased?: boolean}} Head
 */

/**
 * A record as the server last sent it. `shown`: flat dotted names, sets as lists.
 * @typedef {object} Pulled
 * @property {number} seq
 * @property {{[name: string]: JSONValue}} shown
 * @property {{[name: string]: JSONValue[]}} struck
 * @property {{[name: string]: Head[]}} heads
 * @property {JSONValue[]} reviews
 * @property {Set<string>} openReviews
 */

/** @typedef {{key: JSONValue, ops: string[], reason?: string}} Strike */

/**
 * An op as it is sent (docs/protocol/sync.md section 2).
 * @typedef {object} Op
 * @property {string} op
 * @property {string} kind
 * @property {string} id
 * @property {string} by
 * @property {string} t
 * @property {number} at
 * @property {number} [n]
 * @property {true} [new]
 * @property {{[name: string]: JSONValue}} [set]
 * @property {{[name: string]: string[]}} [base]
 * @property {{[name: string]: JSONValue[]}} [add]
 * @property {{[name: string]: Strike[]}} [strike]
 * @property {{[name: string]: JSONValue} | false} [retract]
 * @property {string} [fixes]
 * @property {string} [salt]
 * @property {JSONValue} [head]
 */

/**
 * An op of this device, and what became of it. `seq`: where it stands in the ledger, once
 * answered. `past`: a pull that began with its answer or later ran to the end. `parked`: the
 * fields that were not merged.
 * @typedef {object} Own
 * @property {Op} op
 * @property {string} status
 * @property {number | null} [seq]
 * @property {boolean} [past]
 * @property {string | null} [code]
 * @property {string[]} [parked]
 */

/**
 * What stood on the screen: the pulled record, the own ops in stamp order, and the heads the
 * person has looked at under own newer values, by field.
 * @typedef {{pulled: Pulled, own: Own[], looked: {[name: string]: Head[]}}} Ground
 */

export const WITHDRAWN = "withdrawn"; // the register field that `retract` writes, in every kind
export const EVERYTHING = "*"; // in the base of a retract: every head and add on the screen
export const WAITING = "waiting"; // no answer yet, or the answer was `retry`
export const REFUSED = "refused"; // too large for the server even alone: only an export can save it

const ASIDE = new Set(["held", "quarantined", REFUSED]);

/** @type {Pulled} */
export const NOTHING = {
  seq: 0,
  shown: {},
  struck: {},
  heads: {},
  reviews: [],
  openReviews: new Set(),
};

/**
 * Return the record in a `put` of the pull. What it does not tell is taken as empty.
 * @param {any} change
 * @returns {Pulled}
 */
export function readPulled(change) {
  const { struck = {}, ...shown } = change.record ?? {};
  const reviews = change.reviews ?? [];
  const open = reviews.filter((/** @type {any} */ review) => review.state === "open");
  return {
    seq: change.seq,
    shown,
    struck,
    heads: change.stamps ?? {},
    reviews,
    openReviews: new Set(open.map((/** @type {any} */ review) => review.field)),
  };
}

/**
 * Return the ops nobody replaced in a field; for a set, its adds.
 * @param {Pulled} pulled
 * @param {string} name
 * @returns {Head[]}
 */
export function headsOf(pulled, name) {
  return pulled.heads[name] ?? [];
}

/**
 * Say whether a device made a head.
 * @param {Head} head
 * @param {string} actor
 */
export function isBy(head, actor) {
  return actorOf(head.t) === actor;
}

/**
 * Say whether an own op gives a field a value (a retract does to `withdrawn`).
 * @param {Own} own
 * @param {string} name
 */
export function sets(own, name) {
  return (
    Object.hasOwn(own.op.set ?? {}, name) || (name === WITHDRAWN && own.op.retract !== undefined)
  );
}

/**
 * Say whether anything was decided about an own op.
 * @param {Own} own
 */
export function isAnswered(own) {
  return own.status !== WAITING;
}

/**
 * Say whether an own op, or its part in a field, is stored but was not merged.
 * @param {Own} own
 * @param {string} [name]
 */
export function isAside(own, name) {
  const isParked = name !== undefined && parkedOf(own).includes(name);
  if (own.status === "quarantined" && parkedOf(own).length > 0) return isParked;
  return ASIDE.has(own.status) || isParked;
}

/**
 * Say whether a reviewer refused to release an own op: it does not count.
 * @param {Own} own
 */
export function isRejected(own) {
  return own.status === "rejected";
}

/**
 * Say whether an own op, or its part in a field, was not merged, or not yet.
 * @param {Own} own
 * @param {string} [name]
 */
export function isOut(own, name) {
  return isRejected(own) || isAside(own, name);
}

/**
 * Return the fields of an own op that were not merged.
 * @param {Own} own
 * @returns {string[]}
 */
export function parkedOf(own) {
  return own.parked ?? [];
}

/**
 * Return a ground with the own ops made since: one's own hand needs no looking at.
 * @param {Ground} ground
 * @param {Own[]} own
 * @returns {Ground}
 */
export function withNewer(ground, own) {
  const last = ground.own.at(-1)?.op.t ?? "";
  const newer = own
    .filter((one) => one.op.t > last)
    .map((one) => ({ ...one, seq: null, past: false }));
  return { ...ground, own: [...ground.own, ...newer] };
}

/**
 * Return the ids of the own ops that the pulled record contains already: answered, shown back, and
 * no older own op unanswered (docs/protocol/sync.md section 5). A phone that has not been sent the
 * record, because it may not read yet, keeps showing them.
 * @param {Ground} ground
 * @returns {Set<string>}
 */
export function covered(ground) {
  const firstOpen = ground.own.findIndex((own) => !isAnswered(own));
  const answered = firstOpen < 0 ? ground.own : ground.own.slice(0, firstOpen);
  const { seq } = ground.pulled;
  const done = answered.filter(
    (own) => (own.past && seq > 0) || (own.seq != null && seq >= own.seq),
  );
  return new Set(done.map((own) => own.op.op));
}

/**
 * Return the own ops that show over the pulled record, oldest first.
 * @param {Ground} ground
 * @returns {Own[]}
 */
export function onTop(ground) {
  const done = covered(ground);
  return ground.own.filter((own) => !done.has(own.op.op) && !isOut(own));
}

/**
 * Return the heads that an own value hides and that its author has not looked at.
 * @param {Ground} ground
 * @param {string} name
 * @returns {Head[]}
 */
export function unseen(ground, name) {
  const hides = (/** @type {Own} */ own) => sets(own, name) && !parkedOf(own).includes(name);
  if (!onTop(ground).some(hides)) return [];
  const seen = new Set([
    ...ground.own.flatMap(({ op }) => op.base?.[name] ?? []),
    ...(ground.looked[name] ?? []).map((head) => head.op),
    ...ground.own.flatMap(({ op }) => [op.op, `${actorOf(op.t)}/${op.op}`]),
  ]);
  return headsOf(ground.pulled, name).filter((head) => !seen.has(head.op));
}

/**
 * Say whether the record shows as withdrawn, own retracts included.
 * @param {Ground} ground
 * @returns {boolean}
 */
export function isWithdrawn(ground) {
  let shown = ground.pulled.shown[WITHDRAWN] === true;
  for (const own of onTop(ground)) {
    if (sets(own, WITHDRAWN) && !parkedOf(own).includes(WITHDRAWN)) {
      shown = own.op.retract !== false;
    }
  }
  return shown;
}
