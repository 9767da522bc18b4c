// @ts-check
/**
 * Records as the phone knows them: the server's last word and own ops on top, and how an edit
 * becomes ops. Twin of `sync/client/recorder.py` and `pulled.py`. Ops are signed after they are
 * saved: WebCrypto may not be awaited inside a transaction.
 */

import { addsOf } from "../sync/base.js";
import { NotJson } from "../sync/canonical.js";
import { draft, parts, seal } from "../sync/capture.js";
import { NOTHING, WAITING, readPulled, sets, withNewer } from "../sync/ground.js";
import { newId, newSalt } from "../sync/ids.js";
import { screen as overlay } from "../sync/overlay.js";
import { Fault } from "./faults.js";
import { facts, schemaOf, tick, writerOf } from "./identity.js";

/** @typedef {import("./database.js").Stores} Stores */
/** @typedef {import("../sync/ground.js").Ground} Ground */
/** @typedef {import("../sync/capture.js").Edit} Edit */
/** @typedef {{kind: string, id: string}} Place */

/** What `capture` needs. */
export const CAPTURE = ["facts", "op", "pulled", "looked", "head"];
/** What `screenOf` needs. */
export const SCREEN = ["facts", "op", "pulled", "looked"];

/**
 * An own op as it is kept. `text`: what is signed and sent, null once an erasure took its values.
 * `jws`: null until it is signed. `holdUntil`: not sent before, so that it can be undone. `sends`:
 * how often it left. `past`: a pull that began with its answer or later ran to the end.
 * @typedef {object} OpRow
 * @property {string} stamp
 * @property {string} id
 * @property {string} kind
 * @property {string} record
 * @property {string} report the id of the report it belongs to
 * @property {string | null} text
 * @property {string | null} jws
 * @property {string} status
 * @property {string | null} code
 * @property {string[]} parked
 * @property {string | null} reason
 * @property {number | null} seq
 * @property {boolean} past
 * @property {number | null} answeredMs
 * @property {number} holdUntil
 * @property {number} sends
 */

/**
 * Return the op of a row; null for one whose values an erasure took, or that the phone's storage
 * gives back damaged: it is sent as it was signed, and hides nothing else.
 * @param {OpRow} row
 * @returns {any}
 */
export function opOf({ text }) {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Return own ops as the overlay reads them.
 * @param {OpRow[]} rows
 * @returns {import("../sync/ground.js").Own[]}
 */
function ownOf(rows) {
  const read = rows.map((row) => ({ ...row, op: opOf(row) })).filter((row) => row.op !== null);
  return read.map(({ op, status, seq, past, code, parked }) => ({ op, status, seq, past, code, parked }));
}

/**
 * Return what stands on the screen of a record now.
 * @param {Stores} stores
 * @param {Place} place
 * @returns {Promise<Ground>}
 */
export async function groundOf(stores, { kind, id }) {
  const rows = /** @type {OpRow[]} */ (await stores.all("op", "record", [kind, id]));
  const own = ownOf(rows);
  const pulled = await stores.get("pulled", [kind, id]);
  const ground = { pulled: pulled?.change ? readPulled(pulled.change) : NOTHING, own, looked: {} };
  const fields = Object.keys(ground.pulled.heads);
  const looks = await Promise.all(fields.map((field) => stores.get("looked", [kind, id, field])));
  // The next own op on a field ends a look at it.
  const valid = looks.filter(
    (look) => look && own.every((one) => !sets(one, look.field) || one.op.t <= look.stamp),
  );
  return { ...ground, looked: Object.fromEntries(valid.map((look) => [look.field, look.heads])) };
}

/**
 * Return a record as its officer should see it now. Raises `unknown`.
 * @param {Stores} stores
 * @param {Place} place
 */
export async function screenOf(stores, place) {
  const ground = await groundOf(stores, place);
  if (ground.pulled === NOTHING && ground.own.length === 0) {
    throw new Fault("unknown", `${place.kind} ${place.id}`);
  }
  return overlay(place.kind, place.id, ground, await schemaOf(stores, place.kind));
}

/**
 * Return the edit that gives a record these fields: those of sets are lists of elements.
 * @param {import("../sync/schema.js").KindSchema} schema
 * @param {{[name: string]: any}} fields
 * @param {Partial<Edit>} [more]
 * @returns {Edit}
 */
export function editOf(schema, fields, more = {}) {
  const isSet = (/** @type {string} */ name) => schema.sets.has(name);
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    set: Object.fromEntries(named.filter(([name]) => !isSet(name))),
    add: Object.fromEntries(named.filter(([name, value]) => isSet(name) && value?.length)),
    ...more,
  };
}

