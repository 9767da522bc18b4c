// @ts-check
/**
 * The screen: the pulled record with the own ops it does not contain yet on top. Twin of
 * `sync/client/overlay.py`; pure. The phone never computes heads, shown values or reviews: it shows
 * what the server sent, and its own hand over it (docs/protocol/sync.md section 5).
 */

import { equal } from "./canonical.js";
import {
  WITHDRAWN,
  headsOf,
  isAnswered,
  isAside,
  isWithdrawn,
  onTop,
  parkedOf,
  unseen,
} from "./ground.js";
import { keyOf } from "./schema.js";

/** @typedef {import("./ground.js").Ground} Ground */
/** @typedef {import("./ground.js").Own} Own */
/** @typedef {import("./ground.js").Strike} Strike */
/** @typedef {import("./canonical.js").JSONValue} JSONValue */

/**
 * Own facts that are stored but not merged: `held` waits, `quarantined` needs the person.
 * @typedef {object} Aside
 * @property {string} op
 * @property {string} status
 * @property {string | null} code
 * @property {{[name: string]: JSONValue}} values
 */

/**
 * One record as its officer should see it. `waiting`: own ops without an answer. `newer`: values of
 * others under an own newer one that the person has not looked at. `ground`: hand it back with an
 * edit made on this screen.
 * @typedef {object} Screen
 * @property {string} kind
 * @property {string} id
 * @property {{[name: string]: JSONValue}} shown
 * @property {{[name: string]: JSONValue[]}} struck
 * @property {boolean} isWithdrawn
 * @property {JSONValue[]} reviews
 * @property {string[]} waiting
 * @property {Aside[]} aside
 * @property {{[name: string]: JSONValue}} newer
 * @property {Ground} ground
 */

/**
 * Return what to show.
 * @param {string} kind
 * @param {string} id
 * @param {Ground} ground
 * @param {import("./schema.js").KindSchema} schema
 * @returns {Screen}
 */
export function screen(kind, id, ground, schema) {
  const shown = { ...ground.pulled.shown };
  const struck = { ...ground.pulled.struck };
  const top = onTop(ground);
  for (const own of top) {
    for (const [name, value] of Object.entries(own.op.set ?? {})) {
      if (!parkedOf(own).includes(name)) shown[name] = value;
    }
  }
  for (const name of setsOf(top)) {
    const seen = new SetOnScreen(name, ground, schema);
    [shown[name], struck[name]] = [seen.shown, seen.struck];
  }
  delete shown[WITHDRAWN];
  return {
    kind,
    id,
    shown,
    struck: Object.fromEntries(Object.entries(struck).filter(([, listed]) => listed.length)),
    isWithdrawn: isWithdrawn(ground),
    reviews: ground.pulled.reviews,
    waiting: ground.own.filter((own) => !isAnswered(own)).map((own) => own.op.op),
    aside: ground.own.flatMap(asideOf),
    newer: newerOf(ground, top),
    ground,
  };
}

/**
 * @param {Own[]} top
 * @returns {Set<string>} the set fields that own ops write
 */
function setsOf(top) {
  return new Set(
    top.flatMap(({ op }) => [...Object.keys(op.add ?? {}), ...Object.keys(op.strike ?? {})]),
  );
}

/** A set with own adds and strikes applied in stamp order, one element shown per key. */
class SetOnScreen {
  /**
   * @param {string} name
   * @param {Ground} ground
   * @param {import("./schema.js").KindSchema} schema
   */
  constructor(name, ground, schema) {
    /** @type {(element: JSONValue) => JSONValue} */
    this.keyOf = (element) => keyOf(schema, name, element);
    this.shown = listOf(ground.pulled.shown[name]);
    this.struck = listOf(ground.pulled.struck[name]);
    const heads = headsOf(ground.pulled, name);
    this.adds = heads.map(({ key = null, op }) => ({ key, op }));
    /** @type {Set<string>} */
    this.named = new Set();
    for (const own of onTop(ground)) {
      if (!parkedOf(own).includes(name)) this.apply(own, name);
    }
  }

  /**
   * @param {Own} own
   * @param {string} name
   */
  apply({ op }, name) {
    for (const element of op.add?.[name] ?? []) this.put(element, op.op);
    for (const strike of op.strike?.[name] ?? []) this.strike(strike);
  }

  /**
   * @param {JSONValue} element
   * @param {string} op
   */
  put(element, op) {
    const key = this.keyOf(element);
    this.adds.push({ key, op });
    this.struck = this.struck.filter((one) => !equal(this.keyOf(one), key));
    const place = this.shown.findIndex((one) => equal(this.keyOf(one), key));
    if (place < 0) this.shown.push(element);
    else this.shown[place] = element;
  }

  /**
   * Take an element back once every add of its key is named by a strike.
   * @param {Strike} strike
   */
  strike({ key, ops }) {
    for (const op of ops) this.named.add(op);
    const adds = this.adds.filter((add) => equal(add.key, key));
    if (!adds.every((add) => this.named.has(add.op))) return;
    this.struck.push(...this.shown.filter((one) => equal(this.keyOf(one), key)));
    this.shown = this.shown.filter((one) => !equal(this.keyOf(one), key));
  }
}

/**
 * @param {Own} own
 * @returns {Aside[]}
 */
function asideOf(own) {
  const { op, status, code = null } = own;
  const values = { ...op.set, ...op.add };
  if (isAside(own)) return [{ op: op.op, status, code, values }];
  const parked = Object.entries(values).filter(([name]) => parkedOf(own).includes(name));
  if (parkedOf(own).length === 0) return [];
  return [{ op: op.op, status, code, values: Object.fromEntries(parked) }];
}

/**
 * Return the pulled values that an own value hides and its author never saw.
 * @param {Ground} ground
 * @param {Own[]} top
 */
function newerOf(ground, top) {
  const names = new Set(top.flatMap(({ op }) => Object.keys(op.set ?? {})));
  const hiding = [...names].filter((name) => unseen(ground, name).length > 0);
  return Object.fromEntries(hiding.map((name) => [name, ground.pulled.shown[name] ?? null]));
}

/**
 * @param {JSONValue | undefined} value
 * @returns {JSONValue[]}
 */
function listOf(value) {
  return Array.isArray(value) ? [...value] : [];
}
