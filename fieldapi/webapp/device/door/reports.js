// @ts-check
/** Of the door: saved reports, the records behind them, and every way to say more about one. */

import { REFUSED, WAITING } from "../../sync/ground.js";
import { read, write } from "../database.js";
import { schemaOf } from "../identity.js";
import { signAll } from "../outbox.js";
import { retry } from "../photos.js";
import * as recordStore from "../records.js";
import * as reportStore from "../reports.js";
import { sendAfter } from "../sending.js";
import { tell } from "../signals.js";
import * as views from "../views.js";
import { here } from "./identity.js";

/** @typedef {import("../reports.js").Said} Said */
/** @typedef {import("../../sync/overlay.js").Screen} Screen */
/** @typedef {{[name: string]: any}} Fields dotted names; a set field takes the list of its elements */

/**
 * Save a report under its number; it is signed when this returns.
 * @param {Said} said
 */
export async function saveReport(said) {
  const name = await here();
  const report = await reportStore.saveReport(name, said);
  await signAll(name);
  tell("reports", "drafts", "status");
  sendAfter(report.undoUntil);
  return report;
}

/**
 * Add lots of animals, and the photos of a draft, to a saved report.
 * @param {string} id
 * @param {Pick<Said, "animals" | "draft">} said
 */
export async function addParts(id, said) {
  const name = await here();
  await reportStore.addParts(name, id, said);
  await signAll(name);
  tell("reports", "drafts", "status");
  sendAfter(0);
}

/**
 * Say things of a saved report otherwise, or more of it, with the reason: all of it or nothing.
 * @param {string} id
 * @param {import("../reports.js").Correction} said
 */
export async function correct(id, said) {
  const name = await here();
  await reportStore.correct(name, id, said);
  await signAll(name);
  tell("reports", "records", "status");
  sendAfter(0);
}

/** @param {string} id */
export async function undoReport(id) {
  const undone = await reportStore.undoReport(await here(), id);
  tell("reports", "drafts", "status");
  return undone;
}

/** @param {{ofAll?: boolean}} [how] */
export async function reports(how) {
  return views.reports(await here(), how);
}

/** @param {string} id */
export async function report(id) {
  return views.report(await here(), id);
}

/** @param {string} kind */
export async function records(kind) {
  return views.records(await here(), kind);
}

/** @param {string} kind @param {string} id */
export async function screen(kind, id) {
  return read(await here(), recordStore.SCREEN, (stores) => recordStore.screenOf(stores, { kind, id }));
}

/** Return the seizures that this phone knows of, others' in short; the newest first. @param {string} [id] */
export async function cases(id) {
  return (await import("../cases.js")).cases(await here(), id);
}

/**
 * Write the ops of a change to a record, sign them, and let them be sent.
 * @param {string} kind
 * @param {string} id
 * @param {(stores: import("../database.js").Stores, how: {report: string}) => Promise<unknown>} work
 * @param {string} [report] to which it belongs; that of the first own op on the record, if absent
 */
async function captured(kind, id, work, report) {
  const name = await here();
  await write(name, recordStore.CAPTURE, async (stores) => {
    const [first] = await stores.all("op", "record", [kind, id]);
    return work(stores, { report: report ?? first?.report ?? id });
  });
  await signAll(name);
  tell("reports", "records", "status");
  sendAfter(0);
}

/**
 * Change fields of a record; null clears one. `seen`: the screen the person edited on. `fixes`: the
 * quarantined op that this corrects. `report`: to which it belongs, if it is the first on a record
 * of others.
 * @param {string} kind
 * @param {string} id
 * @param {Fields} fields
 * @param {{seen?: Screen, fixes?: string, report?: string}} [how]
 */
export function edit(kind, id, fields, { seen, fixes, report } = {}) {
  const work = async (/** @type {import("../database.js").Stores} */ stores, /** @type {{report: string}} */ how) => {
    const schema = await schemaOf(stores, kind);
    const change = recordStore.editOf(schema, fields, fixes === undefined ? {} : { fixes });
    await recordStore.capture(stores, { kind, id }, change, { ...how, seen: seen?.ground });
  };
  return captured(kind, id, work, report);
}

/**
 * @param {string} kind
 * @param {string} id
 * @param {string} field
 * @param {any} element
 * @param {{report?: string}} [how]
 */
export function addTo(kind, id, field, element, { report } = {}) {
  const change = { add: { [field]: [element] } };
  return captured(kind, id, (stores, how) => recordStore.capture(stores, { kind, id }, change, how), report);
}

/**
 * Describe animals of a lot one by one, with their ear tags.
 * @param {string} id of the lot
 * @param {import("../individuals.js").Individual[]} individuals
 * @param {{report?: string}} [how]
 */
export async function describe(id, individuals, { report } = {}) {
  const { describe: say } = await import("../individuals.js");
  return captured("animal", id, (stores, how) => say(stores, id, individuals, how), report);
}

/** @param {string} kind @param {string} id @param {string} field @param {{key: any, reason: string}} struck */
export function strike(kind, id, field, struck) {
  return captured(kind, id, (stores, how) => recordStore.strike(stores, { kind, id }, field, { ...struck, ...how }));
}

/** @param {string} kind @param {string} id @param {string} reason */
export function retract(kind, id, reason) {
  return captured(kind, id, (stores, how) => recordStore.capture(stores, { kind, id }, { retract: reason }, how));
}

/** @param {string} kind @param {string} id */
export function undoRetract(kind, id) {
  return captured(kind, id, (stores, how) => recordStore.capture(stores, { kind, id }, { retract: false }, how));
}

/** @param {Screen} seen @param {string[]} fields */
export async function look(seen, ...fields) {
  await write(await here(), ["looked"], (stores) => recordStore.look(stores, seen, fields));
}

/** @param {string} reportId what was refused goes back into the queue */
export async function retryParked(reportId) {
  const name = await here();
  await write(name, ["op"], async (stores) => {
    for (const row of await stores.all("op", "report", reportId)) {
      if (row.status === REFUSED) await stores.put("op", { ...row, status: WAITING, code: null });
    }
  });
  await retry(name, reportId);
  tell("reports", "photos", "status");
  sendAfter(0);
}
