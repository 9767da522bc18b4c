// @ts-check
/**
 * A report: one record with its animals and photos, saved in one transaction under a number that
 * never changes, and taken back as long as nobody has seen it. Called by `phone.js`.
 */

import { newId } from "../sync/ids.js";
import { WAITING } from "../sync/ground.js";
import { found, write } from "./database.js";
import { facts, nextNumber, schemaOf, writerOf } from "./identity.js";
import { CAPTURE, capture, editOf } from "./records.js";
import { mint, monthOf } from "./references.js";

/** @typedef {import("./database.js").Stores} Stores */

/**
 * @typedef {object} Report
 * @property {string} id the record's
 * @property {string} kind
 * @property {string | null} reference
 * @property {number} savedAt
 * @property {number} undoUntil
 * @property {string | null} draft
 * @property {string} by
 */

/**
 * @typedef {object} Said
 * @property {string} kind
 * @property {{[name: string]: any}} fields
 * @property {string} [draft]
 * @property {({id?: string} & {[name: string]: any})[]} [animals]
 * @property {({id: string} & {[name: string]: any})[]} [photos] all of the draft's if absent
 * @property {number} [undoMs] how long it can be undone: nothing of it is sent before
 */

/**
 * A change to one record of a report. `seen`: the screen that the person made it on; `retract`: why
 * the record does not count any more, in the place of fields.
 * @typedef {{kind: string, id: string, fields?: {[name: string]: any}, retract?: string,
 *   seen?: import("../sync/overlay.js").Screen}} Change
 * @typedef {{about: "correction" | "conflict", record?: string, field?: string, answer?: "agree" | "stay" | "unsure",
 *   text?: string}} Statement
 * @typedef {{changes?: Change[], animals?: Said["animals"], statement?: Statement}} Correction
 */

const UNDO_MS = 10_000;
const UNDONE = "undone on the phone";
const STORES = [...CAPTURE, "report", "draft", "photo", "counter"];

/**
 * Save a report: its number, its ops and what becomes of its draft, all or nothing.
 * @param {string} name
 * @param {Said} said
 * @returns {Promise<Report>}
 */
export function saveReport(name, said) {
  const nowMs = Date.now();
  return write(name, STORES, async (stores) => {
    const draft = said.draft && (await stores.get("draft", said.draft));
    // Two tabs may show one draft: whichever saves second is told what the first made of it.
    const twin = draft?.savedAs && (await stores.get("report", draft.savedAs));
    if (twin) return twin;
    const report = {
      id: newId(nowMs),
      kind: said.kind,
      reference: said.kind === "seizure" ? await nextReference(stores, nowMs) : null,
      savedAt: nowMs,
      undoUntil: nowMs + (said.undoMs ?? UNDO_MS),
      draft: said.draft ?? null,
      by: (await writerOf(stores)).id,
    };
    await captureAll(stores, report, said);
    await stores.put("report", report);
    if (draft) await stores.put("draft", { ...draft, savedAs: report.id });
    return report;
  });
}

/**
 * Add lots of animals, and the photos of a draft, to a report that was saved before.
 * @param {string} name
 * @param {string} id
 * @param {Pick<Said, "animals" | "draft">} said
 * @returns {Promise<void>}
 */
export function addParts(name, id, said) {
  return write(name, STORES, async (stores) => {
    const report = found(await stores.get("report", id), `report ${id}`);
    await createParts(stores, { ...report, savedAt: Date.now(), undoUntil: 0 }, said);
    const draft = said.draft && (await stores.get("draft", said.draft));
    if (draft) await stores.put("draft", { ...draft, savedAs: id });
  });
}

/**
 * Write what is said of a saved report otherwise, or more, and why, in one moment.
 * @param {string} name
 * @param {string} id
 * @param {Correction} said
 * @returns {Promise<void>}
 */
