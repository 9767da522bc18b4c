// @ts-check
/**
 * Which report something belongs to: by the QR of its receipt, by the last five characters of its
 * number, from the list, or not known yet. Works without a network.
 */

import * as phone from "../device/phone.js";
import { isMeant, lastFive, readCode } from "./codes.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { button, line, note } from "./parts.js";
import { canScan, scan } from "./scan.js";
import { herd } from "./statute.js";
import { _, clock, day } from "./words.js";

const OFFERED = 3;
const DAY_MS = 24 * 3600 * 1000;

/** @typedef {{seizure: string | null, reference: string}} Link `reference`: as read or typed */

export class Linking {
  /**
   * @param {any} me
   * @param {Link} link
   * @param {(link: Link) => unknown} tell of every change
   * @param {(row: import("../device/cases.js").CaseRow) => boolean} [isOffered]
   */
  constructor(me, link, tell, isOffered = () => true) {
    this.me = me;
    this.link = link;
    this.tell = tell;
    this.isOffered = isOffered;
    /** @type {import("../device/cases.js").CaseRow[]} */
    this.rows = [];
    this.said = h("div", { "aria-live": "polite" });
    this.offers = h("div.stack");
    this.camera = h("div");
    this.element = h("section.card", {}, h("h2", {}, _("Which report?")), this.said, this.offers);
  }

  /** Return the case that is meant, if the phone knows it. */
  get row() {
    return this.rows.find((one) => one.id === this.link.seizure) ?? null;
  }

  async begin() {
    this.rows = (await phone.cases()).filter((one) => !one.isWithdrawn && this.isOffered(one));
    const typed = line("five", _("Number, or its last five"), this.link.reference, (text) => this.type(text), { maxlength: 32, autocapitalize: "characters", spellcheck: "false" });
    const reader = (await canScan()) ? button("", "qr", _("Scan the QR of the receipt"), () => this.scan(), { id: "scan" }) : null;
    this.element.append(...[reader, this.camera, typed].filter((one) => one !== null));
    this.paint();
    return this.element;
  }

  async scan() {
    try {
      const text = await scan(this.camera);
      if (text !== null) this.take(text);
    } catch (error) {
      this.camera.replaceChildren(h("p.fault", { role: "alert" }, said({ code: "no-camera", ...Object(error) })));
    }
  }

  /** @param {string} text */
  type(text) {
    const { reference } = readCode(text);
    const meant = this.rows.filter((one) => isMeant(one.reference, reference));
    this.choose({ seizure: meant.length === 1 ? meant[0].id : null, reference });
  }

  /** @param {string} text of a QR */
  take(text) {
    const { reference, id } = readCode(text);
    const meant = this.rows.find((one) => one.id === id || one.reference === reference);
    this.choose({ seizure: id ?? meant?.id ?? null, reference });
    /** @type {HTMLInputElement} */ (this.element.querySelector("#five")).value = reference;
  }

  /** @param {Link} link */
  choose(link) {
    this.link = link;
    this.paint();
    void this.tell(link);
  }

  paint() {
    this.said.replaceChildren(this.#said());
    const since = Date.now() - DAY_MS;
    const near = this.rows.filter((one) => Date.parse(one.shown.seized_at) > since || one.isWhole).slice(0, OFFERED);
    const others = near.filter((one) => one.id !== this.link.seizure);
    const offers = others.map((one) => button(".button--wide", null, this.#about(one), () => this.choose({ seizure: one.id, reference: one.reference ?? "" })));
    this.offers.replaceChildren(...offers);
  }

  #said() {
    const { seizure, reference } = this.link;
    if (seizure !== null) return note("good", h("p", {}, h("span.code", {}, this.row?.reference ?? reference), this.row ? ` · ${herd(this.me, this.row.animals)}` : ""));
    if (reference) return note("look", h("p", {}, _("This number is not on this phone. It is written down, and the office links it.")));
    return h("p.soft", {}, _("Not known: save without it, the office links it later."));
  }

  /** @param {import("../device/cases.js").CaseRow} one */
  #about(one) {
    const at = Date.parse(one.shown.seized_at);
    const when = Number.isNaN(at) ? "" : `${day(at)}, ${clock(at)}`;
    return [lastFive(one.reference ?? ""), herd(this.me, one.animals), when].filter(Boolean).join(" · ");
  }
}
