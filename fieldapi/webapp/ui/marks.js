// @ts-check
/** Marks and ear tags of the animals of a case: written beside what the seizer wrote, by either. */

import * as phone from "../device/phone.js";
import { h, picture } from "./dom.js";
import { said } from "./failures.js";
import { button, line, note, say, top } from "./parts.js";
import { draw, go, here } from "./router.js";
import { herd } from "./statute.js";
import { _ } from "./words.js";

const TAG = /^\d{12}$/;

/** So many are offered to be described at once; one more with each tap. */
const OFFERED = 6;

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const me = await phone.me();
  const [row] = await phone.cases(id);
  const animals = row?.animals ?? [];
  const cards = animals.map((one) => card(me, one, { counted: countedOf(row, one), report: row.intakes[0]?.id }));
  draw(stage, top(_("Marks and ear tags"), `/case/${id}`), ...cards, animals.length ? null : note("plain", h("p", {}, _("No animals"))));
}

/**
 * Return how many of a lot there are to describe: where the pound counted more, these.
 * @param {import("../device/cases.js").CaseRow} row
 * @param {import("../device/cases.js").CaseRow["animals"][0]} animal
 */
function countedOf({ animals, intakes }, { kind, count }) {
  const isOnly = animals.filter((one) => one.kind === kind).length === 1;
  const told = intakes.flatMap(({ shown }) => shown.counts ?? []).filter((one) => one.kind === kind);
  return Math.max(count ?? 0, ...(isOnly ? told.map((one) => one.count) : []));
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow["animals"][0]} animal
 * @param {{counted: number, report: string | undefined}} how `report`: to which it is sent with
 */
function card(me, animal, { counted, report }) {
  const each = new Each(me, animal, counted);
  let marks = animal.shown.marks ?? "";
  const save = async () => {
    if (!each.isRight()) return;
    const isSaid = await done(async () => {
      if (marks !== (animal.shown.marks ?? "")) await phone.edit("animal", animal.id, { marks: marks || null }, { report });
      if (each.changed.length) await phone.describe(animal.id, each.changed, { report });
    });
    if (isSaid) again();
  };
  return h(
    "section.card",
    { "data-lot": animal.id },
    h("h2", {}, herd(me, [animal])),
    line(`marks-${animal.id}`, _("Marks that all of them have"), marks, (text) => (marks = text)),
    each.element,
    h("div.stack", {}, button("", "check", _("Save the marks"), save, { "data-save": animal.id })),
    h("details", {}, h("summary", {}, picture("list"), _("Ear tags")), tagsOf(animal.id, animal.shown.ear_tags ?? [], report)),
  );
}

/** The animals of a lot one by one: marks and ear tag of each. */
class Each {
  /**
   * @param {any} me
   * @param {import("../device/cases.js").CaseRow["animals"][0]} animal
   * @param {number} counted
   */
  constructor(me, { id, kind, shown }, counted) {
    this.id = id;
    this.name = herd(me, [{ kind, count: 1 }]).replace(/^1 /, "");
    this.counted = counted;
    /** @type {Map<number, any>} */
    this.known = new Map((shown.individuals ?? []).map((/** @type {any} */ one) => [one.number, one]));
    /** @type {Map<number, any>} */
    this.said = new Map();
    this.rows = h("div");
    this.more = button(".button--quiet", "plus", _("Another animal"), () => this.offer(1), { "data-more": id });
    this.fault = h("div", { "aria-live": "polite" });
    this.element = h("div", {}, this.rows, h("div.stack", {}, this.more), this.fault);
    this.shown = 0;
    this.offer(Math.min(counted, Math.max(OFFERED, ...this.known.keys())));
  }

  /** @param {number} more */
  offer(more) {
    for (const last = Math.min(this.shown + more, this.counted); this.shown < last; ) this.rows.append(this.#row((this.shown += 1)));
    this.more.hidden = this.shown >= this.counted;
  }

  /** Return what was written otherwise than before. */
  get changed() {
    return [...this.said].map(([number, said]) => ({ number, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== "")) }));
  }

  /** Say whether each tag has its twelve digits; else say that. */
  isRight() {
    const wrong = [...this.said].find(([, { ear_tag: tag }]) => tag && !TAG.test(tag));
    this.fault.replaceChildren(...(wrong ? [h("p.fault", { role: "alert" }, `${this.name} ${wrong[0]}: `, _("An ear tag has exactly twelve digits."))] : []));
    return wrong === undefined;
  }

  /** @param {number} number */
  #row(number) {
    const { marks = "", ear_tag: tag = "", condition = "" } = this.known.get(number) ?? {};
    const put = (/** @type {any} */ part) => this.said.set(number, { marks, ear_tag: tag, condition, ...this.said.get(number), ...part });
    const field = `${this.id}-${number}`;
    return h(
      "fieldset",
      {},
      h("legend", {}, `${this.name} ${number}`),
      line(`each-${field}`, _("Marks"), marks, (text) => put({ marks: text.trim() }), { maxlength: 200 }),
      line(`each-tag-${field}`, _("Ear tag, twelve digits"), tag, (text) => put({ ear_tag: text.replace(/\s/g, "") }), { inputmode: "numeric", maxlength: 15 }),
    );
  }
}

/** Show the screen anew, with what was just written. */
function again() {
  go(here());
}

/**
 * Return the ear tags of a lot, each with a way to strike one that was misread, and a field for one
 * more. Written at once: a tag is read in front of the animal.
 * @param {string} id of the lot
 * @param {string[]} tags
 * @param {string} [report] to which they are sent with
 */
export function tagsOf(id, tags, report) {
  let typed = "";
  const list = h("ul.plain", { "data-tags": id });
  const fault = h("div", { "aria-live": "polite" });
  const strike = (/** @type {string} */ tag) => write(() => phone.strike("animal", id, "ear_tags", { key: tag, reason: "misread" }));
  const paint = (/** @type {string[]} */ now) => list.replaceChildren(...now.map((tag) => h("li.row", {}, h("span.code", {}, tag), button(".button--quiet", "cross", _("Misread: strike it"), () => strike(tag), { "data-tag": tag }))));
  const write = async (/** @type {() => Promise<unknown>} */ work) => {
    if (await done(work)) paint(/** @type {any} */ ((await phone.screen("animal", id)).shown.ear_tags ?? []));
  };
  const add = async () => {
    const tag = typed.replace(/\s/g, "");
    if (!TAG.test(tag)) return fault.replaceChildren(h("p.fault", { role: "alert" }, _("An ear tag has exactly twelve digits.")));
    fault.replaceChildren();
    await write(() => phone.addTo("animal", id, "ear_tags", tag, { report }));
    input.value = typed = "";
  };
  const field = line(`tag-${id}`, _("Twelve digits"), "", (text) => (typed = text), { inputmode: "numeric", maxlength: 15 });
  const input = /** @type {HTMLInputElement} */ (field.querySelector("input"));
  paint(tags);
  return h("div", {}, h("h3", {}, _("Ear tags")), list, fault, field, h("div.stack", {}, button("", "plus", _("Add the tag"), add, { "data-add": id })));
}

/** Do it and say so; returns whether it was done. @param {() => Promise<unknown>} work */
async function done(work) {
  try {
    await work();
    say(_("Saved on this phone"));
    return true;
  } catch (error) {
    say(said(error));
    return false;
  }
}
