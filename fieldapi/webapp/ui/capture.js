// @ts-check
/**
 * The report that is being made: read from the draft on the phone, and written back with every
 * change, so that a phone that dies loses at most the picture being shot.
 */

import * as phone from "../device/phone.js";
import { thumbnail } from "./camera.js";
import * as place from "./place.js";
import { defaults, remember } from "./statute.js";

const PREVIEW_EDGE = 720;
const PREVIEW_BYTES = 40_000;

/** What a draft keeps of the screens. `counts`: by kind. `location`: frozen at the first photo. */
/** @typedef {{counts: {[kind: string]: number}, lastKind: string | null, capacity: string, ground: string, place_kind: string, seizedAt: number | null, location: any, place: string, remarks: string, ownerKnown: boolean, ownerName: string, ownerMobile: string, noPhoto: string, pound: string, [more: string]: any}} Values */

const EMPTY = { counts: {}, lastKind: null, capacity: "", ground: "", place_kind: "", seizedAt: null, location: null, place: "", remarks: "", ownerKnown: false, ownerName: "", ownerMobile: "", noPhoto: "", pound: "" };

/** Where a draft goes on after its photos, by kind; `more`: photos for a report that was saved. */
/** @type {{[kind: string]: (capture: Capture) => string}} */
const NEXT = {
  seizure: ({ draft }) => `/count/${draft.id}`,
  aid: ({ draft }) => `/aid/${draft.id}`,
  intake: ({ draft }) => `/receive/${draft.id}`,
  more: ({ values }) => `/report/${values.of}`,
};

/** One draft, open on the screen. Changes are written in the order in which they were made. */
export class Capture {
  /** @param {any} draft */
  constructor(draft) {
    this.draft = draft;
    /** @type {Promise<unknown>} */
    this.written = Promise.resolve();
  }

  /** @returns {Values} */
  get values() {
    return this.draft.values;
  }

  /** @returns {string[]} */
  get photos() {
    return this.draft.photos;
  }

  /** Say whether there is anything that would be missed. */
  get isEmpty() {
    return this.photos.length === 0 && this.total === 0 && !this.values.remarks && !this.values.isTouched;
  }

  /** Return where the person goes on after the photos. */
  get next() {
    return (NEXT[this.draft.kind] ?? NEXT.seizure)(this);
  }

  /** Hand the photos over to the report that they are for. */
  async attach() {
    await this.written;
    if (this.photos.length) await phone.addParts(this.values.of, { draft: this.draft.id });
    else await phone.dropDraft(this.draft.id);
  }

  /** Return the place of the first photo, else where the phone is now; null if neither is known. */
  get location() {
    const fix = place.best();
    return this.values.location ?? (fix && locationOf(fix));
  }

