// @ts-check
/**
 * Reports in the making: each change is on disk before its promise resolves. Also the mark that is
 * left before a file input opens, because the camera may close the app.
 */

import { newId } from "../sync/ids.js";
import { REGISTRY, found, read, write } from "./database.js";

/**
 * `photos`: kept by `photos.js`, what a screen says of them is passed over. `savedAs`: the report
 * that was made of it; it is dropped when that is sent.
 * @typedef {object} Draft
 * @property {string} id
 * @property {string} kind
 * @property {string} step
 * @property {any} values
 * @property {string[]} photos
 * @property {number} startedAt
 * @property {number} changedAt
 * @property {string | null} savedAs
 */

/**
 * Keep a draft as it is now.
 * @param {string} name
 * @param {Partial<Draft>} draft
 * @returns {Promise<Draft>}
 */
export function saveDraft(name, draft) {
  return write(name, ["draft"], async (stores) => {
    const now = Date.now();
    const id = draft.id ?? newId(now);
    const known = await stores.get("draft", id);
    const empty = { kind: "seizure", step: "", values: {}, startedAt: now, savedAs: null };
    const kept = { ...empty, ...known, ...draft, id, changedAt: now, photos: known?.photos ?? [] };
    await stores.put("draft", kept);
    return kept;
  });
}

/**
 * What is said in a draft from now on. `values`: by name, the others stay. `by`: how many more or
 * fewer of a kind are counted.
 * @typedef {{step?: string, values?: {[name: string]: any}, by?: {[kind: string]: number}}} Change
 */

/**
 * Return a draft with a change made; no count falls below none.
 * @template {{step: string, values: any}} T
 * @param {T} draft
 * @param {Change} change
 * @returns {T}
 */
export function changed(draft, { step = draft.step, values = {}, by = {} }) {
  const counts = { ...draft.values.counts };
  for (const [kind, more] of Object.entries(by)) counts[kind] = Math.max(0, (counts[kind] ?? 0) + more);
  return { ...draft, step, values: { ...draft.values, ...values, counts } };
}

/**
 * Make changes to a draft as it lies on the phone, whatever another tab said in it meanwhile.
 * @param {string} name
 * @param {Draft} draft as it was before, for one that is gone
 * @param {Change[]} changes
 * @returns {Promise<Draft>}
 */
export function changeDraft(name, draft, changes) {
  return write(name, ["draft"], async (stores) => {
    const known = await stores.get("draft", draft.id);
    const { values } = known?.values ? known : draft;
    const before = { ...draft, ...known, values, photos: known?.photos ?? [] };
    const kept = { ...changes.reduce(changed, before), changedAt: Date.now() };
    await stores.put("draft", kept);
    return kept;
  });
}

/**
 * Return the drafts that nothing was made of yet, newest first.
 * @param {string} name
 * @returns {Promise<Draft[]>}
 */
export async function drafts(name) {
  const all = await read(name, ["draft"], (stores) => stores.all("draft"));
  return all.filter((one) => one.savedAs === null).map(whole).sort((a, b) => b.startedAt - a.startedAt);
}

/**
 * Return one draft, null if there is none.
 * @param {string} name
 * @param {string} id
 * @returns {Promise<Draft | null>}
 */
export async function draft(name, id) {
  const kept = await read(name, ["draft"], (stores) => stores.get("draft", id));
  return kept ? whole(kept) : null;
}

/** Return a draft with all its members, whatever of it the storage gave back. @param {any} kept @returns {Draft} */
function whole(kept) {
  return { ...kept, values: kept.values ?? {}, photos: kept.photos ?? [] };
}

/**
 * Drop a draft and its photos, unless a report was made of it.
 * @param {string} name
 * @param {string} id
 */
export function dropDraft(name, id) {
  return write(name, ["draft", "photo", "bytes", "preview"], async (stores) => {
    const known = found(await stores.get("draft", id), `draft ${id}`);
    if (known.savedAs !== null) return;
    for (const photo of await stores.all("photo", "draft", id)) await dropPhoto(stores, photo);
    await stores.delete("draft", id);
  });
}

/**
 * Drop a photo that was never announced, and its bytes if no other photo has them.
 * @param {import("./database.js").Stores} stores with photo, bytes and preview
 * @param {{id: string, sha256: string}} photo
 */
export async function dropPhoto(stores, { id, sha256 }) {
  await stores.delete("photo", id);
  await stores.delete("preview", id);
  if ((await stores.count("photo", "sha256", sha256)) === 0) await stores.delete("bytes", sha256);
}

const MARK = "capture";

/**
 * Leave a mark before a file input opens: which draft, and where in it.
 * @param {{draft: string, slot: string | number} | null} mark null takes it away
 */
export function markCapture(mark) {
  return write(REGISTRY, ["facts"], (stores) => stores.put("facts", mark, MARK));
}

/**
 * Return the mark that the last run of the app left, and take it away.
 * @returns {Promise<{draft: string, slot: string | number} | null>}
 */
export function takeCaptureMark() {
  return write(REGISTRY, ["facts"], async (stores) => {
    const mark = (await stores.get("facts", MARK)) ?? null;
    if (mark) await stores.put("facts", null, MARK);
    return mark;
  });
}
