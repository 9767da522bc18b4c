// @ts-check
/**
 * Help that the police gave against resistance or rescue: which report, called and arrived, what
 * happened, who was there. Kept as a draft with every tap; saved and signed without a network.
 */

import * as phone from "../device/phone.js";
import { open } from "./capture.js";
import { long } from "./codes.js";
import { h, picture } from "./dom.js";
import { said } from "./failures.js";
import { Linking } from "./linking.js";
import { WHAT } from "./outcomes.js";
import { button, line, link, select, text, top } from "./parts.js";
import * as place from "./place.js";
import { draw, go, here, replace } from "./router.js";
import { Thumbs } from "./thumbs.js";
import * as update from "./update.js";
import { _, clock, sentence } from "./words.js";

const EMPTY = { isTouched: false, seizure: null, reference: "", calledAt: null, arrivedAt: null, what: "", isRefused: false, refusal: "", persons: [], station: "", gd: "", fir: "", narrative: "" };

const PARTS = [
  { code: "", label: sentence("Part not known") },
  { code: "owner", label: sentence("Owner of the cattle") },
  { code: "resisted", label: sentence("Resisted or took the cattle") },
  { code: "helped", label: sentence("Helped the seizer") },
  { code: "saw", label: sentence("Saw it") },
];

/** A new one, for the report of a QR. */
export const begin = {
  /** @type {import("./router.js").Screen["show"]} */
  async show(_stage, said = "", id = "") {
    const reference = said === "-" ? "" : said;
    const given = { ...EMPTY, reference, seizure: long(id) };
    const capture = await open("", "aid", given);
    replace(`/aid/${capture?.draft.id}`);
  },
};

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const [capture, me] = await Promise.all([open(id), phone.me()]);
  if (capture === null) return void go("/");
  place.warm();
  return new Aid(stage, capture, me).begin();
}

