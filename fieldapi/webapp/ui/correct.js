// @ts-check
/**
 * Completing and correcting a saved report: new statements beside the old ones, never a deletion.
 * What was empty is filled in without a word; what said something else before wants a reason.
 */

import * as phone from "../device/phone.js";
import { saidOf } from "./body.js";
import { h, picture } from "./dom.js";
import { said } from "./failures.js";
import { nameOfField } from "./fields.js";
import { Linking } from "./linking.js";
import { tagsOf } from "./marks.js";
import { button, line, say, select, text, top } from "./parts.js";
import { draw, replace } from "./router.js";
import { herd, kinds, terms } from "./statute.js";
import { _, kindName, sentence } from "./words.js";

/** Fields of 64 characters, and of 2,000; others take 200. */
const SHORT = new Set(["survey_no", "damage.crop", "colour", "horns", "gd_no", "fir_no"]);
const LONG = new Set(["place_text", "damage.text", "condition", "remarks"]);
const WHY = [sentence("I counted wrong."), sentence("I tapped the wrong thing."), sentence("I learned it later.")];
const GONE = [sentence("It was reported twice."), sentence("The cattle were given back on the spot."), sentence("It was a mistake.")];

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const [me, report] = await Promise.all([phone.me(), phone.report(id).catch(() => null)]);
  if (report === null) return replace("/reports");
  const form = new Form(me, report);
  draw(stage, top(_("Complete or correct"), `/report/${id}`), h("p", {}, _("What you said before stays in the history.")), ...(await form.parts()));
}

class Form {
  /**
   * @param {any} me
   * @param {any} report
   */
  constructor(me, report) {
    this.me = me;
    this.report = report;
    this.shown = saidOf(report.screen);
    /** What was changed: record → fields. @type {Map<string, {[field: string]: any}>} */
    this.changed = new Map();
    /** @type {{kind: string, count: number}[]} */
    this.added = [];
    /** @type {[string, string, any][]} */
    this.joined = [];
    this.why = "";
    this.reasons = h("div");
    this.isSaving = false;
  }

  /** @returns {Promise<(Node | null)[]>} */
  async parts() {
    const { kind } = this.report;
    const own = kind === "seizure" ? this.#seizure() : kind === "aid" ? await this.#aid() : await this.#intake();
    return [...own, this.reasons, h("div.stack", {}, button(".button--main", "check", _("Save"), () => this.save(), { id: "save" }))];
  }

  /**
   * @param {string} record
   * @param {string} field
   * @param {any} value
   */
  change(record, field, value) {
    this.changed.set(record, { ...this.changed.get(record), [field]: value });
    this.#paintReasons();
  }

