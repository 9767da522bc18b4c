// @ts-check
/**
 * The counter of the pound, online: who comes for the cattle, what is due, payment, release. The
 * server's rules decide; what they refuse is shown in their words. Each step asks under one id, so
 * that a lost answer costs nobody a second payment.
 */

import * as phone from "../device/phone.js";
import { atTheDesk, caseFault, paper, quote, sendFirst } from "./case.js";
import { h } from "./dom.js";
import { button, line, note, top } from "./parts.js";
import { draw } from "./router.js";
import { _, language, moment } from "./words.js";

const UNPAID = "release.paid";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  return new Counter(stage, id).begin();
}

class Counter {
  /**
   * @param {import("./router.js").Stage} stage
   * @param {string} id of the seizure
   */
  constructor(stage, id) {
    this.stage = stage;
    this.id = id;
    this.fault = h("div", { "aria-live": "assertive" });
    this.body = h("div");
    /** @type {any} */
    this.told = null;
    this.name = "";
    this.residence = "";
    this.rupees = "";
    this.reason = "";
    /** @type {string | null} */
    this.party = null;
    /** @type {any[]} */
    this.papers = [];
    /** Ids of what was asked and not answered yet. @type {Map<string, string>} */
    this.asked = new Map();
    this.isBusy = false;
  }

  async begin() {
    draw(this.stage, top(_("Payment and release"), `/case/${this.id}`), this.body, this.fault);
    await this.load();
  }

  load() {
    return this.step(async () => {
      this.told = await phone.get(`/api/v1/cases/${this.id}`, language());
      const liable = this.told.custody.map((/** @type {any} */ one) => one.liable).filter(Boolean);
      this.party = liable[0] ?? null;
    });
  }

  /**
   * Do something at the server, and show what holds then; a fault is said and nothing is lost. A
   * second tap on a slow line is no second payment.
   * @param {() => Promise<unknown>} work
   */
  async step(work) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.body.setAttribute("aria-busy", "true");
    this.fault.replaceChildren();
    try {
      await work();
      await this.paintAnew();
    } catch (error) {
      this.refuse(error);
    }
    this.body.removeAttribute("aria-busy");
    this.isBusy = false;
  }

  /** Draw what holds now; where that cannot be learnt, no button stays that would do again what was done. */
  async paintAnew() {
    try {
      await this.paint();
    } catch (error) {
      this.told = null;
      this.body.replaceChildren(this.#papers());
      throw error;
    }
  }

  /** @param {any} error */
  refuse(error) {
    const isAct = this.told !== null;
    const again = isAct ? null : button("", "undo", _("Ask again"), () => this.load(), { id: "ask-again" });
    const why = isAct && error?.code === "link-down" ? _("No network: it is not known whether this was done. Tap again once there is a line; nothing is counted twice.") : wordsOf(error);
    this.fault.replaceChildren(h("p.fault", { role: "alert" }, why), h("div.stack", {}, ...[sendFirst(error, () => this.load()), again].filter((one) => one !== null)));
  }

  async paint() {
    if (this.party === null) return this.body.replaceChildren(...this.#who());
    const check = await this.#ask("release", { mode: "check" });
    const isPaid = check.deficit === 0;
    this.body.replaceChildren(...(isPaid ? this.#release(check) : this.#pay(check)), this.#papers(), atTheDesk(this.id));
  }

  #who() {
    return [
      h("h2", {}, _("Who comes for them?")),
      line("name", _("Name"), this.name, (text) => (this.name = text)),
      line("residence", _("Residence"), this.residence, (text) => (this.residence = text)),
      h("div.stack", {}, button(".button--main", "next", _("Next"), () => this.step(() => this.identify()), { id: "identify" })),
    ];
  }

  async identify() {
    if (this.name.trim() === "") throw new Error(_("Say the name."));
    const party = this.#idOf("party");
    await phone.ask("/api/v1/parties", { id: party, name: this.name.trim(), residence: this.residence.trim() || null }, language());
    this.party = party;
    try {
      await this.#act("identify", { as: "owner" });
    } catch (error) {
      this.party = null;
      throw error;
    }
  }

  /** @param {any} check */
  #pay(check) {
    const due = check.deficit ?? check.total ?? 0;
    this.rupees = String(due / 100);
    const field = line("paid", _("Paid, in rupees"), this.rupees, (text) => (this.rupees = text), { inputmode: "decimal" });
    return [quote(check), field, h("div.stack", {}, button(".button--main", "check", _("Receive payment"), () => this.step(() => this.pay()), { id: "pay" })), this.#why(check)];
  }

  async pay() {
    const paise = Math.round(Number(this.rupees.replaceAll(",", "")) * 100);
    if (!(paise > 0)) throw new Error(_("Say the sum in rupees, such as 850 or 850.50."));
    const told = await this.#act("receive_payment", { paid_paise: paise });
    this.papers.push(...told.documents);
  }

  /** @param {any} check */
  #release(check) {
    const needsReason = check.allowed === "warn";
    const why = needsReason ? line("reason", _("Reason"), this.reason, (text) => (this.reason = text)) : null;
    const act = check.allowed === "no" ? null : h("div.stack", {}, button(".button--main", "next", _("Release the cattle"), () => this.step(() => this.release()), { id: "release" }));
    return [quote(check), this.#why(check), why, act].filter((one) => one !== null);
  }

  async release() {
    const told = await this.#act("release", this.reason ? { reason: this.reason } : {});
    this.papers.push(...told.documents);
    this.body.replaceChildren(note("good", h("p", {}, h("strong", {}, _("Released")))), this.#papers());
    this.paint = async () => undefined;
  }

  #papers() {
    return h("div.stack", {}, this.papers.map(paper));
  }

  /** Return in the law's words why not, or what to mind. @param {any} check */
  #why(check) {
    // That it is not paid is what this screen is about.
    if (check.allowed === "yes" || check.code === UNPAID) return h("div");
    const from = check.not_before ? h("p", {}, _("Not before {when}", { when: moment(Date.parse(check.not_before)) })) : null;
    const section = check.section ? h("p.soft", {}, _("Section {section}", { section: check.section })) : null;
    return note("look", check.reason ? h("p", {}, _(check.reason)) : null, from, section);
  }

  /**
   * @param {string} act
   * @param {object} more
   */
  async #act(act, more) {
    const told = await this.#ask(act, more);
    this.asked.delete(act);
    return told;
  }

  /**
   * @param {string} act
   * @param {object} more
   */
  #ask(act, more) {
    const body = { id: this.#idOf(act), act, party: this.party, ...more };
    return phone.ask(`/api/v1/cases/${this.id}/acts`, body, language());
  }

  /** @param {string} what @returns {string} */
  #idOf(what) {
    const id = this.asked.get(what) ?? phone.freshId();
    this.asked.set(what, id);
    return id;
  }
}

/** @param {any} error */
function wordsOf(error) {
  if (error?.code === undefined) return error.message;
  const { reason, detail } = error.problem ?? {};
  return reason ? _(reason) : error.code === "refused" && error.slug !== "not-found" && detail ? detail : caseFault(error);
}
