// @ts-check
/** What the screens list: own reports with how far they have come, and the state of the phone. */

import { WAITING } from "../sync/ground.js";
import { found, nameOf, read } from "./database.js";
import { facts, identities, writerOf } from "./identity.js";
import { MOST_UNDO_MS, isAhead } from "./moments.js";
import { SCREEN, opOf, screenOf } from "./records.js";

/** @typedef {import("./database.js").Stores} Stores */
/** @typedef {import("./records.js").OpRow} OpRow */
/** @typedef {import("./photos.js").Photo} Photo */
/** @typedef {import("./reports.js").Report} Report */

const STORES = [...SCREEN, "report", "photo"];
const NEEDS_YOU = new Set(["quarantined", "refused"]);
const DECIDED_MS = 30 * 24 * 3600 * 1000;

/**
 * @typedef {object} Standing how far a report has come
 * @property {string} state ready, sending, stored, complete or parked
 * @property {string | null} reason the code of what parks it
 * @property {string} record waiting, sending, stored, held or needs-you
 * @property {{all: number, previews: number, stored: number, refused: number}} photos
 * @property {number} needsYou
 */

/**
 * Return how far a report has come, by its ops and photos. Pure.
 * @param {OpRow[]} ops
 * @param {Photo[]} photos
 * @param {boolean} isSending
 * @returns {Standing}
 */
export function standingOf(ops, photos, isSending) {
  const parked = ops.filter((op) => NEEDS_YOU.has(op.status));
  const refused = photos.filter((photo) => photo.state === "refused");
  const waiting = ops.filter((op) => op.status === WAITING);
  const stored = photos.filter((photo) => photo.state === "stored").length;
  const previews = photos.filter((photo) => photo.previewSent).length;
  const record = recordState(ops, waiting, isSending);
  const allIn = stored === photos.length ? "complete" : "stored";
  let state = waiting.length ? (isSending && waiting.some((op) => op.sends > 0) ? "sending" : "ready") : allIn;
  if (parked.length || refused.length) state = "parked";
  const reason = parked[0]?.code ?? refused[0]?.code ?? null;
  return {
    state,
    reason,
    record,
    photos: { all: photos.length, previews, stored, refused: refused.length },
    needsYou: parked.length + refused.length,
  };
}

/**
 * @param {OpRow[]} ops
 * @param {OpRow[]} waiting
 * @param {boolean} isSending
 */
function recordState(ops, waiting, isSending) {
  if (ops.some((op) => NEEDS_YOU.has(op.status))) return "needs-you";
  if (waiting.length) return isSending && waiting.some((op) => op.sends > 0) ? "sending" : "waiting";
  return ops.some((op) => op.status === "held") ? "held" : "stored";
}

/**
 * Return the reports of whoever writes now, newest first; `ofAll`: of everybody on a shared phone.
 * @param {string} name
 * @param {{ofAll?: boolean}} [how]
 */
export function reports(name, { ofAll = false } = {}) {
  return read(name, STORES, async (stores) => {
    const writer = await writerOf(stores);
    const [every, ops, photos] = await Promise.all(["report", "op", "photo"].map((store) => stores.all(store)));
    const isSending = Boolean(await stores.get("facts", "sending"));
    const opsBy = Map.groupBy(ops, (/** @type {OpRow} */ op) => op.report);
    const photosBy = Map.groupBy(photos, (/** @type {Photo} */ photo) => photo.report);
    const all = every.filter((/** @type {Report} */ one) => ofAll || one.by === writer.id);
    all.sort((/** @type {Report} */ a, /** @type {Report} */ b) => b.savedAt - a.savedAt);
    const rows = [];
    for (const report of all) {
      rows.push(await rowOf(stores, report, { ops: opsBy.get(report.id) ?? [], photos: photosBy.get(report.id) ?? [], isSending }));
    }
    return rows;
  });
}

/**
 * @param {Stores} stores
 * @param {Report} report
 * @param {{ops: OpRow[], photos: Photo[], isSending: boolean}} parts
 */
