// @ts-check
/**
 * Which ops a new one replaces: the base, fixed at capture by what stood on the screen. Twin of
 * `sync/client/base.py` (docs/protocol/sync.md section 5). `capture.js` calls it.
 */

import { equal } from "./canonical.js";
import {
  WITHDRAWN,
  covered,
  headsOf,
  isBy,
  isOut,
  parkedOf,
  sets,
  unseen,
} from "./ground.js";
import { keyOf } from "./schema.js";
import { actorOf } from "./stamps.js";

/** @typedef {import("./ground.js").Ground} Ground */
/** @typedef {import("./ground.js").Own} Own */

/**
 * Return what an edit of this field replaces.
 *
 * Over an own value that the server has not shown back yet: whatever that one replaced, and it.
 * Only when the person looked at a newer value meanwhile do its heads come in. Own ops that are
 * held, quarantined or rejected stay named, so that their release is no conflict with oneself: a
 * restored server knows of no rejection.
 * @param {string} name
 * @param {Ground} ground
 * @param {string} actor
 * @returns {string[]}
 */
export function baseOf(name, ground, actor) {
  const done = covered(ground);
  const mine = ground.own.filter((own) => sets(own, name));
  const aside = mine.filter((own) => isOut(own, name)).map((own) => own.op.op);
  const fresh = mine.filter((own) => !done.has(own.op.op) && !isOut(own, name));
  const newest = fresh.at(-1);
  if (newest && !Object.hasOwn(ground.looked, name)) {
    return unique([...(newest.op.base?.[name] ?? []), newest.op.op, ...aside]);
  }
  const seen = newest ? lookedAt(name, ground, mine) : headsOf(ground.pulled, name);
  const heads = ground.pulled.openReviews.has(name) ? seen.filter((one) => isBy(one, actor)) : seen;
  return unique([...heads.map((head) => head.op), ...fresh.map((own) => own.op.op), ...aside]);
}

/**
 * Return the heads that the person looked at, and own ops that a pull has brought back since.
 * @param {string} name
 * @param {Ground} ground
 * @param {Own[]} mine
 */
function lookedAt(name, ground, mine) {
  const called = new Set(mine.flatMap((own) => [own.op.op, `${actorOf(own.op.t)}/${own.op.op}`]));
  return [...ground.looked[name], ...headsOf(ground.pulled, name).filter((one) => called.has(one.op))];
}

/**
 * Return the adds of one element on the screen: what a strike of it must name.
 * @param {string} name
 * @param {any} key
 * @param {Ground} ground
 * @param {import("./schema.js").KindSchema} schema
 * @returns {string[]}
 */
export function addsOf(name, key, ground, schema) {
  const pulled = headsOf(ground.pulled, name).filter((head) => equal(head.key ?? null, key));
  const own = uncovered(ground).filter((one) =>
    (one.op.add?.[name] ?? []).some((element) => equal(keyOf(schema, name, element), key)),
  );
  return unique([...pulled.map((head) => head.op), ...own.map((one) => one.op.op)]);
}

/**
 * Return every head and add on the screen: a retract says what it was made knowing, and not what
 * hides under an own value that its author has not looked past.
 * @param {Ground} ground
 * @returns {string[]}
 */
export function everything(ground) {
  const fields = Object.entries(ground.pulled.heads).filter(([name]) => name !== WITHDRAWN);
  const seen = fields.flatMap(([name, heads]) => {
    const hidden = unseen(ground, name);
    return heads.filter((head) => !hidden.includes(head));
  });
  const own = uncovered(ground).filter((one) => one.op.set || one.op.add);
  return unique([...seen.map((head) => head.op), ...own.map((one) => one.op.op)]);
}

/**
 * @param {Ground} ground
 * @returns {Own[]}
 */
function uncovered(ground) {
  const done = covered(ground);
  return ground.own.filter(
    (own) => !done.has(own.op.op) || isOut(own) || parkedOf(own).length > 0,
  );
}

/** @param {string[]} ops */
function unique(ops) {
  return [...new Set(ops)];
}
