// @ts-check
/** Marks and ear tags of the animals of a case: written beside what the seizer wrote, by either. */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { button, line, note, say, top } from "./parts.js";
import { draw } from "./router.js";
import { herd } from "./statute.js";
import { _ } from "./words.js";

const TAG = /^\d{12}$/;

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const me = await phone.me();
  const [row] = await phone.cases(id);
  draw(stage, top(_("Marks and ear tags"), `/case/${id}`), ...(row?.animals ?? []).map((one) => card(me, one, row.intakes[0]?.id)), row?.animals.length ? null : note("plain", h("p", {}, _("No animals"))));
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow["animals"][0]} animal
 * @param {string | undefined} report to which it is sent with
 */
function card(me, animal, report) {
  let marks = animal.shown.marks ?? "";
  const save = () => done(() => phone.edit("animal", animal.id, { marks: marks || null }, { report }));
  return h("section.card", { "data-lot": animal.id }, h("h2", {}, herd(me, [animal])), line(`marks-${animal.id}`, _("Marks"), marks, (text) => (marks = text)), h("div.stack", {}, button("", "check", _("Save the marks"), save)), tagsOf(animal.id, animal.shown.ear_tags ?? [], report));
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
