// @ts-check
/**
 * Carries photo bytes to the server, however often the line breaks on the way: small pictures
 * first, then the originals by tus 1.0, so that what a cut left with the server is never sent
 * again. A photo is `stored` only by a receipt that names its hash. Twin of
 * `sync/client/uploader.py`; called by `sending.js` after the ops.
 */

import { read } from "./database.js";
import { Fault } from "./faults.js";
import { base64, sha256, utf8 } from "./keys.js";
import { isAhead } from "./moments.js";
import { change, store } from "./photos.js";
import { mustWait } from "./thrift.js";
import { send } from "./transport.js";

/** @typedef {import("./photos.js").Photo} Photo */

const UPLOADS = "/api/v1/uploads";
const TUS = { "Tus-Resumable": "1.0.0" };
const ONE_SHOT = 64 << 10; // bytes; up to here a resend costs less than the round trips it saves
const [LEAST_CHUNK, FIRST_CHUNK, MOST_CHUNK] = [64 << 10, 128 << 10, 1 << 20];
const BRISK_MS = 4000; // after a chunk that took less a larger one may follow
const MOST_RECOVERIES = 10;
const MOST_TRIES = 4; // of one step on a bad line
const ASK_AGAIN_MS = 15 * 60_000;
const GONE = new Set([404, 410]);

/**
 * One photo on its way. `isLost`: only the server knows how much of it arrived. `isChecked`: each
 * chunk goes with its hash, since something on the way changes bytes.
 * @typedef {{photo: Photo, bytes: ArrayBuffer, location: string | null, offset: number,
 *   isLost: boolean, isChecked: boolean, failed: number, recoveries: number}} Course
 */

export class Uploader {
  /**
   * @param {string} name of the database
   * @param {string} token
   * @param {{pause: (ms: number) => Promise<void>, isWanted: () => Promise<boolean>}} hooks
   *   `isWanted`: whether ops wait again, which go first
   */
  constructor(name, token, { pause, isWanted }) {
    this.name = name;
    this.token = token;
    this.pause = pause;
    this.isWanted = isWanted;
    this.chunk = FIRST_CHUNK;
    this.told = { previews: 0, stored: 0, refused: 0 };
  }

  /**
   * Send what waits, oldest first; returns false if it stopped because ops wait. A photo that the
   * server cannot take blocks no other. Raises Fault when the line or the server gives out.
   */
  async run() {
    const waiting = await this.waiting();
    for (const photo of waiting.filter((one) => one.hasPreview && !one.previewAsked)) {
      if (await this.isWanted()) return false;
      await this.sendPreview(photo);
    }
    if (await mustWait()) return true;
    for (const photo of waiting) {
      if (await this.isWanted()) return false;
      if ((await this.attempt(photo)) === "interrupted") return false;
    }
    return true;
  }

  /** @returns {Promise<Photo[]>} */
  async waiting() {
    const all = await read(this.name, ["photo"], (stores) => stores.all("photo", "state", "waiting"));
    return all.filter((one) => !isAhead(one.askAfter, { most: ASK_AGAIN_MS }));
  }

  /**
   * Send the small picture; whatever the server says to it, it is asked once.
   * @param {Photo} photo
   */
  async sendPreview({ id, size }) {
    const bytes = await read(this.name, ["preview"], (stores) => stores.get("preview", id));
    const isSent = bytes && size > ONE_SHOT && (await this.putPreview(id, bytes));
    if (isSent) this.told.previews += 1;
    await change(this.name, id, { previewSent: Boolean(isSent), previewAsked: true });
  }

  /**
   * @param {string} id
   * @param {ArrayBuffer} body
   */
  async putPreview(id, body) {
    const headers = { "Content-Type": "image/jpeg" };
    try {
      await this.call({ method: "PUT", path: `/api/v1/photos/${id}/preview`, body, size: body.byteLength, headers });
      return true;
    } catch (fault) {
      if (!(fault instanceof Fault) || !["refused", "too-much"].includes(fault.code)) throw fault;
      return false;
    }
  }

