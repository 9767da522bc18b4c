// @ts-check
/** Correcting a saved report: a new statement beside the old one, never a deletion. */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { button, line, say, select, top } from "./parts.js";
import { saidOf } from "./receipt.js";
import { draw, go, replace } from "./router.js";
import { kinds, terms } from "./statute.js";
import { _, kindName } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const [me, report] = await Promise.all([phone.me(), phone.report(id).catch(() => null)]);
  if (report === null) return void go("/reports");
  /** What was changed: record id → fields. @type {Map<string, {[field: string]: any}>} */
  const changed = new Map();
  const change = (/** @type {string} */ record, /** @type {string} */ field, /** @type {any} */ value) =>
    changed.set(record, { ...changed.get(record), [field]: value });
  const shown = saidOf(report.screen);
  draw(
    stage,
    top(_("Correct"), `/report/${id}`),
    h("p", {}, _("What you said before stays in the history.")),
    ...report.animals.map((/** @type {any} */ animal) => count(me, animal, (value) => change(animal.id, "count", value))),
    select("ground", _("Why"), terms(me, "grounds"), shown.ground, (code) => change(id, "ground", code)),
    select("place_kind", _("What kind of place"), terms(me, "place_kinds"), shown.place_kind, (code) => change(id, "place_kind", code)),
    line("village", _("Village or place"), shown.place_text, (text) => change(id, "place_text", text || null)),
    line("owner", _("Owner's name"), shown["owner.name"], (text) => change(id, "owner.name", text || null)),
    line("remarks", _("Remarks"), shown.remarks, (text) => change(id, "remarks", text || null)),
    h(
      "div.stack",
      {},
      button(".button--main", "check", _("Save"), () => save(report, changed), { id: "save" }),
      button(".button--bad", "undo", _("Withdraw this report"), () => withdraw(id)),
    ),
  );
}

/**
 * @param {any} me
 * @param {any} animal
 * @param {(count: number) => unknown} change
 */
function count(me, animal, change) {
  const kind = kinds(me).find((one) => one.code === saidOf(animal).kind);
  const name = kind ? kindName(kind, 2) : saidOf(animal).kind;
  return line(`count-${animal.id}`, name, saidOf(animal).count, (text) => {
    if (/^\d{1,5}$/.test(text)) change(Number(text));
  }, { inputmode: "numeric" });
}

/**
 * @param {any} report
 * @param {Map<string, {[field: string]: any}>} changed
 */
async function save(report, changed) {
  try {
    for (const [record, fields] of changed) {
      const kind = record === report.id ? "seizure" : "animal";
      await phone.edit(kind, record, fields, { seen: await phone.screen(kind, record) });
    }
    replace(`/report/${report.id}`);
  } catch (error) {
    say(said(error));
  }
}

/** @param {string} id */
async function withdraw(id) {
  try {
    await phone.retract("seizure", id, "withdrawn by its author");
    say(_("The report is withdrawn, and stays in the list."));
    replace(`/report/${id}`);
  } catch (error) {
    say(said(error));
  }
}