async function rowOf(stores, report, { ops, photos, isSending }) {
  const screen = await screenOf(stores, report).catch(() => null); // erased, or gone with an epoch
  const animals = await animalsOf(stores, report, ops);
  const { state: told, state_reason: why = null } = /** @type {any} */ (screen?.shown ?? {});
  const open = [screen, ...animals].flatMap((one) => one?.reviews ?? []);
  return {
    ...report,
    ...standingOf(ops, photos, isSending),
    isWithdrawn: screen?.isWithdrawn ?? false,
    animals: animals.map((one) => ({ id: one.id, kind: factsOf(one).kind, count: factsOf(one).count })),
    firstPhoto: photos[0]?.id ?? null,
    review: told ? { state: told, reason: why } : null,
    conflicts: open.filter((/** @type {any} */ one) => one.state === "open").length,
  };
}

/**
 * Return what the officer said and the server shows: held facts stand in their own report.
 * @param {import("../sync/overlay.js").Screen} screen
 */
function factsOf({ shown, aside }) {
  return Object.assign({}, ...aside.map((one) => one.values), shown);
}

/**
 * Return the screens of a report's animals: own ones, and those pulled that name it.
 * @param {Stores} stores
 * @param {Report} report
 * @param {OpRow[]} ops
 */
async function animalsOf(stores, report, ops) {
  const own = ops.filter((op) => op.kind === "animal").map((op) => op.record);
  const pulled = report.kind === "seizure" ? await stores.all("pulled") : [];
  const named = pulled.filter((one) => one.kind === "animal" && one.change?.record?.seizure_id === report.id);
  const ids = [...new Set([...own, ...named.map((one) => one.id)])];
  const screens = await Promise.all(ids.map((id) => screenOf(stores, { kind: "animal", id }).catch(() => null)));
  return screens.filter((one) => one !== null);
}

/**
 * Return one report with everything of it.
 * @param {string} name
 * @param {string} id
 */
export function report(name, id) {
  return read(name, STORES.concat("bytes"), async (stores) => {
    const known = found(await stores.get("report", id), `report ${id}`);
    const ops = /** @type {OpRow[]} */ (await stores.all("op", "report", id));
    const photos = /** @type {Photo[]} */ (await stores.all("photo", "report", id));
    const held = new Set();
    for (const photo of photos) if (await stores.get("bytes", photo.sha256)) held.add(photo.id);
    const { device, sending } = await facts(stores, "device", "sending");
    const isSending = Boolean(sending);
    const screen = await screenOf(stores, known).catch(() => null);
    const animals = await animalsOf(stores, known, ops);
    const screens = [...(screen ? [screen] : []), ...animals];
    return {
      ...(await rowOf(stores, known, { ops, photos, isSending })),
      undoUntil: isAhead(known.undoUntil, { most: MOST_UNDO_MS }) ? known.undoUntil : 0,
      screen,
      animals,
      photos: standingOf(ops, photos, isSending).photos,
      photoRows: photos.map((photo) => photoRow(photo, held.has(photo.id))),
      ops: ops.map((row) => ({ id: row.id, kind: row.kind, record: row.record, status: row.status, code: row.code, parked: row.parked ?? [], reason: row.reason, stamp: row.stamp, said: saidOf(row) })),
      conflictCards: screens.flatMap((one) => conflictsOf(one, device.actor)),
    };
  });
}

/**
 * Return the fields that an op says, of a set the elements it adds.
 * @param {OpRow} row
 */
function saidOf(row) {
  const { set = {}, add = {} } = opOf(row) ?? {};
  return { ...add, ...set };
}

/**
 * @param {Photo} photo
 * @param {boolean} hasBytes
 */
export function photoRow(photo, hasBytes) {
  const { id, sha256, size, fields, state, code, offset, previewSent, receipt, hasPreview } = photo;
  const { media_type: mediaType, source, subject = null, taken_at: takenAt } = fields ?? {};
  const shown = state === "saved" ? "waiting" : state;
  return { id, sha256, size, mediaType, source, subject, takenAt, state: shown, code, offset, previewSent, hasPreview, hasBytes, receipt };
}