  /** @param {Photo} photo */
  async attempt(photo) {
    try {
      return await this.deliver(photo);
    } catch (fault) {
      // A 500 may be this photo's own: it waits, and the others go on.
      if (fault instanceof Fault && fault.status === 500) return "failed";
      const code = refusalOf(fault);
      if (code === null) throw fault;
      this.told.refused += 1;
      await change(this.name, photo.id, { state: "refused", code });
      return "refused";
    }
  }

  /**
   * Send one photo; `stored` once its receipt is saved, `asked` while the server has yet to say.
   * @param {Photo} photo
   */
  async deliver(photo) {
    const bytes = await read(this.name, ["bytes"], (stores) => stores.get("bytes", photo.sha256));
    if (!bytes || bytes.byteLength !== photo.size) throw new Fault("photo-unsound");
    if (photo.size <= ONE_SHOT) {
      return (await this.settle(photo, await this.call(await put(photo, bytes)))) || this.ask(photo);
    }
    /** @type {Course} */
    const course = { photo, bytes, location: photo.upload, offset: photo.offset, isLost: photo.upload !== null, isChecked: false, failed: 0, recoveries: 0 };
    while (course.location === null || course.isLost || course.offset < photo.size) {
      await this.step(course);
      if (course.offset < photo.size && (await this.isWanted())) return "interrupted";
    }
    return this.ask(photo);
  }

  /** @param {Course} course */
  async step(course) {
    try {
      if (course.location === null) await this.create(course);
      else if (course.isLost) await this.find(course);
      else await this.append(course);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      if (fault.code === "refused") return this.recover(course, fault);
      if (fault.code !== "link-down" && fault.code !== "busy") throw fault;
      course.isLost = course.location !== null;
      course.failed += 1;
      this.chunk = Math.max(this.chunk >> 1, LEAST_CHUNK);
      if (course.failed >= MOST_TRIES || (fault.waitS ?? 0) > 30) throw fault;
      await this.pause((fault.waitS ?? 0) * 1000 + 500 * 2 ** course.failed * Math.random());
    }
  }

  /**
   * Announce the upload, or learn how far a known one has come.
   * @param {Course} course
   */
  async create(course) {
    const { id, sha256: sha, size } = course.photo;
    const names = `photo ${base64(utf8(id))},sha256 ${base64(utf8(sha))}`;
    const headers = { ...TUS, "Upload-Length": String(size), "Upload-Metadata": names };
    const answer = await this.once({ method: "POST", path: UPLOADS, headers });
    course.location = pathOf(answer.headers.get("Location"));
    await this.move(course, offsetOf(answer.headers, 0));
  }

  /** @param {Course} course */
  async find(course) {
    const answer = await this.once({ method: "HEAD", path: String(course.location), headers: TUS });
    await this.move(course, offsetOf(answer.headers));
  }

  /** @param {Course} course */
  async append(course) {
    const piece = course.bytes.slice(course.offset, course.offset + this.chunk);
    /** @type {{[name: string]: string}} */
    const headers = { ...TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(course.offset) };
    if (course.isChecked) headers["Upload-Checksum"] = `sha256 ${await digest(piece)}`;
    const started = performance.now();
    const asked = { method: "PATCH", path: String(course.location), body: piece, size: piece.byteLength, headers };
    const answer = await this.once(asked);
    const offset = offsetOf(answer.headers);
    if (offset <= course.offset) throw new Fault("not-ours", "the upload does not move");
    await this.move(course, offset);
    if (performance.now() - started < BRISK_MS) this.chunk = Math.min(this.chunk * 2, MOST_CHUNK);
  }

  /**
   * @param {Course} course
   * @param {number} offset
   */
  async move(course, offset) {
    if (offset < 0 || offset > course.photo.size) throw new Fault("not-ours", `no upload stands at ${offset}`);
    if (offset > course.offset) course.failed = 0;
    course.offset = offset;
    course.isLost = false;
    await change(this.name, course.photo.id, { offset, upload: course.location });
  }

