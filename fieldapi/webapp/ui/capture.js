// @ts-check
/**
 * The report that is being made: read from the draft on the phone, and written back with every
 * change, so that a phone that dies loses at most the picture being shot.
 */

import * as phone from "../device/phone.js";
import { thumbnail } from "./camera.js";
import { said } from "./failures.js";
import { say } from "./parts.js";
import { mediaTypeOf } from "./pictures.js";
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

/**
 * One draft, open on the screen. Changes are written in the order in which they were made, each to
 * the draft as it lies on the phone: another tab may show it as well.
 */
export class Capture {
  /** @param {any} draft */
  constructor(draft) {
    /** The draft as it lies on the phone. */
    this.kept = draft;
    /** @type {Promise<unknown>} */
    this.written = Promise.resolve();
    /** Changes that are not written yet, or could not be. @type {import("../device/drafts.js").Change[]} */
    this.pending = [];
    /** Whether another tab said something that no screen of this one was told of. */
    this.isNews = false;
    /** Says that a change could not be kept. @type {(error: unknown) => void} */
    this.refused = (error) => say(said(error));
  }

  /** Return the draft with all that was said. */
  get draft() {
    return this.pending.reduce(phone.changed, this.kept);
  }

  /** @returns {Values} */
  get values() {
    return this.draft.values;
  }

  /** @returns {string[]} */
  get photos() {
    return this.kept.photos;
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
   * Change what the draft says, and write it. Returns whether it is kept; if not, it was said.
   * @param {Partial<Values>} values
   * @param {string} [step]
   */
  change(values, step) {
    return this.#change({ values, ...(step && { step }) });
  }

  /**
   * Count kinds up or down, never below none, and change what is said with it.
   * @param {{[kind: string]: number}} by
   * @param {Partial<Values>} values
   */
  count(by, values) {
    return this.#change({ values, by });
  }

  /** Read what another tab made of the draft. Returns whether it is another than on this screen. */
  reread() {
    return this.#queue(async () => {
      const kept = await phone.draft(this.kept.id);
      if (kept === null || kept.savedAs) return false;
      this.#take(kept, 0);
      const { isNews } = this;
      this.isNews = false;
      return isNews;
    });
  }

  /** Drop the draft if there is nothing in it, also of another tab's. */
  async dropIfEmpty() {
    await this.reread();
    if (this.isEmpty) await phone.dropDraft(this.draft.id);
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
    const mediaType = await mediaTypeOf(bytes);
    if (mediaType === null && bytes.size > 0) throw new phone.Fault("no-photo");
    const location = fix && locationOf(fix);
    const subject = this.draft.kind === "aid" ? "person" : "animals";
    const about = { source, subject, mediaType, takenAt: new Date(taken).toISOString(), ...(location && { location }) };
    const photo = await this.#queue(async () => {
      const kept = await phone.addPhoto(this.draft.id, bytes, about);
      this.kept = { ...this.kept, photos: [...this.photos, kept.id] };
      return kept;
    });
    if (source === "camera" && this.values.seizedAt === null) await this.change({ seizedAt: taken, location });
    void keepPreview(photo.id, bytes);
    return photo;
  }

  /** @param {string} id */
  removePhoto(id) {
    return this.#queue(async () => {
      await phone.removePhoto(id);
      this.kept = { ...this.kept, photos: this.photos.filter((one) => one !== id) };
    });
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
   * @param {import("../device/drafts.js").Change} change
   * @returns {Promise<boolean>}
   */
  async #change(change) {
    this.pending.push(change);
    try {
      await this.#queue(() => this.#write());
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  /** Write what is pending; what cannot be written stays, and goes with the next change. */
  async #write() {
    const { length } = this.pending;
    if (length === 0) return;
    const kept = await phone.changeDraft(this.kept, this.pending.slice());
    this.#take(kept, length);
  }

  /**
   * Go on from the draft as it lies on the phone now.
   * @param {any} kept
   * @param {number} written how many pending changes are in it
   */
  #take(kept, written) {
    const before = whatIsSaid(this.draft);
    this.pending.splice(0, written);
    this.kept = whole(kept);
    if (whatIsSaid(this.draft) !== before) this.isNews = true;
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

/** Return a draft with all values that screens ask for. @param {any} draft */
function whole(draft) {
  return { ...draft, values: { ...EMPTY, ...draft.values } };
}

/** Return what a draft says, to be compared. @param {any} draft */
function whatIsSaid({ values, photos }) {
  return JSON.stringify([Object.entries(values).sort(), photos]);
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
    return draft && !draft.savedAs ? new Capture(whole(draft)) : null;
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
