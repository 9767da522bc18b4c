// @ts-check
/** First step of a report: photos. A live picture, one large shutter, and on to the count. */

import * as phone from "../device/phone.js";
import { keepAwake } from "./awake.js";
import { openCamera } from "./camera.js";
import { open } from "./capture.js";
import { fill, h } from "./dom.js";
import { said } from "./failures.js";
import { button, note, top } from "./parts.js";
import * as place from "./place.js";
import { draw, go, here, replace } from "./router.js";
import { Thumbs } from "./thumbs.js";
import { hear } from "./voice.js";
import { _ } from "./words.js";

/** @typedef {import("./capture.js").Capture} Capture */

const PHOTO_BYTES = 500_000;
const LEAST_FREE = 20_000_000; // the device layer takes no photo below it
const MANY = 20;

/** Photos for a report that was saved: a draft of their own, handed over by "next". */
export const add = {
  /** @type {import("./router.js").Screen["show"]} */
  async show(_stage, report) {
    const draft = await open("", "more", { of: report });
    replace(`/photo/${draft?.draft.id}`);
  },
};

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id = "", why = "") {
  const capture = await open(id);
  if (capture === null) return replace("/");
  if (!id) history.replaceState(null, "", `#${here()}/${capture.draft.id}`);
  place.warm();
  void capture.change({}, "photo");
  return new Shoot(stage, capture, why === "again").begin();
}

class Shoot {
  /**
   * @param {import("./router.js").Stage} stage
   * @param {Capture} capture
   * @param {boolean} isReturn whether the system's camera had closed the app
   */
  constructor(stage, capture, isReturn) {
    this.stage = stage;
    this.capture = capture;
    this.isReturn = isReturn;
    this.thumbs = new Thumbs();
    this.video = /** @type {HTMLVideoElement} */ (h("video", { playsinline: true, muted: true, "aria-label": _("What the camera sees") }));
    this.video.muted = true;
    this.strip = h("div", { "aria-live": "polite" });
    this.fault = h("div");
    this.room = h("p.soft", { "aria-live": "polite" });
    this.finder = h("div.finder", {}, this.video);
    this.way = h("div.foot");
    /** @type {import("./camera.js").Camera | null} */
    this.camera = null;
    this.isGone = false;
    /** @type {Promise<unknown>} */
    this.taking = Promise.resolve();
    this.letSleep = keepAwake();
    capture.refused = (error) => this.refuse(error);
    this.stop = phone.onChange(async (what) => {
      if (what.has("drafts") && (await capture.reread().catch(() => false)) && !this.isGone) this.paint();
    });
  }

  /** Say what could not be kept. @param {unknown} error */
  refuse(error) {
    this.fault.replaceChildren(h("p.fault", { role: "alert" }, said(error)));
  }

