// @ts-check
/**
 * Cattle that come to the pound: which report, and what the keeper counts. The seizer's numbers stand
 * beside and are never overwritten: where the two differ both are kept. Works without a network.
 */

import * as phone from "../device/phone.js";
import { open } from "./capture.js";
import { long } from "./codes.js";
import { atDesk } from "./desk.js";
import { h, picture } from "./dom.js";
import { Linking } from "./linking.js";
import { button, line, note, select, top } from "./parts.js";
import { draw, replace } from "./router.js";
import { herd, kinds } from "./statute.js";
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
export function show(stage, id) {
  return atDesk(stage, { id, step: "receive", home: "/pound" }, (desk) => new Receive(desk).begin());
}

class Receive {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    const { capture, me } = desk;
    this.desk = desk;
    this.capture = capture;
    this.me = me;
    this.counts = h("div");
    const { seizure, reference } = capture.values;
    this.linking = new Linking(me, { seizure, reference }, (chosen) => this.link(chosen), (one) => one.isWhole && one.intakes.length === 0);
  }

  async begin() {
    const { desk, me } = this;
    const { values } = this.capture;
    const kept = me.pounds.filter((/** @type {any} */ one) => me.keeps.includes(one.id)).map((/** @type {any} */ one) => ({ code: one.id, label: one.name }));
    draw(
      desk.stage,
      top(_("Receive cattle"), "/pound"),
      await this.linking.begin(),
      kept.length > 1 ? select("kept", _("Pound"), kept, values.kept, (code) => this.desk.change({ kept: code })) : null,
      h("h2", {}, _("What do you count?")),
      this.counts,
      desk.photos(),
      desk.shoot(),
      h("details", {}, h("summary", {}, picture("pencil"), _("Who brought them, condition, remarks")), line("brought", _("Brought by"), values.broughtBy, (broughtBy) => this.desk.change({ broughtBy })), line("condition", _("Condition"), values.condition, (condition) => this.desk.change({ condition }), { maxlength: 2000 }), line("remarks", _("Remarks"), values.remarks, (remarks) => this.desk.change({ remarks }), { maxlength: 2000 })),
      h("div.stack", {}, desk.fault, desk.saveButton(() => this.save())),
    );
    this.paint();
    desk.follow(() => this.paint());
    return () => desk.end();
  }

  /** @param {import("./linking.js").Link} chosen */
  link(chosen) {
    void this.desk.change(chosen);
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
    const same = Object.keys(theirs).length && !isSame ? button("", "check", _("The same as the seizer: {herd}", { herd: this.#herd(theirs) }), () => this.#count(less(theirs, own)), { id: "same" }) : null;
    const other = select("kind", _("Another kind"), [{ code: "", label: _("Not chosen") }, ...rest], "", (code) => code && this.#count({ [code]: 1 }));
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

  /** @param {{[kind: string]: number}} by how many more of a kind */
  #count(by) {
    navigator.vibrate?.(15);
    void this.desk.count(by);
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
    const step = (/** @type {number} */ by) => this.#count({ [kind]: by });
    const fewer = h("button.tile__less", { type: "button", "aria-label": _("One fewer: {kind}", { kind: name }), onclick: () => step(-1) }, picture("minus"));
    const more = h("button.tile__less", { type: "button", "aria-label": _("One more: {kind}", { kind: name }), onclick: () => step(1) }, picture("plus"));
    const seizer = theirs === undefined ? "" : _("The seizer: {number}", { number: theirs });
    return h("div.counted", { "data-kind": kind }, picture(kind, "picture--kind"), h("div", {}, h("strong", {}, name), h("p.soft", {}, seizer)), h("div.steps", {}, fewer, h("output.tile__count", { "aria-label": name }, String(count)), more));
  }

  save() {
    const { capture, desk } = this;
    if (capture.total === 0) return desk.refuse(_("Count at least one animal."));
    return desk.save(() => phone.saveReport({ draft: capture.draft.id, kind: "intake", fields: fieldsOf(capture) }));
  }
}

/** Return how many more of each kind there are than in another count. @param {{[kind: string]: number}} one @param {{[kind: string]: number}} two */
function less(one, two) {
  return Object.fromEntries(Object.entries(one).map(([kind, count]) => [kind, count - (two[kind] ?? 0)]));
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
