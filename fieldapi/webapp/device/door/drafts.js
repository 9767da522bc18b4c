// @ts-check
/** Of the door: reports in the making and their photos. */

import * as draftStore from "../drafts.js";
import * as photoStore from "../photos.js";
import { tell } from "../signals.js";
import { photoRow } from "../views.js";
import { here } from "./identity.js";

export { changed, markCapture, takeCaptureMark } from "../drafts.js";

/** @typedef {import("../drafts.js").Draft} Draft */
/** @typedef {import("../drafts.js").Change} Change */

/** @param {Partial<Draft>} draft */
export async function saveDraft(draft) {
  const kept = await draftStore.saveDraft(await here(), draft);
  tell("drafts");
  return kept;
}

/** @param {Draft} draft as it was before @param {Change[]} changes */
export async function changeDraft(draft, changes) {
  const kept = await draftStore.changeDraft(await here(), draft, changes);
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
  return photoRow(photo, true);
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