/**
 * Save the ops that say an edit; returns how many. `seen`: what stood on the screen it was made
 * on. Raises `invalid` for what no op can say, `no-device`.
 * @param {Stores} stores CAPTURE
 * @param {Place} place
 * @param {Edit} edit
 * @param {{seen?: Ground, report?: string, holdUntil?: number, nowMs?: number}} [how]
 * @returns {Promise<number>}
 */
export async function capture(stores, place, edit, how = {}) {
  const { report = place.id, holdUntil = 0, nowMs = Date.now() } = how;
  const schema = await schemaOf(stores, place.kind);
  let ground = await groundOf(stores, place);
  if (how.seen) ground = withNewer(how.seen, ground.own);
  const said = parts(edit, schema);
  for (const part of said) {
    const ticket = await ticketOf(stores, nowMs);
    const op = draft(part, place.kind, place.id, { ground, ticket });
    await stores.put("op", rowOf(op, { report, holdUntil }));
  }
  return said.length;
}

/**
 * @param {Stores} stores
 * @param {number} at
 * @returns {Promise<import("../sync/capture.js").Ticket>}
 */
async function ticketOf(stores, at) {
  const { device, authority } = await facts(stores, "device", "authority");
  if (!device) throw new Fault("no-device");
  const { stamp, n } = await tick(stores, at, device.actor);
  const head = (await stores.all("head")).find((one) => one.authority === authority.id && !one.isWitness);
  const seen = head && { size: head.size, root: head.root };
  return { op: newId(at), by: (await writerOf(stores)).id, stamp, at, n, salt: newSalt(), head: seen };
}

/**
 * @param {import("../sync/ground.js").Op} op
 * @param {{report: string, holdUntil: number}} how
 * @returns {OpRow}
 */
function rowOf(op, { report, holdUntil }) {
  return {
    stamp: op.t,
    id: op.op,
    kind: op.kind,
    record: op.id,
    report,
    text: sealed(op),
    jws: null,
    status: WAITING,
    code: null,
    parked: [],
    reason: null,
    seq: null,
    past: false,
    answeredMs: null,
    holdUntil,
    sends: 0,
  };
}

/** @param {import("../sync/ground.js").Op} op */
function sealed(op) {
  try {
    return seal(op);
  } catch (error) {
    if (error instanceof NotJson) throw new Fault("invalid", error.message);
    throw error;
  }
}

/**
 * Take an element of a set back, by its key, as it stands on the screen.
 * @param {Stores} stores CAPTURE
 * @param {Place} place
 * @param {string} field
 * @param {{key: any, reason: string, report?: string}} how
 */
export async function strike(stores, place, field, { key, reason, report }) {
  const ground = await groundOf(stores, place);
  const ops = addsOf(field, key, ground, await schemaOf(stores, place.kind));
  return capture(stores, place, { strike: { [field]: [{ key, ops, reason }] } }, { seen: ground, report });
}

/**
 * Remember that the person was shown the `newer` values of these fields.
 * @param {Stores} stores with `looked`
 * @param {import("../sync/overlay.js").Screen} seen
 * @param {string[]} names all of `newer` if none
 */
export async function look(stores, seen, names) {
  const stamp = seen.ground.own.at(-1)?.op.t ?? "";
  for (const field of names.length ? names : Object.keys(seen.newer)) {
    const heads = (seen.ground.pulled.heads[field] ?? []).map(({ op, t }) => ({ op, t }));
    await stores.put("looked", { kind: seen.kind, id: seen.id, field, stamp, heads });
  }
}
