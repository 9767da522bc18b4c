// @ts-check
/**
 * Help that the police gave against resistance or rescue: which report, called and arrived, what
 * happened, who was there. Kept as a draft with every tap; saved and signed without a network.
 */

import * as phone from "../device/phone.js";
import { open } from "./capture.js";
import { long } from "./codes.js";
import { atDesk } from "./desk.js";
import { h, picture } from "./dom.js";
import { Linking } from "./linking.js";
import { WHAT, outcomeSaid } from "./outcomes.js";
import { button, line, select, text, top } from "./parts.js";
import { draw, replace } from "./router.js";
import { isSpoken, speak, voiceSwitch } from "./voice.js";
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
export function show(stage, id) {
  return atDesk(stage, { id, step: "aid", home: "/" }, (desk) => new Aid(desk).begin());
}

class Aid {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.capture = desk.capture;
    this.me = desk.me;
    this.times = h("div.row");
    this.tiles = h("div.row", { role: "group", "aria-label": _("What happened") });
    this.people = h("div");
  }

  async begin() {
    const { desk } = this;
    const { seizure, reference } = this.capture.values;
    const linking = new Linking(this.me, { seizure, reference }, (chosen) => desk.change(chosen));
    draw(
      desk.stage,
      top(_("Police aid")),
      await linking.begin(),
      this.times,
      h("h2", {}, _("What happened")),
      voiceSwitch(WHAT[0].code, () => outcomeSaid(WHAT[0].code)),
      this.tiles,
      this.#refusal(),
      desk.photos(),
      desk.shoot(),
      this.#details(),
      h("div.stack", {}, desk.fault, desk.saveButton(() => this.save())),
    );
    this.paint();
    desk.follow(() => this.paint());
    return () => desk.end();
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
    if (values.what && isSpoken()) void speak(values.what, outcomeSaid(values.what));
    void this.desk.change(values);
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
    const why = h("div", { hidden: !isRefused }, line("refusal", _("Why help was refused"), refusal, (typed) => this.desk.change({ refusal: typed })));
    const given = select("given", _("Help"), [{ code: "", label: _("Help was given") }, { code: "1", label: _("Help was refused") }], isRefused ? "1" : "", (code) => {
      why.hidden = code === "";
      return this.desk.change({ isRefused: code !== "" });
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
      line("station", _("Police station"), values.station, (station) => this.desk.change({ station })),
      line("gd", _("General diary number"), values.gd, (gd) => this.desk.change({ gd }), { maxlength: 64 }),
      line("fir", _("FIR number"), values.fir, (fir) => this.desk.change({ fir }), { maxlength: 64 }),
      text("narrative", _("What happened, in your words"), values.narrative, (narrative) => this.desk.change({ narrative })),
    );
  }

  #paintPeople() {
    const { persons } = this.capture.values;
    const put = (/** @type {number} */ at, /** @type {any} */ part) => this.desk.change({ persons: this.capture.values.persons.map((/** @type {any} */ one, /** @type {number} */ i) => (i === at ? { ...one, ...part } : one)) });
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

  save() {
    const { capture, desk } = this;
    const { what, isRefused, refusal } = capture.values;
    if (what === "") return desk.refuse(_("Say what happened: tap one of the four."));
    if (isRefused && refusal.trim() === "") return desk.refuse(_("Say why help was refused."));
    return desk.save(() => phone.saveReport({ draft: capture.draft.id, kind: "aid", fields: fieldsOf(capture, this.me) }));
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
