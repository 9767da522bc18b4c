// @ts-check
/**
 * The phone as its screens see it: one door to capture, outbox and line. Capture needs no line and
 * no token; whatever is saved is on disk before the promise resolves. Screens import this module
 * only.
 */

import { REFUSED, WAITING } from "../sync/ground.js";
import { newId } from "../sync/ids.js";
import { nameOf, read, write } from "./database.js";
import * as draftStore from "./drafts.js";
import { Fault } from "./faults.js";
import * as identity from "./identity.js";
import * as lock from "./lock.js";
import { signAll } from "./outbox.js";
import * as photoStore from "./photos.js";
import * as recordStore from "./records.js";
import * as reportStore from "./reports.js";
import { sendAfter, sendAll } from "./sending.js";
import { tell } from "./signals.js";
import { estimate, isPersisted, persist } from "./storage.js";
import * as views from "./views.js";

export { Fault } from "./faults.js";
export { onChange } from "./signals.js";
export { sendAll, start } from "./sending.js";
export { markCapture, takeCaptureMark } from "./drafts.js";
export { isReference } from "./references.js";

/** @typedef {import("./drafts.js").Draft} Draft */
/** @typedef {import("./reports.js").Said} Said */
/** @typedef {import("../sync/overlay.js").Screen} Screen */
/** @typedef {{[name: string]: any}} Fields dotted names; a set field takes the list of its elements */

/** Return the device that is signed in. Raises `no-device`. */
async function signedIn() {
  const { signedIn: device } = await identity.identities();
  if (device === null) throw new Fault("no-device");
  return device;
}

/** Return the name of its database. */
async function here() {
  return nameOf(await signedIn());
}

// ---- who is here -------------------------------------------------------------------------------

/**
 * Enrol by a one-time code and be signed in; the same call may be made again after a fault.
 * @param {{code: string, about?: {[name: string]: string}}} asked
 */
export async function enrol({ code, about = {} }) {
  const device = await identity.enrol({ code, about });
  await identity.learn(device, "en").catch((fault) => {
    if (!(fault instanceof Fault)) throw fault; // the next sending asks again
  });
  tell("me", "status", "reports", "drafts");
  return identity.meOf(device);
}

/** Return who is signed in, null if nobody is. */
export async function open() {
  const { signedIn: device } = await identity.identities();
  return device === null ? null : identity.meOf(device);
}

/** Return who is signed in, as kept. */
export async function me() {
  return identity.meOf(await signedIn());
}

/** @param {{language?: string}} [asked] */
export async function refreshMe({ language = "en" } = {}) {
  const device = await signedIn();
  await identity.learn(device, language);
  tell("me");
  return identity.meOf(device);
}

/** Return everybody who was enrolled on this phone, with what waits. */
export async function identities() {
  const { known, signedIn: device } = await identity.identities();
  const counted = known.map(async (one) => ({
    ...one,
    isSignedIn: one.device === device,
    ...(await views.waitingOf(one.device)),
  }));
  return Promise.all(counted);
}

/** Hide the identity; nothing of it is erased, and what waits goes on being sent. */
export async function signOut() {
  await identity.signIn(null);
  tell("me", "status", "reports", "drafts");
}

/** @param {string} device whose person may have asked for the phone's lock: raises `locked` */
export async function signIn(device) {
  const { known } = await identity.identities();
  const wanted = known.find((one) => one.device === device);
  if (wanted === undefined) throw new Fault("no-device");
  await lock.unlock(wanted.person.id);
  await identity.signIn(device);
  tell("me", "status", "reports", "drafts");
  return identity.meOf(device);
}

/** @param {string} person of those who share this phone; named in all that is written from now on */
export async function actAs(person) {
  await lock.unlock(person);
  const device = await signedIn();
  await identity.actAs(device, person);
  tell("me", "status", "reports", "drafts");
  return identity.meOf(device);
}

/** Return whether the phone has a lock to ask, and whether whoever writes asked for it. */
export async function lockState() {
  const { person } = await me();
  return { canLock: await lock.canLock(), isLocked: await lock.isLocked(person.id) };
}

/** @param {boolean} isWanted */
export async function setLock(isWanted) {
  const { person } = await me();
  await lock.setLock(person, isWanted);
  tell("me");
}

/** Return what this phone has for working offline. */
export async function readiness() {
  const known = await read(await here(), ["facts"], (stores) => identity.facts(stores, "schema", "me"));
  const told = Date.parse(known.me?.told?.server_now ?? "");
  const clockOffMs = Number.isNaN(told) ? null : known.me.at - told;
  const hasMe = Boolean(known.me);
  return { hasSchema: Boolean(known.schema), hasMe, isPersisted: await isPersisted(), freeBytes: (await estimate()).free, clockOffMs };
}

