// @ts-check
/**
 * Cattle that come to the pound: which report, and what the keeper counts. The seizer's numbers stand
 * beside and are never overwritten: where the two differ both are kept. Works without a network.
 */

import * as phone from "../device/phone.js";
import { open } from "./capture.js";
import { long } from "./codes.js";
import { h, picture } from "./dom.js";
import { said } from "./failures.js";
import { Linking } from "./linking.js";
import { button, line, link, note, select, top } from "./parts.js";
import * as place from "./place.js";
import { draw, go, here, replace } from "./router.js";
import { herd, kinds } from "./statute.js";
import { Thumbs } from "./thumbs.js";
import * as update from "./update.js";
import { _, kindName } from "./words.js";

const EMPTY = { isTouched: false, seizure: null, reference: "", kept: "", broughtBy: "", condition: "", receivedAt: null };

/** A new arrival, for the report of a QR. */
export const begin = {
  /** @type {import("./router.js").Screen["show"]} */
  async show(_stage, said = "", id = "") {
    const reference = said === "-" ? "" : said;
    const me = await phone.me();
    const given = { ...EMPTY, reference, seizure: long(id), kept: me.keeps[0] ?? "", receivedAt: Date.now() };
    const capture = await open("", "intake", given);
    replace(`/receive/${capture?.draft.id}`);
  },
};

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const [capture, me] = await Promise.all([open(id), phone.me()]);
  if (capture === null) return void go("/pound");
  place.warm();
  return new Receive(stage, capture, me).begin();
}

class Receive {
  /**
   * @param {import("./router.js").Stage} stage
   * @param {import("./capture.js").Capture} capture
   * @param {any} me
   */
  constructor(stage, capture, me) {
    this.stage = stage;
    this.capture = capture;
    this.me = me;
    this.thumbs = new Thumbs();
    this.fault = h("div");
    this.counts = h("div");
    this.isSaving = false;
    const { seizure, reference } = capture.values;
    this.linking = new Linking(me, { seizure, reference }, (chosen) => this.link(chosen), (one) => one.isWhole && one.intakes.length === 0);
  }

  async begin() {
    const { capture, me } = this;
    const { values } = capture;
    const kept = me.pounds.filter((/** @type {any} */ one) => me.keeps.includes(one.id)).map((/** @type {any} */ one) => ({ code: one.id, label: one.name }));
    draw(
      this.stage,
      top(_("Receive cattle"), "/pound"),
      await this.linking.begin(),
      kept.length > 1 ? select("kept", _("Pound"), kept, values.kept, (code) => this.change({ kept: code })) : null,
      h("h2", {}, _("What do you count?")),
      this.counts,
      capture.photos.length ? this.thumbs.row(capture.photos, null) : null,
      h("div.stack", {}, link(".button--quiet", "camera", _("Photo"), `/photo/${capture.draft.id}`)),
      h("details", {}, h("summary", {}, picture("pencil"), _("Who brought them, condition, remarks")), line("brought", _("Brought by"), values.broughtBy, (broughtBy) => this.change({ broughtBy })), line("condition", _("Condition"), values.condition, (condition) => this.change({ condition })), line("remarks", _("Remarks"), values.remarks, (remarks) => this.change({ remarks }))),
      h("div.stack", {}, this.fault, button(".button--main", "check", _("Save"), () => this.save(), { id: "save" })),
    );
    this.paint();
    return () => this.end();
  }

  /** @param {any} values */
  change(values) {
    this.fault.replaceChildren();
    return this.capture.change({ ...values, isTouched: true }, "receive");
  }

  /** @param {import("./linking.js").Link} chosen */
  link(chosen) {
    void this.change(chosen);
    this.paint();
  }

  /** Return what the seizer counted, by kind. */
  get theirs() {
    /** @type {{[kind: string]: number}} */
    const sums = {};
    for (const { kind, count } of this.linking.row?.animals ?? []) sums[kind] = (sums[kind] ?? 0) + (count ?? 0);
    return sums;
  }