  begin() {
    const back = this.isReturn ? note("look", h("p", {}, _("The camera closed the app. Nothing you entered was lost. Take the photo again."))) : null;
    draw(this.stage, top(_("Photo"), this.#back()), back, this.finder, h("p", {}, _("Show the whole animal and the place.")), hear("photo", _("Show the whole animal and the place.")), this.room, this.fault, this.strip, this.way);
    this.paint();
    void this.openCamera();
    return () => this.end();
  }

  async openCamera() {
    this.way.replaceChildren(this.#shootRow(true));
    try {
      const camera = await openCamera(this.video);
      if (this.isGone) return camera.close();
      this.camera = camera;
      if (camera.hasTorch) this.finder.append(button(".torch", "torch", _("Lamp"), () => camera.switchTorch()));
      this.way.replaceChildren(this.#shootRow(false));
    } catch (error) {
      const { why } = /** @type {any} */ (error);
      this.#withoutCamera(why === "denied");
    }
  }

  async sayRoom() {
    const { free } = await phone.storage();
    const more = free === null ? MANY : Math.max(0, Math.floor((free - LEAST_FREE) / PHOTO_BYTES));
    this.room.textContent = more < MANY ? _("Photos that still fit: {number}", { number: more }) : "";
  }

  paint() {
    void this.sayRoom();
    fill(this.strip, this.thumbs.row(this.capture.photos, (id) => this.remove(id)));
  }

  async shoot() {
    if (this.camera === null) return;
    const { camera } = this;
    navigator.vibrate?.(40);
    this.finder.classList.add("flash");
    this.taking = this.keep(camera.take(), "camera");
    await this.taking;
    this.finder.classList.remove("flash");
  }

  /**
   * @param {Blob | Promise<Blob>} bytes
   * @param {"camera" | "gallery"} source
   */
  async keep(bytes, source) {
    try {
      await this.capture.addPhoto(await bytes, source);
      this.fault.replaceChildren();
    } catch (error) {
      this.refuse(error);
    }
    if (!this.isGone) this.paint();
  }

  /** @param {string} id */
  async remove(id) {
    await this.capture.removePhoto(id);
    this.paint();
  }

  async next() {
    await this.taking;
    const { capture } = this;
    if (capture.draft.kind === "more") await capture.attach();
    else if (!(await capture.change({}, "count"))) return;
    go(capture.next);
  }

  async end() {
    this.isGone = true;
    this.camera?.close();
    await this.taking;
    void this.thumbs.release();
    this.letSleep();
    this.stop();
    if (this.capture.isEmpty && !here().includes(this.capture.draft.id)) await this.capture.dropIfEmpty().catch(() => undefined); // handed over already
  }

  #back() {
    const { draft, next } = this.capture;
    return draft.kind === "seizure" ? "/" : next;
  }

  /** @param {boolean} isWaiting */
  #shootRow(isWaiting) {
    const shutter = h("button.shutter", { type: "button", id: "shutter", "aria-label": _("Take a photo"), disabled: isWaiting, onclick: () => void this.shoot() });
    return h("div.shoot", {}, this.#gallery(), shutter, this.#next());
  }

  #next() {
    return button(".button--main", "next", _("Next"), () => this.next(), { id: "next" });
  }

  #gallery() {
    return this.#chooser(".button--quiet", "gallery", _("Gallery"), { id: "gallery", multiple: true });
  }

  /**
   * Return a button that opens the system's camera or gallery. The system may end the app while
   * that is open, so where to come back is on disk before it opens.
   * @param {string} shape
   * @param {"camera" | "gallery"} source
   * @param {string} word
   * @param {{[name: string]: any}} more
   */
  #chooser(shape, source, word, more) {
    const take = (/** @type {Event} */ event) => void this.take(event, source);
    const props = { type: "file", accept: "image/*", tabindex: -1, "aria-label": word, onchange: take, ...more };
    const input = /** @type {HTMLInputElement} */ (h("input.hidden", props));
    const choose = async () => {
      await phone.markCapture({ draft: this.capture.draft.id, slot: this.capture.photos.length });
      input.click();
    };
    return h("div.chooser", {}, button(shape, source, word, choose, { id: `${more.id}-button` }), input);
  }

  /** @param {boolean} isDenied */
  #withoutCamera(isDenied) {
    this.finder.hidden = true;
    const help = isDenied
      ? _("The camera is not allowed here. Use the phone's own camera, or allow it: tap the lock beside the address.")
      : _("There is no camera in the page. Use the phone's own camera.");
    const own = this.#chooser(".button--main", "camera", _("Use the phone's camera"), { id: "camera", capture: "environment" });
    this.way.replaceChildren(note("look", h("p", {}, help)), h("div.stack", {}, own), h("div.shoot", {}, this.#gallery(), this.#next()));
  }

  /**
   * @param {Event} event
   * @param {"camera" | "gallery"} source
   */
  async take(event, source) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    void phone.clearCaptureMark();
    for (const file of input.files ?? []) {
      this.taking = this.keep(file, source);
      await this.taking;
    }
    input.value = "";
  }
}
