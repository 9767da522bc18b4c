// @ts-check
/**
 * The animals of a lot one by one, by their number among them: how each is known again. Their ear
 * tags stand in the lot's own list as well, where everybody looks for them. Called by `door/`.
 */

import { addsOf } from "../sync/base.js";
import { schemaOf } from "./identity.js";
import { capture, screenOf } from "./records.js";

/** @typedef {{number: number, marks?: string, ear_tag?: string, condition?: string}} Individual */

const MISREAD = "misread";

/**
 * Describe animals of a lot, those that are named; a tag that was written for one of them before
 * and is not any more is struck as misread. All of it or nothing.
 * @param {import("./database.js").Stores} stores CAPTURE
 * @param {string} id of the lot
 * @param {Individual[]} individuals
 * @param {{report?: string}} how
 */
export async function describe(stores, id, individuals, how) {
  const { shown, ground } = await screenOf(stores, { kind: "animal", id });
  const before = /** @type {Individual[]} */ (shown.individuals ?? []);
  const tags = /** @type {string[]} */ (shown.ear_tags ?? []);
  const after = new Map([...before, ...individuals].map((one) => [one.number, one]));
  const named = new Set([...after.values()].map((one) => one.ear_tag));
  const gone = before.map((one) => one.ear_tag).filter((tag) => tag && tags.includes(tag) && !named.has(tag));
  const schema = await schemaOf(stores, "animal");
  const struck = gone.map((tag) => ({ key: tag, ops: addsOf("ear_tags", tag, ground, schema), reason: MISREAD }));
  const fresh = [...named].filter((tag) => tag && !tags.includes(tag));
  const add = { individuals, ...(fresh.length && { ear_tags: fresh }) };
  const edit = /** @type {any} */ ({ add, ...(struck.length && { strike: { ear_tags: struck } }) });
  await capture(stores, { kind: "animal", id }, edit, { ...how, seen: ground });
}
