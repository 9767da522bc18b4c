// @ts-check
/** Turns the phone's vectors into the values that the modules take. */

import { NOTHING, readPulled } from "../../../fieldapi/webapp/sync/ground.js";

export const KIND = "animal";
export const RECORD = "00000000-0000-7000-8000-00000000beef";

/**
 * @param {any} told
 * @returns {import("../../../fieldapi/webapp/sync/ground.js").Ground}
 */
export function groundOf(told) {
  return {
    pulled: told.pulled ? readPulled(told.pulled) : NOTHING,
    own: told.own,
    looked: told.looked ?? {},
  };
}

/**
 * @param {{facts: string[], sets: {[name: string]: string | null}}} told
 * @returns {import("../../../fieldapi/webapp/sync/schema.js").KindSchema}
 */
export function schemaOf(told) {
  return { facts: new Set(told.facts), sets: new Map(Object.entries(told.sets)) };
}

/**
 * @param {any} told
 * @returns {import("../../../fieldapi/webapp/sync/capture.js").Edit}
 */
export function editOf({ new: isNew = false, ...edit }) {
  return { ...edit, isNew };
}

/**
 * @param {string} actor
 * @returns {import("../../../fieldapi/webapp/sync/capture.js").Ticket}
 */
export function ticketOf(actor) {
  return {
    op: "00000000-0000-7000-8000-00000000a999",
    by: "00000000-0000-7000-9000-aaaaaaaaaaaa",
    stamp: `019ad408ffff-0000-${actor}`,
    at: 0,
    n: 1,
    salt: "AAAAAAAAAAAAAAAAAAAAAA",
  };
}
