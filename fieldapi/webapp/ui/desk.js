// @ts-check
/**
 * What the screens share on which a report is made: the draft behind them, the sentence why it
 * cannot be saved yet, a save that is done once, and what is tidied when they are left.
 */

import * as phone from "../device/phone.js";
import { open } from "./capture.js";
import { discard } from "./discard.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { button, link } from "./parts.js";
import * as place from "./place.js";
import { here, replace } from "./router.js";
import { Thumbs } from "./thumbs.js";
import * as update from "./update.js";
import { _ } from "./words.js";

/**
 * Open a draft on its screen; one that is gone leads home. `step`: where the draft goes on.
 * @param {import("./router.js").Stage} stage
 * @param {{id: string, step: string, home: string}} draft
 * @param {(desk: Desk) => Promise<import("./router.js").Leave> | import("./router.js").Leave} show
 */
export async function atDesk(stage, { id, step, home }, show) {
  const [capture, me] = await Promise.all([open(id), phone.me()]);
  if (capture === null) return replace(home);
  place.warm();
  return show(new Desk(stage, { capture, me, step }));
}

export class Desk {
  /**
   * @param {import("./router.js").Stage} stage
   * @param {{capture: import("./capture.js").Capture, me: any, step: string}} on
   */
  constructor(stage, { capture, me, step }) {
    this.stage = stage;
    this.capture = capture;
    this.me = me;
    this.step = step;
    this.thumbs = new Thumbs();
    this.fault = h("div");
    this.isSaving = false;
    capture.refused = (error) => this.fault.replaceChildren(h("p.fault", { role: "alert" }, said(error)));
  }

  /** @param {any} values */
  change(values) {
    this.fault.replaceChildren();
    return this.capture.change({ ...values, isTouched: true }, this.step);
  }

  /** @param {{[kind: string]: number}} by how many more of a kind are counted */
  count(by) {
    this.fault.replaceChildren();
    return this.capture.count(by, { isTouched: true });
  }

  /** Draw again what another tab wrote in the draft, until this screen is left. @param {() => void} paint */
  follow(paint) {
    this.stop = phone.onChange(async (what) => {
      if (what.has("drafts") && !this.isSaving && (await this.capture.reread().catch(() => false)) && this.stage.isHere()) paint();
    });
  }

  /** Return the photos so far, if there are any. */
  photos() {
    const { photos } = this.capture;
    return photos.length ? this.thumbs.row(photos, null) : null;
  }

  /** Return the way to one more photo, and the way out. */
  shoot() {
    const { id } = this.capture.draft;
    const away = async () => {
      await this.capture.written;
      discard(id);
      replace("/");
    };
    return h("div.stack", {}, link(".button--quiet", "camera", _("Photo"), `/photo/${id}`), button(".button--quiet", "cross", _("Throw the draft away"), away, { id: "discard" }));
  }

  /** @param {() => unknown} press */
  saveButton(press) {
    return button(".button--main", "check", _("Save"), press, { id: "save" });
  }

  /**
   * Save, once; then the receipt is shown. What stops it is said, and nothing is lost.
   * @param {() => Promise<{id: string}>} work
   */
  async save(work) {
    if (this.isSaving) return;
    this.isSaving = true;
    try {
      await this.capture.reread();
      const report = await work();
      navigator.vibrate?.(40);
      void update.askToBeWoken();
      replace(`/receipt/${report.id}`);
      void phone.keepStorage();
    } catch (error) {
      this.isSaving = false;
      this.refuse(said(error));
    }
  }

  /**
   * Say why it is not saved yet, where the finger is.
   * @param {string} why
   * @param {...Node} more
   */
  refuse(why, ...more) {
    const fault = h("p.fault", { role: "alert", tabindex: -1 }, why);
    this.fault.replaceChildren(fault, ...more);
    fault.focus();
  }

  /** The screen is left: a draft that says nothing is nobody's. */
  async end() {
    this.stop?.();
    void this.thumbs.release();
    const { capture } = this;
    const isLeft = !here().includes(capture.draft.id) && !this.isSaving;
    if (isLeft && capture.isEmpty) await capture.dropIfEmpty().catch(() => undefined); // gone already
  }
}
