// @ts-check
/**
 * The photos of a phone: bytes as the camera gave them, under their hash, until the server's
 * receipt names that hash and some days are over. States: `draft` (no report yet), `saved` (its op
 * is not answered yet), `waiting`, `stored` (there is a receipt), `refused`.
 */

import { newId } from "../sync/ids.js";
import { found, read, write } from "./database.js";
import { dropPhoto } from "./drafts.js";
import { Fault, photoFault } from "./faults.js";
import { sha256 } from "./keys.js";
import { estimate } from "./storage.js";

/** @typedef {import("./database.js").Stores} Stores */

/**
 * `offset`: what the server is known to hold. `upload`: where. `askAfter`: no receipt was to be had
 * before. `storedMs`: when the receipt came, by the server's clock.
 * @typedef {object} Photo
 * @property {string} id
 * @property {string} sha256
 * @property {number} size
 * @property {string} state
 * @property {string} draft
 * @property {string} report empty while it is in a draft
 * @property {{[name: string]: any}} fields what its record will say beside hash and size
 * @property {boolean} hasPreview
 * @property {boolean} previewAsked the server was offered it, and took it (`previewSent`) or not
 * @property {boolean} previewSent
 * @property {number} offset
 * @property {string | null} upload
 * @property {string | null} code
 * @property {number} askAfter
 * @property {string | null} receipt
 * @property {number} storedMs
 */

const LEAST_FREE = 20e6; // bytes: below it the records need the room
const MOST_PREVIEW = 64 << 10;
const KEEP_MS = 3 * 24 * 3600 * 1000; // bytes outlive their receipt, for a server that is restored
const TIGHT = 200e6; // bytes: with less free, they do not

/**
 * Keep a photo of a draft: hashed, stored unaltered, read back and hashed again. Raises
 * `storage-full`, `photo-unsound`, `unknown` for the draft.
 * @param {string} name
 * @param {string} draft
 * @param {ArrayBuffer | Blob} taken
 * @param {{mediaType: string, source: "camera" | "gallery", takenAt: string, location?: any,
 *   subject?: string, preview?: ArrayBuffer | Blob}} about
 * @returns {Promise<Photo>}
 */
export async function addPhoto(name, draft, taken, about) {
  const { free } = await estimate();
  if (free !== null && free < LEAST_FREE) throw new Fault("storage-full");
  const bytes = await bufferOf(taken);
  if (bytes.byteLength === 0) throw new Fault("photo-unsound", "empty");
  const preview = about.preview ? await bufferOf(about.preview) : null;
  const photo = photoOf(draft, { sha256: await sha256(bytes), size: bytes.byteLength }, about);
  photo.hasPreview = fits(preview);
  await write(name, ["draft", "photo", "bytes", "preview"], async (stores) => {
    const kept = found(await stores.get("draft", draft), `draft ${draft}`);
    await stores.put("bytes", bytes, photo.sha256);
    if (photo.hasPreview) await stores.put("preview", preview, photo.id);
    await stores.put("photo", photo);
    await stores.put("draft", { ...kept, photos: [...kept.photos, photo.id], changedAt: Date.now() });
  }).catch((fault) => {
    throw photoFault(fault);
  });
  await requireSound(name, photo);
  return photo;
}

/**
 * @param {string} name
 * @param {Photo} photo
 */
async function requireSound(name, photo) {
  const back = await read(name, ["bytes"], (stores) => stores.get("bytes", photo.sha256));
  if (back && (await sha256(back)) === photo.sha256) return;
  await write(name, ["bytes"], (stores) => stores.delete("bytes", photo.sha256));
  await removePhoto(name, photo.id);
  throw new Fault("photo-unsound");
}

/**
 * @param {string} draft
 * @param {{sha256: string, size: number}} bytes
 * @param {any} about
 * @returns {Photo}
 */
function photoOf(draft, bytes, { mediaType, source, takenAt, location, subject }) {
  const fields = { media_type: mediaType, source, taken_at: takenAt, location, subject };
  return {
    id: newId(Date.now()),
    ...bytes,
    state: "draft",
    draft,
    report: "",
    fields,
    hasPreview: false,
    previewAsked: false,
    previewSent: false,
    offset: 0,
    upload: null,
    code: null,
    askAfter: 0,
    receipt: null,
    storedMs: 0,
  };
}