  paint() {
    const { theirs } = this;
    const own = this.capture.values.counts;
    const shown = [...new Set([...Object.keys(theirs), ...Object.keys(own)])];
    const all = kinds(this.me);
    const rest = all.filter((one) => !shown.includes(one.code)).map((one) => ({ code: one.code, label: kindName(one, 2) }));
    const isSame = shown.every((kind) => (own[kind] ?? 0) === (theirs[kind] ?? 0));
    const same = Object.keys(theirs).length && !isSame ? button("", "check", _("The same as the seizer: {herd}", { herd: this.#herd(theirs) }), () => this.#put({ ...own, ...theirs }), { id: "same" }) : null;
    const other = select("kind", _("Another kind"), [{ code: "", label: _("Not chosen") }, ...rest], "", (code) => code && this.#put({ ...own, [code]: 1 }));
    const differs = Object.keys(theirs).length && Object.keys(own).length && !isSame;
    this.counts.replaceChildren(
      ...shown.map((kind) => this.#row(kind, own[kind] ?? 0, theirs[kind])),
      ...[same && h("div.stack", {}, same), differs && note("look", h("p", {}, _("Your count differs from the seizer's. Both are kept; the office decides."))), other].filter((one) => one instanceof Node),
    );
  }

  /** @param {{[kind: string]: number}} sums */
  #herd(sums) {
    return herd(this.me, Object.entries(sums).map(([kind, count]) => ({ kind, count })));
  }

  /** @param {{[kind: string]: number}} counts */
  #put(counts) {
    navigator.vibrate?.(15);
    void this.change({ counts });
    this.paint();
  }

  /**
   * @param {string} kind
   * @param {number} count
   * @param {number | undefined} theirs
   */
  #row(kind, count, theirs) {
    const named = kinds(this.me).find((one) => one.code === kind);
    const name = named ? kindName(named, 2) : kind;
    const step = (/** @type {number} */ by) => this.#put({ ...this.capture.values.counts, [kind]: Math.max(0, count + by) });
    const fewer = h("button.tile__less", { type: "button", "aria-label": _("One fewer: {kind}", { kind: name }), onclick: () => step(-1) }, picture("minus"));
    const more = h("button.tile__less", { type: "button", "aria-label": _("One more: {kind}", { kind: name }), onclick: () => step(1) }, picture("plus"));
    const seizer = theirs === undefined ? "" : _("The seizer: {number}", { number: theirs });
    return h("div.counted", { "data-kind": kind }, picture(kind, "picture--kind"), h("div", {}, h("strong", {}, name), h("p.soft", {}, seizer)), h("div.steps", {}, fewer, h("output.tile__count", { "aria-label": name }, String(count)), more));
  }

  async save() {
    const { capture } = this;
    if (this.isSaving) return;
    if (capture.total === 0) return this.refuse(_("Count at least one animal."));
    this.isSaving = true;
    try {
      await capture.written;
      const report = await phone.saveReport({ draft: capture.draft.id, kind: "intake", fields: fieldsOf(capture) });
      navigator.vibrate?.(40);
      void update.askToBeWoken();
      replace(`/receipt/${report.id}`);
    } catch (error) {
      this.isSaving = false;
      this.refuse(said(error));
    }
  }

  /** @param {string} why */
  refuse(why) {
    const fault = h("p.fault", { role: "alert", tabindex: -1 }, why);
    this.fault.replaceChildren(fault);
    fault.focus();
  }

  async end() {
    void this.thumbs.release();
    const { capture } = this;
    const isLeft = !here().includes(capture.draft.id) && !this.isSaving;
    if (isLeft && capture.isEmpty) await phone.dropDraft(capture.draft.id);
  }
}

/** Return an arrival as it is saved; a number that this phone does not know stands in the remarks. @param {import("./capture.js").Capture} capture */
function fieldsOf(capture) {
  const { values, draft, location } = capture;
  const named = values.seizure === null && values.reference ? _("Number of the report: {reference}", { reference: values.reference }) : "";
  const counts = Object.entries(values.counts).map(([kind, count]) => ({ kind, count }));
  const said = {
    seizure_id: values.seizure,
    pound_id: values.kept || null,
    received_at: new Date(values.receivedAt ?? draft.startedAt).toISOString(),
    location,
    counts,
    brought_by: values.broughtBy || null,
    condition: values.condition || null,
    remarks: [named, values.remarks].filter(Boolean).join("\n") || null,
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}