// ---- drafts and photos -------------------------------------------------------------------------

/** @param {Partial<Draft>} draft */
export async function saveDraft(draft) {
  const kept = await draftStore.saveDraft(await here(), draft);
  tell("drafts");
  return kept;
}

export async function drafts() {
  return draftStore.drafts(await here());
}

/** @param {string} id */
export async function draft(id) {
  return draftStore.draft(await here(), id);
}

/** @param {string} id */
export async function dropDraft(id) {
  await draftStore.dropDraft(await here(), id);
  tell("drafts");
}

export function clearCaptureMark() {
  return draftStore.markCapture(null);
}

/**
 * @param {string} draftId
 * @param {ArrayBuffer | Blob} bytes
 * @param {Parameters<typeof photoStore.addPhoto>[3]} about
 */
export async function addPhoto(draftId, bytes, about) {
  const photo = await photoStore.addPhoto(await here(), draftId, bytes, about);
  tell("drafts", "photos");
  return views.photoRow(photo, true);
}

/** @param {string} id @param {ArrayBuffer | Blob} picture */
export async function setPreview(id, picture) {
  await photoStore.setPreview(await here(), id, picture);
  tell("photos");
}

/** @param {string} id */
export async function removePhoto(id) {
  await photoStore.removePhoto(await here(), id);
  tell("drafts", "photos");
}

/** @param {string} id */
export async function photoBytes(id) {
  return photoStore.photoBytes(await here(), id);
}

/** @param {string} id */
export async function previewOf(id) {
  return photoStore.previewOf(await here(), id);
}

// ---- reports and records -----------------------------------------------------------------------

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
  return (await import("./cases.js")).cases(await here(), id);
}

/**
 * Write the ops of a change to a record, sign them, and let them be sent.
 * @param {string} kind
 * @param {string} id
 * @param {(stores: import("./database.js").Stores, how: {report: string}) => Promise<unknown>} work
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
  const work = async (/** @type {import("./database.js").Stores} */ stores, /** @type {{report: string}} */ how) => {
    const schema = await identity.schemaOf(stores, kind);
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

// ---- the line ----------------------------------------------------------------------------------

/** Send now: a person asked. */
export function sendNow() {
  return sendAll({ isAsked: true });
}

/** Return what waits and what needs the person. */
export async function status() {
  const device = await signedIn();
  return views.status(nameOf(device), device);
}

/** @param {string} reportId what was refused goes back into the queue */
export async function retryParked(reportId) {
  const name = await here();
  await write(name, ["op"], async (stores) => {
    for (const row of await stores.all("op", "report", reportId)) {
      if (row.status === REFUSED) await stores.put("op", { ...row, status: WAITING, code: null });
    }
  });
  await photoStore.retry(name, reportId);
  tell("reports", "photos", "status");
  sendAfter(0);
}

// ---- storage and export ------------------------------------------------------------------------

export function keepStorage() {
  return persist();
}

export async function storage() {
  return { ...(await estimate()), isPersisted: await isPersisted() };
}

/** @param {{device?: string}} [of] */
export async function exportOutbox({ device } = {}) {
  const { exportOutbox: make } = await import("./archive.js");
  const { blob, name, ops, photos } = await make(device ?? (await signedIn()));
  return { blob, name, ops, photos };
}

/** @param {string} device whose token is dead; what it holds goes in under the one signed in */
export async function handIn(device) {
  const { handIn: carry } = await import("./archive.js");
  const told = await carry(device, await signedIn());
  tell("status", "reports", "photos");
  return told;
}

/** @param {Blob} file the copy that another phone saved; it goes in under the one signed in */
export async function carryIn(file) {
  const { carryIn: carry } = await import("./archive.js");
  return carry(file, await signedIn());
}

// ---- what only the server can do ---------------------------------------------------------------

/** @param {string} path of the API; raises `link-down` without a line */
export async function get(path) {
  return (await import("./office.js")).get(await here(), path);
}

/** @param {string} path @param {{id: string, [name: string]: any}} body */
export async function ask(path, body) {
  return (await import("./office.js")).ask(await here(), path, body);
}

/** @param {string} id of an official paper */
export async function paper(id) {
  return (await import("./office.js")).paper(await here(), id);
}

/** Return a fresh id, for what is asked of the server. */
export function freshId() {
  return newId(Date.now());
}