class Aid {
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
    this.times = h("div.row");
    this.tiles = h("div.row", { role: "group", "aria-label": _("What happened") });
    this.people = h("div");
    this.isSaving = false;
  }

  async begin() {
    const { capture } = this;
    const { seizure, reference } = capture.values;
    const linking = new Linking(this.me, { seizure, reference }, (chosen) => this.change(chosen));
    draw(
      this.stage,
      top(_("Police aid")),
      await linking.begin(),
      this.times,
      h("h2", {}, _("What happened")),
      this.tiles,
      this.#refusal(),
      capture.photos.length ? this.thumbs.row(capture.photos, null) : null,
      h("div.stack", {}, link(".button--quiet", "camera", _("Photo"), `/photo/${capture.draft.id}`)),
      this.#details(),
      h("div.stack", {}, this.fault, button(".button--main", "check", _("Save"), () => this.save(), { id: "save" })),
    );
    this.paint();
    return () => this.end();
  }

  /** @param {any} values */
  change(values) {
    this.fault.replaceChildren();
    return this.capture.change({ ...values, isTouched: true }, "aid");
  }

  paint() {
    this.times.replaceChildren(this.#now("calledAt", _("Call came in"), "called"), this.#now("arrivedAt", _("Arrived"), "arrived"));
    const { what } = this.capture.values;
    const tile = (/** @type {typeof WHAT[0]} */ one) => button(".button--tile", one.sign, _(one.label), () => this.#tap({ what: one.code }), { "aria-pressed": String(one.code === what), "data-what": one.code });
    this.tiles.replaceChildren(...WHAT.map(tile));
    this.#paintPeople();
  }

  /** @param {any} values */
  #tap(values) {
    navigator.vibrate?.(15);
    void this.change(values);
    this.paint();
  }

  /**
   * @param {"calledAt" | "arrivedAt"} name
   * @param {string} word
   * @param {string} id
   */
  #now(name, word, id) {
    const at = this.capture.values[name];
    const shown = at === null ? _("Now") : clock(at);
    const press = () => this.#tap({ [name]: at === null ? Date.now() : null });
    return button(".button--tile", at === null ? "clock" : "check", `${word}: ${shown}`, press, { id, "aria-pressed": String(at !== null) });
  }

  #refusal() {
    const { isRefused, refusal } = this.capture.values;
    const why = h("div", { hidden: !isRefused }, line("refusal", _("Why help was refused"), refusal, (typed) => this.change({ refusal: typed })));
    const given = select("given", _("Help"), [{ code: "", label: _("Help was given") }, { code: "1", label: _("Help was refused") }], isRefused ? "1" : "", (code) => {
      why.hidden = code === "";
      return this.change({ isRefused: code !== "" });
    });
    return h("div", {}, given, why);
  }

  #details() {
    const { values } = this.capture;
    return h(
      "details",
      {},
      h("summary", {}, picture("pencil"), _("People, station, numbers, account")),
      h("h2", {}, _("People involved")),
      this.people,
      line("station", _("Police station"), values.station, (station) => this.change({ station })),
      line("gd", _("General diary number"), values.gd, (gd) => this.change({ gd })),
      line("fir", _("FIR number"), values.fir, (fir) => this.change({ fir })),
      text("narrative", _("What happened, in your words"), values.narrative, (narrative) => this.change({ narrative })),
    );
  }

  #paintPeople() {
    const { persons } = this.capture.values;
    const put = (/** @type {number} */ at, /** @type {any} */ part) => this.change({ persons: this.capture.values.persons.map((/** @type {any} */ one, /** @type {number} */ i) => (i === at ? { ...one, ...part } : one)) });
    const rows = persons.map((/** @type {any} */ one, /** @type {number} */ at) =>
      h(
        "div.card",
        {},
        line(`name-${at}`, _("Name, if known"), one.name, (name) => put(at, { name })),
        select(`part-${at}`, _("Part in it"), PARTS.map((part) => ({ code: part.code, label: _(part.label) })), one.part, (part) => put(at, { part })),
        button(".button--quiet", "cross", _("Take out"), () => this.#tap({ persons: persons.filter((/** @type {any} */ _one, /** @type {number} */ i) => i !== at) })),
      ),
    );
    const add = button("", "plus", _("Add a person"), () => this.#tap({ persons: [...this.capture.values.persons, { id: phone.freshId(), name: "", part: "" }] }), { id: "add-person" });
    this.people.replaceChildren(...rows, h("div.stack", {}, add));
  }

  async save() {
    const { capture } = this;
    const { what, isRefused, refusal } = capture.values;
    if (this.isSaving) return;
    if (what === "") return this.refuse(_("Say what happened: tap one of the four."));
    if (isRefused && refusal.trim() === "") return this.refuse(_("Say why help was refused."));
    this.isSaving = true;
    try {
      await capture.written;
      const report = await phone.saveReport({ draft: capture.draft.id, kind: "aid", fields: fieldsOf(capture, this.me) });
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

/**
 * Return an aid as it is saved. A number that this phone does not know stands in the account.
 * @param {import("./capture.js").Capture} capture
 * @param {any} me
 */
function fieldsOf(capture, me) {
  const { values, draft, location } = capture;
  const named = values.seizure === null && values.reference ? _("Number of the report: {reference}", { reference: values.reference }) : "";
  const said = {
    ground: WHAT.find((one) => one.code === values.what)?.ground,
    outcome: values.what,
    rendered: !values.isRefused,
    refusal_reason: values.isRefused ? values.refusal : null,
    seizure_id: values.seizure,
    requested_at: new Date(values.calledAt ?? draft.startedAt).toISOString(),
    arrived_at: values.arrivedAt === null ? null : new Date(values.arrivedAt).toISOString(),
    location,
    "officer.name": me.person.name,
    "officer.station": values.station,
    gd_no: values.gd,
    fir_no: values.fir,
    narrative: [named, values.narrative].filter(Boolean).join("\n"),
    persons: values.persons.map((/** @type {any} */ one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ""))),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null && value !== ""));
}