  /**
   * Take up an upload that the server lost sight of, or sees differently. Raises the refusal.
   * @param {Course} course
   * @param {Fault} refusal
   */
  async recover(course, refusal) {
    course.recoveries += 1;
    if (course.recoveries > MOST_RECOVERIES) throw new Fault("link-down", "the upload goes in circles");
    if (refusal.slug === "photo-hash-mismatch" && !course.isChecked) {
      if ((await sha256(course.bytes)) !== course.photo.sha256) throw new Fault("photo-unsound");
      Object.assign(course, { location: null, offset: 0, isChecked: true, isLost: false });
    } else if (refusal.status === 409 && course.location !== null) {
      const told = refusal.headers?.get("Upload-Offset");
      course.isLost = told == null;
      course.offset = told == null ? course.offset : Number(told);
    } else if (GONE.has(refusal.status) && course.location !== null) {
      Object.assign(course, { location: null, offset: 0, isLost: false });
    } else if (refusal.status !== 460) throw refusal;
  }

  /**
   * Ask for the receipt; there is none while the server does not show this photo's record to us.
   * @param {Photo} photo
   */
  async ask(photo) {
    try {
      const path = `/api/v1/photos/${photo.id}`;
      if (await this.settle(photo, await this.call({ method: "GET", path }))) return "stored";
    } catch (fault) {
      if (!(fault instanceof Fault) || ![403, 404].includes(fault.status)) throw fault;
    }
    await change(this.name, photo.id, { askAfter: Date.now() + ASK_AGAIN_MS, offset: photo.size });
    return "asked";
  }

  /**
   * Save the receipt in an answer, if it is one.
   * @param {Photo} photo
   * @param {import("./transport.js").Answer} answer
   */
  async settle(photo, { json, headers }) {
    if (json?.state === "quarantined") throw new Fault("refused", "quarantined", { slug: "quarantined" });
    if (json?.state !== "stored" || typeof json.sha256 !== "string") return null;
    const nowMs = Date.parse(headers.get("Date") ?? "") || Date.now();
    const at = json.stored_at ?? new Date(nowMs).toISOString();
    await store(this.name, photo, { sha256: json.sha256, at, nowMs });
    this.told.stored += 1;
    return "stored";
  }

  /**
   * Send until an answer comes, a few times.
   * @param {import("./transport.js").Asked} asked
   */
  async call(asked) {
    for (let failed = 1; ; failed += 1) {
      try {
        return await this.once(asked);
      } catch (fault) {
        const isPassing = fault instanceof Fault && ["link-down", "busy"].includes(fault.code);
        if (!isPassing || failed >= MOST_TRIES || (fault.waitS ?? 0) > 30) throw fault;
        await this.pause((fault.waitS ?? 0) * 1000 + 500 * 2 ** failed * Math.random());
      }
    }
  }

  /** @param {import("./transport.js").Asked} asked */
  once(asked) {
    return send({ ...asked, token: this.token });
  }
}

/**
 * Return the code under which a photo is set aside, null if the fault is not the photo's.
 * @param {unknown} fault
 */
function refusalOf(fault) {
  if (!(fault instanceof Fault)) return null;
  if (fault.code === "refused") return fault.slug || String(fault.status);
  if (fault.code === "too-much") return "too-large";
  return fault.code === "photo-unsound" ? fault.code : null;
}

/**
 * Return the one-shot upload with its digest (RFC 9530).
 * @param {Photo} photo
 * @param {ArrayBuffer} bytes
 */
async function put(photo, bytes) {
  const headers = { "Content-Type": "application/octet-stream", "Repr-Digest": `sha-256=:${await digest(bytes)}:` };
  return { method: "PUT", path: `/api/v1/photos/${photo.id}/content`, body: bytes, size: photo.size, headers };
}

/** @param {ArrayBuffer} bytes */
async function digest(bytes) {
  return base64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/**
 * @param {Headers} headers
 * @param {number} [usual]
 */
function offsetOf(headers, usual) {
  const text = headers.get("Upload-Offset") ?? "";
  if (/^\d+$/.test(text)) return Number(text);
  if (usual === undefined) throw new Fault("not-ours", "the upload tells no offset");
  return usual;
}

/** @param {string | null} location */
function pathOf(location) {
  const there = new URL(location ?? "", globalThis.location?.origin);
  if (!location || there.origin !== globalThis.location.origin) {
    throw new Fault("not-ours", "the upload would leave this server");
  }
  return there.pathname;
}