export function correct(name, id, { changes = [], animals = [], statement }) {
  const nowMs = Date.now();
  return write(name, STORES, async (stores) => {
    const report = found(await stores.get("report", id), `report ${id}`);
    for (const { kind, id: record, fields = {}, retract, seen } of changes) {
      const edit = retract === undefined ? editOf(await schemaOf(stores, kind), fields) : { retract };
      await capture(stores, { kind, id: record }, edit, { report: id, nowMs, seen: seen?.ground });
    }
    await createParts(stores, { ...report, savedAt: nowMs, undoUntil: 0 }, { animals, photos: [] });
    if (statement === undefined) return;
    const one = { id: newId(nowMs), said_at: new Date(nowMs).toISOString(), ...statement };
    await capture(stores, report, { add: { statements: [one] } }, { report: id, nowMs });
  });
}

/**
 * @param {Stores} stores
 * @param {number} atMs
 */
async function nextReference(stores, atMs) {
  const { device, authority } = await facts(stores, "device", "authority");
  const counter = await nextNumber(stores, `reference ${monthOf(atMs)}`);
  return mint(authority.code, device.number, { atMs, counter });
}

/**
 * Write the ops of a report and of its parts.
 * @param {Stores} stores
 * @param {Report} report
 * @param {Said} said
 */
async function captureAll(stores, report, said) {
  const own = report.reference === null ? {} : { reference: report.reference, origin: "phone" };
  await create(stores, report, { kind: report.kind, id: report.id, fields: { ...said.fields, ...own } });
  await createParts(stores, report, said);
}

/**
 * Write the ops of what hangs on a report.
 * @param {Stores} stores
 * @param {Report} report
 * @param {Pick<Said, "animals" | "photos" | "draft">} said
 */
async function createParts(stores, report, said) {
  const link = { [`${report.kind}_id`]: report.id };
  for (const { id = newId(report.savedAt), ...fields } of said.animals ?? []) {
    await create(stores, report, { kind: "animal", id, fields: { ...fields, ...link } });
  }
  for (const { id, ...more } of said.photos ?? (await photosOf(stores, said.draft))) {
    const photo = found(await stores.get("photo", id), `photo ${id}`);
    const fields = { ...photo.fields, ...more, sha256: photo.sha256, size: photo.size, ...link };
    await create(stores, report, { kind: "photo", id, fields });
    await stores.put("photo", { ...photo, state: "saved", report: report.id });
  }
}

/**
 * @param {Stores} stores
 * @param {string | undefined} draft
 * @returns {Promise<{id: string}[]>}
 */
async function photosOf(stores, draft) {
  const kept = draft && (await stores.get("draft", draft));
  return (kept?.photos ?? []).map((/** @type {string} */ id) => ({ id }));
}

/**
 * @param {Stores} stores
 * @param {Report} report
 * @param {{kind: string, id: string, fields: {[name: string]: any}}} record
 */
async function create(stores, report, { kind, id, fields }) {
  const edit = editOf(await schemaOf(stores, kind), fields, { isNew: true });
  const { id: of, undoUntil: holdUntil, savedAt: nowMs } = report;
  await capture(stores, { kind, id }, edit, { report: of, holdUntil, nowMs });
}

/**
 * Take a report back: before its first sending it never was, and its draft is there again; after
 * it, it is withdrawn.
 * @param {string} name
 * @param {string} id
 * @returns {Promise<{how: "draft" | "retracted", draft: string | null}>}
 */
export function undoReport(name, id) {
  return write(name, STORES, async (stores) => {
    const report = found(await stores.get("report", id), `report ${id}`);
    const ops = await stores.all("op", "report", id);
    if (ops.some((op) => op.sends > 0 || op.status !== WAITING)) {
      const place = { kind: report.kind, id };
      await capture(stores, place, { retract: UNDONE }, { report: id });
      return { how: "retracted", draft: null };
    }
    for (const op of ops) await stores.delete("op", op.stamp);
    const draft = report.draft && (await stores.get("draft", report.draft));
    const photos = await stores.all("photo", "report", id);
    for (const photo of photos) {
      await stores.put("photo", { ...photo, state: "draft", report: "", draft: draft ? draft.id : photo.draft });
    }
    // Photos that were added meanwhile come back with the others.
    if (draft) await stores.put("draft", { ...draft, savedAs: null, photos: photos.map((one) => one.id) });
    await stores.delete("report", id);
    return { how: "draft", draft: report.draft };
  });
}
