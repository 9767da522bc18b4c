// @ts-check
/** The pound of whoever keeps it: what came, what is on its way, each with its door. Offline. */

import * as phone from "../device/phone.js";
import { isMeant } from "./codes.js";
import { h } from "./dom.js";
import { painter } from "./painting.js";
import { line, link, note, top } from "./parts.js";
import { draw } from "./router.js";
import { herd } from "./statute.js";
import { _, moment, ngettext } from "./words.js";

const MOST = 100;

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const me = await phone.me();
  const list = h("div");
  let wanted = "";
  /** @type {import("../device/cases.js").CaseRow[]} */
  let rows = [];
  const fill = () => list.replaceChildren(...lists(me, rows.filter((row) => isWanted(row, wanted))));
  const kept = me.pounds.filter((/** @type {any} */ one) => me.keeps.includes(one.id)).map((/** @type {any} */ one) => one.name);
  draw(
    stage,
    top(_("Pound")),
    h("p", {}, kept.join(", ")),
    h("div.stack", {}, link(".button--main", "fence", _("Receive cattle"), "/receive")),
    line("find", _("Find by number, tag or owner"), "", (text) => ((wanted = text), fill())),
    list,
  );
  const paint = painter(
    () => phone.cases(),
    (found) => {
      rows = found.filter((row) => me.keeps.includes(row.shown.pound_id) || row.intakes.length);
      fill();
    },
  );
  const stop = phone.onChange((what) => {
    if (what.has("records") || what.has("reports")) void paint();
  });
  await paint();
  return stop;
}

/**
 * @param {import("../device/cases.js").CaseRow} row
 * @param {string} wanted
 */
function isWanted({ reference, shown, animals }, wanted) {
  const text = wanted.trim().toLowerCase();
  if (text === "") return true;
  const tags = animals.flatMap((one) => one.shown.ear_tags ?? []);
  const names = [reference, shown["owner.name"], ...tags].filter(Boolean).map((one) => String(one).toLowerCase());
  return isMeant(reference, wanted) || names.some((one) => one.includes(text));
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow[]} rows
 */
function lists(me, rows) {
  const open = rows.filter((row) => !row.isWithdrawn);
  const here = open.filter((row) => row.intakes.length);
  const coming = open.filter((row) => row.intakes.length === 0);
  if (open.length === 0) return [note("plain", h("p", {}, _("No cattle are known here.")))];
  return [
    here.length ? h("h2", {}, ngettext("{number} report came in", "{number} reports came in", here.length)) : null,
    h("ul.reports", {}, here.slice(0, MOST).map((row) => item(me, row))),
    coming.length ? h("h2", {}, ngettext("{number} on its way", "{number} on their way", coming.length)) : null,
    h("ul.reports", {}, coming.slice(0, MOST).map((row) => item(me, row))),
  ].filter((one) => one !== null);
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow} row
 */
function item(me, row) {
  const [intake] = row.intakes;
  const counted = intake?.shown.counts ?? row.animals;
  const at = Date.parse(intake?.shown.received_at ?? row.shown.seized_at);
  const since = Number.isNaN(at) ? "" : intake ? _("Here since {when}", { when: moment(at) }) : _("Seized {when}", { when: moment(at) });
  const about = h("div", {}, h("p", {}, h("strong", {}, herd(me, counted) || _("No animals"))), h("p.code", {}, row.reference ?? ""), h("p.soft", {}, [since, row.shown["owner.name"]].filter(Boolean).join(" · ")));
  return h("li", {}, h("a.report", { href: `#/case/${row.id}` }, about));
}
