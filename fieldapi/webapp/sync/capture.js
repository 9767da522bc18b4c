// @ts-check
/**
 * From what a person did on a screen to the ops that say it. Twin of `sync/client/capture.py`;
 * pure: ids, stamps and salts are arguments. The text made here is the text that is sent, once and
 * again; save it in the transaction that saves the stamp.
 */

import { baseOf, everything } from "./base.js";
import { canonical, NotJson } from "./canonical.js";
import { EVERYTHING, WITHDRAWN, isWithdrawn } from "./ground.js";
import { isPersonal } from "./schema.js";
import { actorOf } from "./stamps.js";

/** @typedef {import("./ground.js").Ground} Ground */
/** @typedef {import("./ground.js").Op} Op */
/** @typedef {import("./ground.js").Strike} Strike */
/** @typedef {import("./canonical.js").JSONValue} JSONValue */

/**
 * What a person did to one record. `retract`: the reason, or false to undo a retract. `fixes`: the
 * quarantined op that this corrects.
 * @typedef {object} Edit
 * @property {{[name: string]: JSONValue}} [set]
 * @property {{[name: string]: JSONValue[]}} [add]
 * @property {{[name: string]: Strike[]}} [strike]
 * @property {string | false} [retract]
 * @property {boolean} [isNew]
 * @property {string} [fixes]
 */

/** @typedef {{edit: Edit, isPersonal: boolean}} Part one op's worth of an edit */

/**
 * What the moment of capture gives an op. `at`: raw wall clock, ms. `salt`: base64url, used by
 * personal parts only. `head`: the last tree head seen.
 * @typedef {object} Ticket
 * @property {string} op
 * @property {string} by
 * @property {string} stamp
 * @property {number} at
 * @property {number} n
 * @property {string} salt
 * @property {JSONValue} [head]
 */

const MAX_DEPTH = 20; // nested containers that a server reads

/**
 * Split an edit into facts and personal, in this order; an empty part is left out.
 *
 * A retract stands alone, and counts as personal because its reason is free text.
 * @param {Edit} edit
 * @param {import("./schema.js").KindSchema} schema
 * @returns {Part[]}
 */
export function parts(edit, schema) {
  if (edit.retract !== undefined) return [{ edit, isPersonal: true }];
  const facts = { edit: only(edit, (name) => !isPersonal(schema, name)), isPersonal: false };
  const personal = { edit: only(edit, (name) => isPersonal(schema, name)), isPersonal: true };
  const said = [facts, personal].filter((part) => hasValues(part.edit));
  if (!edit.isNew) return said;
  const [first = facts, ...rest] = said;
  return [{ ...first, edit: { ...first.edit, isNew: true } }, ...rest];
}

/**
 * Return the op that says a part. Its base is fixed here, for good.
 * @param {Part} part
 * @param {string} kind
 * @param {string} record
 * @param {{ground: Ground, ticket: Ticket}} moment
 * @returns {Op}
 */
export function draft(part, kind, record, { ground, ticket }) {
  const { edit } = part;
  /** @type {Op} */
  const op = {
    op: ticket.op,
    kind,
    id: record,
    by: ticket.by,
    t: ticket.stamp,
    at: ticket.at,
    n: ticket.n,
  };
  if (edit.isNew) op.new = true;
  if (isFilled(edit.set)) op.set = edit.set;
  const base = basesOf(edit, ground, actorOf(ticket.stamp));
  if (isFilled(base)) op.base = base;
  if (isFilled(edit.add)) op.add = edit.add;
  if (isFilled(edit.strike)) op.strike = edit.strike;
  if (edit.retract !== undefined) {
    op.retract = edit.retract === false ? false : { reason: edit.retract };
  }
  if (edit.fixes !== undefined) op.fixes = edit.fixes;
  if (part.isPersonal) op.salt = ticket.salt;
  if (ticket.head != null) op.head = ticket.head;
  return op;
}

/**
 * Return an op as the text that is sent. Throws NotJson now for what a server could only set aside
 * later: half a surrogate pair, NUL, a number beyond 2^53 - 1, too deep nesting.
 * @param {Op} op
 * @returns {string}
 */
export function seal(op) {
  canonical(op);
  check(op, 0);
  return JSON.stringify(op);
}

/**
 * @param {unknown} value
 * @param {number} depth containers around it
 */
function check(value, depth) {
  if (typeof value === "string" && value.includes("\0")) throw new NotJson("a text holds U+0000");
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson("a whole number is beyond 2^53 - 1");
  }
  if (typeof value !== "object" || value === null) return;
  if (depth === MAX_DEPTH) throw new NotJson(`more than ${MAX_DEPTH} levels of nesting`);
  for (const [name, inner] of Object.entries(value)) {
    check(name, depth);
    check(inner, depth + 1);
  }
}

/**
 * @param {Edit} edit
 * @param {Ground} ground
 * @param {string} actor
 */
function basesOf(edit, ground, actor) {
  /** @type {{[name: string]: string[]}} */
  const bases = {};
  for (const name of Object.keys(edit.set ?? {})) bases[name] = baseOf(name, ground, actor);
  if (edit.retract !== undefined || isWithdrawn(ground)) {
    bases[WITHDRAWN] = baseOf(WITHDRAWN, ground, actor);
  }
  if (typeof edit.retract === "string") bases[EVERYTHING] = everything(ground);
  return bases;
}

/**
 * @param {Edit} edit
 * @param {(name: string) => boolean} keep
 * @returns {Edit}
 */
function only(edit, keep) {
  /** @type {<T>(fields: {[name: string]: T} | undefined) => {[name: string]: T}} */
  const kept = (fields = {}) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => keep(name)));
  const part = { set: kept(edit.set), add: kept(edit.add), strike: kept(edit.strike) };
  return edit.fixes === undefined ? part : { ...part, fixes: edit.fixes };
}

/** @param {Edit} edit */
function hasValues(edit) {
  return isFilled(edit.set) || isFilled(edit.add) || isFilled(edit.strike);
}

/**
 * @template T
 * @param {{[name: string]: T} | undefined} fields
 * @returns {fields is {[name: string]: T}}
 */
function isFilled(fields) {
  return fields !== undefined && Object.keys(fields).length > 0;
}
