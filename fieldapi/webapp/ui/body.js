// @ts-check
/** What a report says, as it is read on its receipt and among the reports: one text for each kind. */

import { h } from "./dom.js";
import { facts } from "./parts.js";
import { outcomeSaid } from "./outcomes.js";
import * as place from "./place.js";
import { linesOf } from "./statements.js";
import { herd, labelOf, poundLimit } from "./statute.js";
import { _, clock, day, moment, money, ngettext } from "./words.js";

/** Return what kind of report it is. @param {any} report */
export function titleOf(report) {
  if (report.kind === "aid") return _("Police aid");
  return report.kind === "intake" ? _("Arrival at the pound") : _("Report");
}

/**
 * Return what a report says, by its kind.
 * @param {any} me
 * @param {any} report
 */
export function bodyOf(me, report) {
  if (report.kind === "seizure") return summary(me, report);
  const shown = saidOf(report.screen);
  const at = (/** @type {string | undefined} */ text) => (text ? moment(Date.parse(text)) : "");
  if (report.kind === "intake") {
    return facts([[_("Cattle"), herd(me, shown.counts ?? [])], [_("Received"), at(shown.received_at)], [_("Brought by"), shown.brought_by], [_("Condition"), shown.condition], [_("Remarks"), shown.remarks], saidLater(shown)]);
  }
  const people = (shown.persons ?? []).map((/** @type {any} */ one) => one.name || _("Name not known")).join(", ");
  return facts([[_("What happened"), outcomeSaid(shown.outcome) ?? ""], [_("Call came in"), at(shown.requested_at)], [_("Arrived"), at(shown.arrived_at)], [_("Why help was refused"), shown.refusal_reason], [_("People involved"), people], [_("Police station"), shown["officer.station"]], [_("General diary number"), shown.gd_no], [_("FIR number"), shown.fir_no], [_("What happened, in your words"), shown.narrative], saidLater(shown)]);
}

/** @param {any} shown @returns {[string, Node[] | null]} */
function saidLater(shown) {
  const lines = linesOf(shown.statements);
  return [_("Said to it later"), lines.length ? lines.map((one) => h("p", {}, one)) : null];
}

/** Return how each animal of a lot is known again. @param {any} lot @returns {string[]} */
function eachOf(lot) {
  const said = (saidOf(lot).individuals ?? []).map((/** @type {any} */ one) => [one.number, [one.marks, one.ear_tag, one.condition].filter(Boolean).join(", ")]);
  return said.filter((/** @type {any} */ [, words]) => words).map((/** @type {any} */ [number, words]) => `${number}: ${words}`);
}

/**
 * @param {any} me
 * @param {any} report
 */
function summary(me, report) {
  const shown = saidOf(report.screen);
  const seized = Date.parse(shown.seized_at ?? new Date(report.savedAt).toISOString());
  const limit = poundLimit(me, seized);
  const pound = (me.pounds ?? []).find((/** @type {any} */ one) => one.id === shown.pound_id);
  const photos = report.photos.all;
  return facts([
    [_("Cattle"), herd(me, report.animals.map(saidOf))],
    [_("Photos"), photos ? ngettext("{number} photo", "{number} photos", photos) : _("None")],
    [_("Seized"), `${day(seized)}, ${clock(seized)}`],
    [_("Place"), placeOf(shown)],
    [_("Why"), shown.ground ? labelOf(me, "grounds", shown.ground) : ""],
    [_("Owner"), shown["owner.name"] ?? ""],
    [_("Damage"), [shown["damage.text"], shown["damage.estimate_paise"] ? money(shown["damage.estimate_paise"]) : ""].filter(Boolean).join(" · ")],
    [_("Ear tags"), report.animals.flatMap((/** @type {any} */ one) => saidOf(one).ear_tags ?? []).join(", ")],
    [_("Each animal"), report.animals.flatMap(eachOf).join(" · ")],
    [_("Witnesses"), (shown.witnesses ?? []).map((/** @type {any} */ one) => one.name).filter(Boolean).join(", ")],
    [_("Pound"), pound?.name ?? ""],
    [_("To the pound before"), limit === null ? "" : `${day(limit)}, ${clock(limit)}`],
    [_("Remarks"), shown.remarks ?? ""],
    saidLater(shown),
  ]);
}

/**
 * Return what a record says: as merged, and what waits with the office for want of that.
 * @param {any} screen
 * @returns {any}
 */
export function saidOf(screen) {
  const aside = (screen?.aside ?? []).map((/** @type {any} */ one) => one.values);
  return Object.assign({}, ...aside, screen?.shown);
}

/** @param {any} shown */
function placeOf(shown) {
  const { location } = shown;
  const named = shown.place_text ?? "";
  if (!location) return named || _("Not known");
  const where = `${location.lat.toFixed(5)}, ${location.lon.toFixed(5)}`;
  return [named, place.said(location), where].filter(Boolean).join(" · ");
}
