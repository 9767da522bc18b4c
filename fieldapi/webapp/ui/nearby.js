// @ts-check
/** The reports of the authority in short: what others seized and where, so that nobody seizes twice. */

import * as phone from "../device/phone.js";
import { isMeant } from "./codes.js";
import { h } from "./dom.js";
import { painter } from "./painting.js";
import { line, note, top } from "./parts.js";
import * as place from "./place.js";
import { draw } from "./router.js";
import { herd, kinds, labelOf } from "./statute.js";
import { reviewSaid } from "./states.js";
import { _, distance, kindName, moment, ngettext } from "./words.js";

const MOST = 100;
const EARTH_M = 6_371_000;

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const me = await phone.me();
  const list = h("div");
  let wanted = "";
  /** @type {import("../device/cases.js").CaseRow[]} */
  let rows = [];
  const fill = () => list.replaceChildren(...listed(me, rows.filter((row) => isWanted(me, row, wanted))));
  place.warm();
  draw(stage, top(_("Reports of the office")), line("find", _("Find by number or kind"), "", (text) => ((wanted = text), fill())), list);
  const paint = painter(
    () => Promise.all([phone.cases(), phone.reports()]),
    ([found, own]) => {
      const mine = new Set(own.map((one) => one.id));
      rows = found.filter((row) => !mine.has(row.id) && !row.isWithdrawn);
      fill();
    },
  );
  const stop = phone.onChange((what) => {
    if (what.has("records")) void paint();
  });
  await paint();
  return stop;
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow} row
 * @param {string} wanted
 */
function isWanted(me, row, wanted) {
  const text = wanted.trim().toLowerCase();
  if (text === "") return true;
  const names = row.animals.map(({ kind, count }) => {
    const found = kinds(me).find((one) => one.code === kind);
    return found ? kindName(found, count) : kind;
  });
  return isMeant(row.reference, wanted) || [row.reference ?? "", ...names].some((one) => one.toLowerCase().includes(text));
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow[]} rows
 */
function listed(me, rows) {
  if (rows.length === 0) return [note("plain", h("p", {}, _("No report of another person is on this phone.")))];
  return [h("p.soft", {}, ngettext("{number} report", "{number} reports", rows.length)), h("ul.reports", {}, rows.slice(0, MOST).map((row) => item(me, row)))];
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow} row
 */
function item(me, { reference, shown, animals }) {
  const fix = place.best();
  const away = fix && shown.location ? _("{distance} from here", { distance: distance(metres(fix, shown.location)) }) : "";
  const when = shown.seized_at ? moment(Date.parse(shown.seized_at)) : "";
  const where = [shown.place_kind ? labelOf(me, "place_kinds", shown.place_kind) : "", away].filter(Boolean).join(" · ");
  const state = reviewSaid({ state: shown.state });
  return h("li.report", {}, h("div", {}, h("p", {}, h("strong", {}, herd(me, animals) || _("No animals"))), h("p.code", {}, reference ?? ""), h("p.soft", {}, when), h("p.soft", {}, where), state ? h("p", {}, state) : null));
}

/**
 * Return how far two places are apart.
 * @param {{lat: number, lon: number}} one
 * @param {{lat: number, lon: number}} two
 */
function metres(one, two) {
  const rad = Math.PI / 180;
  const east = (two.lon - one.lon) * rad * Math.cos(((one.lat + two.lat) / 2) * rad);
  return EARTH_M * Math.hypot(east, (two.lat - one.lat) * rad);
}