  get total() {
    return Object.values(this.values.counts).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Change what the draft says, and write it.
   * @param {Partial<Values>} values
   * @param {string} [step]
   */
  change(values, step = this.draft.step) {
    this.draft = { ...this.draft, step, values: { ...this.values, ...values } };
    return this.#queue(async () => {
      await phone.saveDraft(this.draft);
    });
  }

  /**
   * Count one kind up or down; never below none.
   * @param {string} kind
   * @param {number} by
   */
  count(kind, by) {
    const counts = { ...this.values.counts, [kind]: Math.max(0, (this.values.counts[kind] ?? 0) + by) };
    return this.change({ counts, lastKind: kind });
  }

  /**
   * Keep a photo with the place where the phone is now. A picture from the gallery has no place
   * and no time that anybody could vouch for.
   * @param {Blob} bytes
   * @param {"camera" | "gallery"} source
   */
  async addPhoto(bytes, source) {
    const fix = source === "camera" ? place.best() : null;
    const taken = Date.now();
    const location = fix && locationOf(fix);
    const subject = this.draft.kind === "aid" ? "person" : "animals";
    const about = { source, subject, mediaType: bytes.type || "image/jpeg", takenAt: new Date(taken).toISOString(), ...(location && { location }) };
    const photo = await this.#queue(() => phone.addPhoto(this.draft.id, bytes, about));
    this.draft = { ...this.draft, photos: [...this.photos, photo.id] };
    if (source === "camera" && this.values.seizedAt === null) await this.change({ seizedAt: taken, location });
    void keepPreview(photo.id, bytes);
    return photo;
  }

  /** @param {string} id */
  async removePhoto(id) {
    await this.#queue(() => phone.removePhoto(id));
    this.draft = { ...this.draft, photos: this.photos.filter((one) => one !== id) };
  }

  /**
   * Save the report: from here on it has a number, a signature, and stays.
   * @returns {Promise<any>}
   */
  async save() {
    await this.written;
    const { values } = this;
    remember(values);
    const frozen = this.location;
    const said = { draft: this.draft.id, kind: "seizure", fields: fieldsOf(values, frozen, this.draft), animals: animalsOf(values) };
    const report = await phone.saveReport(said);
    const first = frozen === null ? null : { ...frozen, fixedAt: Date.parse(frozen.fixed_at) };
    place.improve(first, (better) => {
      phone.addTo("seizure", report.id, "fixes", locationOf(better)).catch(() => undefined);
    });
    return report;
  }

  /**
   * @template T
   * @param {() => Promise<T>} write
   * @returns {Promise<T>}
   */
  #queue(write) {
    const done = this.written.then(write);
    this.written = done.catch(() => undefined);
    return done;
  }
}

/**
 * Return a new draft of this kind, or the one with this id; null if it is gone.
 * @param {string} [id]
 * @param {string} [kind]
 * @param {any} [given] what it says from the start
 */
export async function open(id, kind = "seizure", given = {}) {
  if (id) {
    const draft = await phone.draft(id);
    return draft && !draft.savedAs ? new Capture({ ...draft, values: { ...EMPTY, ...draft.values } }) : null;
  }
  const me = await phone.me();
  /** @type {Values} */
  const values = { ...given, ...EMPTY, ...defaults(me) };
  return new Capture(await phone.saveDraft({ kind, step: "photo", values }));
}

/** Return a reading as records keep it. @param {place.Fix} fix */
export function locationOf(fix) {
  return { lat: fix.lat, lon: fix.lon, accuracy_m: fix.accuracy_m, altitude_m: fix.altitude_m, fixed_at: new Date(fix.fixedAt).toISOString(), source: "gps", mocked: false };
}

/** @param {Values} values */
function animalsOf(values) {
  return Object.entries(values.counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({ kind, count }));
}

const NO_PLACE = { denied: "permission_off", searching: "no_signal", none: "no_receiver" };

/**
 * @param {Values} values
 * @param {any} location
 * @param {any} draft
 */
function fieldsOf(values, location, draft) {
  const { capacity, ground, place_kind } = values;
  const where = location ? { location } : { location_absent_reason: NO_PLACE[place.why()] };
  const remarks = [values.noPhoto, values.remarks].filter(Boolean).join("\n");
  const owner = values.ownerKnown ? { "owner.known": true, "owner.name": values.ownerName || null, "owner.mobile": values.ownerMobile || null } : {};
  const said = {
    seized_at: new Date(values.seizedAt ?? draft.startedAt ?? Date.now()).toISOString(),
    capacity,
    ground,
    place_kind,
    ...where,
    place_text: values.place || null,
    remarks: remarks || null,
    pound_id: values.pound || null,
    ...owner,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}

/**
 * Keep a small picture beside a photo: for lists, and to be sent ahead on a slow line.
 * @param {string} id
 * @param {Blob} photo
 */
async function keepPreview(id, photo) {
  for (const edge of [PREVIEW_EDGE, PREVIEW_EDGE / 2]) {
    const small = await thumbnail(photo, edge);
    if (small === null) return;
    if (small.size <= PREVIEW_BYTES) {
      await phone.setPreview(id, small).catch(() => undefined);
      return;
    }
  }
}