  /**
   * @param {string} name
   * @param {{[name: string]: any}} [more]
   */
  #line(name, more = {}) {
    return line(name.replaceAll(".", "-"), nameOfField(name), this.shown[name], (typed) => this.change(this.report.id, name, typed.trim() || null), { ...(SHORT.has(name) && { maxlength: 64 }), ...(LONG.has(name) && { maxlength: 2000 }), ...more });
  }

  #seizure() {
    const { me, report, shown } = this;
    const { id } = report;
    const pounds = me.pounds.map((/** @type {any} */ one) => ({ code: one.id, label: one.name }));
    const choice = (/** @type {string} */ name, /** @type {any[]} */ list) => {
      const own = shown[name];
      return select(name, nameOfField(name), list, own, (code) => this.change(id, name, code || null));
    };
    const rupees = shown["damage.estimate_paise"];
    const seizer = { name: this.me.person.name, ...shown.seizer };
    const seized = (/** @type {any} */ part) => {
      Object.assign(seizer, part);
      this.change(id, "seizer", Object.fromEntries(Object.entries(seizer).filter(([, value]) => value !== "")));
    };
    return [
      ...report.animals.map((/** @type {any} */ one) => this.#lot(one)),
      this.#more(),
      choice("ground", terms(me, "grounds")),
      choice("place_kind", terms(me, "place_kinds")),
      choice("capacity", terms(me, "capacities")),
      pounds.length ? choice("pound_id", [{ code: "", label: _("Not chosen") }, ...pounds]) : null,
      this.#line("place_text"),
      this.#line("survey_no"),
      part(_("Damage"), this.#line("damage.text"), this.#line("damage.crop"), line("estimate", _("Estimated damage, in rupees"), rupees === undefined || rupees === null ? "" : rupees / 100, (typed) => this.change(id, "damage.estimate_paise", typed.trim() === "" || Number.isNaN(Number(typed)) ? null : Math.round(Number(typed) * 100)), { inputmode: "decimal" })),
      part(_("Owner"), this.#owner(), this.#line("owner.parent"), this.#line("owner.residence"), this.#line("owner.mobile", { type: "tel", inputmode: "tel" })),
      part(_("Who seized"), line("seizer-name", _("Name"), seizer.name, (name) => seized({ name })), line("seizer-residence", _("Residence"), seizer.residence, (residence) => seized({ residence }))),
      part(_("Witnesses"), this.#people("witnesses")),
      text("remarks", _("Remarks"), shown.remarks, (typed) => this.change(id, "remarks", typed.trim() || null)),
    ];
  }

  /** Whose name is known is known. */
  #owner() {
    return line("owner-name", _("Owner's name"), this.shown["owner.name"], (typed) => {
      this.change(this.report.id, "owner.name", typed.trim() || null);
      if (typed.trim() && this.shown["owner.known"] !== true) this.change(this.report.id, "owner.known", true);
    });
  }

  async #aid() {
    return [await this.#linking(), this.#line("officer.station"), this.#line("gd_no"), this.#line("fir_no"), part(_("People involved"), this.#people("persons")), text("narrative", _("What happened, in your words"), this.shown.narrative, (typed) => this.change(this.report.id, "narrative", typed.trim() || null))];
  }

  async #intake() {
    const { me, report, shown } = this;
    const counts = new Map((shown.counts ?? []).map((/** @type {any} */ one) => [one.kind, one.count]));
    const rows = [...counts.keys()].map((kind) =>
      line(`count-${kind}`, herdName(me, kind), counts.get(kind), (typed) => {
        if (!/^\d{1,3}$/.test(typed)) return;
        counts.set(kind, Number(typed));
        this.change(report.id, "counts", [...counts].map(([one, count]) => ({ kind: one, count })));
      }, { inputmode: "numeric" }),
    );
    return [shown.seizure_id ? null : await this.#linking(), ...rows, this.#line("brought_by"), this.#line("condition"), this.#line("remarks")];
  }

  #linking() {
    const link = { seizure: this.shown.seizure_id ?? null, reference: "" };
    return new Linking(this.me, link, ({ seizure }) => seizure && this.change(this.report.id, "seizure_id", seizure)).begin();
  }

  /** @param {any} animal */
  #lot(animal) {
    const { me } = this;
    const own = saidOf(animal);
    const all = kinds(me).map((one) => ({ code: one.code, label: kindName(one, 2) }));
    const sexes = [["", _("Not known")], ["female", _("Female")], ["male", _("Male")], ["castrated", _("Castrated")], ["mixed", _("Mixed")]].map(([code, label]) => ({ code, label }));
    const ages = [["", _("Not known")], ["young", _("Young")], ["adult", _("Adult")], ["old", _("Old")], ["mixed", _("Mixed")]].map(([code, label]) => ({ code, label }));
    const typed = (/** @type {string} */ name) => line(`${name}-${animal.id}`, nameOfLot(name), own[name], (text) => this.change(animal.id, name, text.trim() || null), SHORT.has(name) ? { maxlength: 64 } : {});
    return h(
      "section.card",
      { "data-lot": animal.id },
      line(`count-${animal.id}`, herdName(me, own.kind), own.count, (text) => {
        if (/^\d{1,3}$/.test(text) && Number(text) > 0) this.change(animal.id, "count", Number(text));
      }, { inputmode: "numeric" }),
      part(_("Marks and ear tags"), select(`kind-${animal.id}`, _("Kind of animal"), all, own.kind, (code) => this.change(animal.id, "kind", code)), select(`sex-${animal.id}`, _("Sex"), sexes, own.sex, (code) => this.change(animal.id, "sex", code || null)), select(`age-${animal.id}`, _("Age"), ages, own.age_class, (code) => this.change(animal.id, "age_class", code || null)), typed("colour"), typed("horns"), typed("marks"), typed("condition"), tagsOf(animal.id, own.ear_tags ?? [])),
    );
  }

  #more() {
    const list = h("p", { "aria-live": "polite" });
    const all = kinds(this.me).map((one) => ({ code: one.code, label: kindName(one, 2) }));
    return h("div", {}, select("more", _("Another kind"), [{ code: "", label: _("Not chosen") }, ...all], "", (kind) => {
      if (!kind) return;
      this.added.push({ kind, count: 1 });
      list.textContent = herd(this.me, this.added);
      this.#paintReasons();
    }), list);
  }

  /** @param {"witnesses" | "persons"} field */
  #people(field) {
    const { id, kind } = this.report;
    const known = this.shown[field] ?? [];
    let name = "";
    const strike = (/** @type {any} */ one) => done(() => phone.strike(kind, id, field, { key: one.id, reason: "written by mistake" }), `/correct/${id}`);
    const rows = known.map((/** @type {any} */ one) => h("li.row", {}, h("span", {}, one.name || _("Name not known")), button(".button--quiet", "cross", _("Take out"), () => strike(one))));
    const add = () => name.trim() && done(() => phone.addTo(kind, id, field, { id: phone.freshId(), name: name.trim() }), `/correct/${id}`);
    return h("div", {}, h("ul.plain", {}, rows), line(`${field}-name`, _("Name"), "", (typed) => (name = typed)), h("div.stack", {}, button("", "plus", _("Add a person"), add, { id: `add-${field}` })));
  }

  /** Say whether something that was said is said otherwise now. */
  get isCorrection() {
    const before = new Map([[this.report.id, this.shown], ...this.report.animals.map((/** @type {any} */ one) => [one.id, saidOf(one)])]);
    const kept = (/** @type {any} */ value) => value !== undefined && value !== null && value !== "";
    const changes = [...this.changed].flatMap(([record, fields]) => Object.keys(fields).map((field) => before.get(record)?.[field]));
    return this.added.length > 0 || changes.some(kept);
  }

  #paintReasons() {
    if (!this.isCorrection) return this.reasons.replaceChildren();
    if (this.reasons.hasChildNodes()) return;
    const chips = WHY.map((one) => button("", null, _(one), () => this.#because(_(one), chips), { "aria-pressed": "false" }));
    this.reasons.replaceChildren(h("h2", {}, _("Why is it corrected?")), h("div.stack", { id: "reasons" }, chips), line("why", _("Or in your words"), "", (typed) => this.#because(typed.trim(), chips)));
  }

  /** @param {string} why @param {HTMLElement[]} chips */
  #because(why, chips) {
    this.why = why;
    for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.textContent === why));
  }

  async save() {
    const { report } = this;
    if (this.isSaving) return;
    if (this.isCorrection && !this.why) {
      this.#paintReasons();
      this.reasons.scrollIntoView();
      return say(_("Say why it is corrected."));
    }
    this.isSaving = true;
    try {
      const statement = this.isCorrection ? /** @type {const} */ ({ about: "correction", text: this.why }) : undefined;
      await phone.correct(report.id, { changes: this.#changes(), animals: this.added, statement });
      replace(`/report/${report.id}`);
    } catch (error) {
      this.isSaving = false;
      say(said(error));
    }
  }

  /** Each is made on what stood on this screen: a value that came meanwhile is not overwritten unseen. */
  #changes() {
    const { report } = this;
    return [...this.changed].map(([id, fields]) => {
      const isOwn = id === report.id;
      const seen = isOwn ? report.screen : report.animals.find((/** @type {any} */ one) => one.id === id);
      return { kind: isOwn ? report.kind : "animal", id, fields, seen: seen ?? undefined };
    });
  }
}