/**
 * Keep a small picture of a photo, to be sent ahead of it; one that is too large is passed over.
 * @param {string} name
 * @param {string} id
 * @param {ArrayBuffer | Blob} picture
 */
export async function setPreview(name, id, picture) {
  const preview = await bufferOf(picture);
  if (!fits(preview)) return;
  await write(name, ["photo", "preview"], async (stores) => {
    const photo = found(await stores.get("photo", id), `photo ${id}`);
    await stores.put("preview", preview, id);
    await stores.put("photo", { ...photo, hasPreview: true });
  });
}

/** @param {ArrayBuffer | null} preview */
function fits(preview) {
  return preview !== null && preview.byteLength > 0 && preview.byteLength <= MOST_PREVIEW;
}

/**
 * Take a photo out of its draft.
 * @param {string} name
 * @param {string} id
 */
export function removePhoto(name, id) {
  return write(name, ["draft", "photo", "bytes", "preview"], async (stores) => {
    const photo = found(await stores.get("photo", id), `photo ${id}`);
    if (photo.state !== "draft") throw new Fault("unknown", `photo ${id} of a draft`);
    const draft = await stores.get("draft", photo.draft);
    if (draft) await stores.put("draft", { ...draft, photos: draft.photos.filter((/** @type {string} */ one) => one !== id) });
    await dropPhoto(stores, photo);
  });
}

/**
 * Return the bytes of a photo, null once they were let go.
 * @param {string} name
 * @param {string} id
 * @returns {Promise<Blob | null>}
 */
export function photoBytes(name, id) {
  return read(name, ["photo", "bytes"], async (stores) => {
    const photo = found(await stores.get("photo", id), `photo ${id}`);
    const bytes = await stores.get("bytes", photo.sha256);
    return bytes ? new Blob([bytes], { type: photo.fields.media_type }) : null;
  });
}

/**
 * Return the small picture of a photo, null if there is none.
 * @param {string} name
 * @param {string} id
 * @returns {Promise<Blob | null>}
 */
export async function previewOf(name, id) {
  const bytes = await read(name, ["preview"], (stores) => stores.get("preview", id));
  return bytes ? new Blob([bytes], { type: "image/jpeg" }) : null;
}

/**
 * Write down a receipt. One that names other bytes is none: raises `not-ours`.
 * @param {string} name
 * @param {Photo} photo
 * @param {{sha256: string, at: string, nowMs: number}} receipt
 */
export async function store(name, photo, { sha256: named, at, nowMs }) {
  if (named !== photo.sha256) throw new Fault("not-ours", "a receipt for other bytes");
  await change(name, photo.id, { state: "stored", code: null, offset: photo.size, receipt: at, storedMs: nowMs });
}

/**
 * Change what is known of a photo.
 * @param {string} name
 * @param {string} id
 * @param {Partial<Photo>} news
 */
export function change(name, id, news) {
  return write(name, ["photo"], async (stores) => {
    const photo = await stores.get("photo", id);
    if (photo) await stores.put("photo", { ...photo, ...news });
  });
}

/**
 * Put photos that were set aside back in the queue.
 * @param {string} name
 * @param {string} report
 */
export function retry(name, report) {
  const afresh = { state: "waiting", code: null, upload: null, offset: 0, askAfter: 0 };
  return write(name, ["photo"], async (stores) => {
    for (const photo of await stores.all("photo", "report", report)) {
      if (photo.state === "refused") await stores.put("photo", { ...photo, ...afresh });
    }
  });
}

/**
 * Let go of bytes whose receipts are days old, or of all with a receipt where room is short.
 * @param {string} name
 * @param {number} nowMs
 */
export async function letGo(name, nowMs) {
  const { free } = await estimate();
  const isTight = free !== null && free < TIGHT;
  await write(name, ["photo", "bytes"], async (stores) => {
    const photos = /** @type {Photo[]} */ (await stores.all("photo"));
    const isDone = (/** @type {Photo} */ one) =>
      one.state === "stored" && (isTight || one.storedMs < nowMs - KEEP_MS);
    const needed = new Set(photos.filter((one) => !isDone(one)).map((one) => one.sha256));
    const done = new Set(photos.map((one) => one.sha256).filter((one) => !needed.has(one)));
    for (const sha of done) await stores.delete("bytes", sha);
  });
}

/** @param {ArrayBuffer | Blob} taken */
async function bufferOf(taken) {
  return taken instanceof Blob ? taken.arrayBuffer() : taken;
}