/**
 * Return the conflicts of a record: the open ones, and those decided in the last 30 days.
 * @param {import("../sync/overlay.js").Screen} screen
 * @param {string} actor
 */
function conflictsOf({ kind, id, reviews, shown }, actor) {
  const since = Date.now() - DECIDED_MS;
  return reviews
    .map((review) => /** @type {any} */ (review))
    .filter((review) => review.state === "open" || Date.parse(review.decided?.received_at ?? "") > since)
    .map((review) => ({
      kind,
      id,
      field: review.field,
      review: review.id,
      state: review.state,
      shown: shown[review.field] ?? null,
      decided: review.decided ?? null,
      heads: (review.heads ?? []).map((/** @type {any} */ head) => ({
        value: head.v,
        by: head.by,
        at: head.received_at,
        isOwn: String(head.t).endsWith(`-${actor}`),
        isDecision: head.decision != null,
      })),
    }));
}

/**
 * Return what waits and what needs the person.
 * @param {string} name
 * @param {string} device
 */
export async function status(name, device) {
  const here = await read(name, STORES.concat("alarm"), async (stores) => {
    const [ops, photos] = await Promise.all(["op", "photo"].map((store) => stores.all(store)));
    const told = await facts(stores, "pause", "sending", "sent", "me", "device");
    return { ops, photos, alarms: await stores.all("alarm"), ...told };
  });
  const statuses = (/** @type {string[]} */ ...names) => here.ops.filter((/** @type {OpRow} */ op) => names.includes(op.status));
  const states = (/** @type {string[]} */ ...names) => here.photos.filter((/** @type {Photo} */ one) => names.includes(one.state)).length;
  const pause = here.pause ?? null;
  return {
    who: device,
    waiting: new Set(statuses(WAITING).map((/** @type {OpRow} */ op) => op.report)).size,
    opsWaiting: statuses(WAITING).length,
    held: statuses("held").length,
    needsYou: statuses("quarantined", "refused").length,
    photosWaiting: states("saved", "waiting"),
    photosRefused: states("refused"),
    othersWaiting: await othersWaiting(device),
    isSending: Boolean(here.sending),
    fault: pause?.code ?? null,
    nextTryAt: pause?.until ?? null,
    lastSentAt: here.sent ?? null,
    alarms: here.alarms,
    isConfirmed: here.me?.told?.device?.confirmed ?? here.device?.confirmed ?? false,
  };
}

/** @param {string} device */
async function othersWaiting(device) {
  const { known } = await identities();
  const others = known.filter((one) => one.device !== device);
  const counts = await Promise.all(others.map((one) => waitingOf(one.device)));
  return counts.reduce((sum, one) => sum + one.waiting + one.photosWaiting, 0);
}

/**
 * Return how many ops and photos of an identity wait, and what its last sending failed by.
 * @param {string} device
 */
export function waitingOf(device) {
  return read(nameOf(device), ["op", "photo", "facts"], async (stores) => {
    const ops = /** @type {OpRow[]} */ (await stores.all("op", "status", WAITING));
    const photos = await Promise.all(["saved", "waiting"].map((state) => stores.count("photo", "state", state)));
    const { pause } = await facts(stores, "pause");
    return { waiting: new Set(ops.map((op) => op.report)).size, photosWaiting: photos[0] + photos[1], fault: pause?.code ?? null };
  });
}

/**
 * Return the ids of all records of a kind that the phone holds.
 * @param {string} name
 * @param {string} kind
 */
export function records(name, kind) {
  return read(name, ["op", "pulled"], async (stores) => {
    const [ops, pulled] = await Promise.all(["op", "pulled"].map((store) => stores.all(store)));
    const own = ops.filter((/** @type {OpRow} */ op) => op.kind === kind).map((/** @type {OpRow} */ op) => op.record);
    const theirs = pulled.filter((/** @type {any} */ one) => one.kind === kind && one.change).map((/** @type {any} */ one) => one.id);
    return [...new Set([...own, ...theirs])].sort();
  });
}