/** Taking a report back as a whole: it stays in the list, and the office sees it and why. */
export const withdraw = {
  /** @type {import("./router.js").Screen["show"]} */
  async show(stage, id) {
    const report = await phone.report(id).catch(() => null);
    if (report === null) return replace("/reports");
    const isLooked = report.review !== null && report.review.state !== "received";
    let typed = "";
    const go_ = (/** @type {string} */ why) => done(() => phone.retract(report.kind, id, why), `/report/${id}`, _("The report is withdrawn, and stays in the list."));
    draw(
      stage,
      top(_("Withdraw this report"), `/report/${id}`),
      h("p", {}, isLooked ? _("The office has looked at it already: it decides whether the withdrawal counts.") : _("It stays in the list, marked as withdrawn, with your reason.")),
      h("div.stack", { id: "reasons" }, GONE.map((one) => button("", null, _(one), () => go_(_(one))))),
      line("why", _("Or in your words"), "", (text) => (typed = text.trim())),
      h("div.stack", {}, button(".button--bad", "undo", _("Withdraw"), () => (typed ? go_(typed) : say(_("Say why."))), { id: "withdraw" })),
    );
  },
};

/**
 * @param {() => Promise<unknown>} work
 * @param {string} path where to go then
 * @param {string} [word]
 */
async function done(work, path, word = _("Saved on this phone")) {
  try {
    await work();
    say(word);
    replace(path);
  } catch (error) {
    say(said(error));
  }
}

/** @param {string} title @param {...(Node | null)} children */
function part(title, ...children) {
  return h("details", {}, h("summary", {}, picture("pencil"), title), ...children);
}

/** @param {any} me @param {string} code */
function herdName(me, code) {
  const kind = kinds(me).find((one) => one.code === code);
  return kind ? kindName(kind, 2) : code;
}

/** @param {string} name */
function nameOfLot(name) {
  /** @type {{[name: string]: string}} */
  const names = { colour: _("Colour"), horns: _("Horns"), marks: _("Marks"), condition: _("Condition") };
  return names[name] ?? name;
}
