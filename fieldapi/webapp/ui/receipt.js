// @ts-check
/** What a report says once it is saved: its number, what is in it, until when, and a way back. */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { button, facts, link, note, say } from "./parts.js";
import * as place from "./place.js";
import { code } from "./qrcode.js";
import { draw, go } from "./router.js";
import { herd, poundLimit } from "./statute.js";
import { tag } from "./states.js";
import { _, clock, day, ngettext } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const me = await phone.me();
  let report = await phone.report(id);
  const state = h("p", { role: "status" });
  const undo = button(".button--quiet", "undo", _("Undo"), () => take(id), { id: "undo" });
  const paint = () => {
    state.replaceChildren(tag(report));
    const left = Math.ceil((report.undoUntil - Date.now()) / 1000);
    undo.hidden = left <= 0;
    const word = undo.querySelector("span");
    if (word) word.textContent = _("Undo ({number} s)", { number: Math.max(0, left) });
  };
  draw(stage, ...screen(me, report, state, undo));
  paint();
  const timer = setInterval(paint, 1000);
  const stop = phone.onChange(async (what) => {
    if (!what.has("reports") && !what.has("photos")) return;
    report = await phone.report(id).catch(() => report);
    paint();
  });
  return () => {
    clearInterval(timer);
    stop();
  };
}

/**
 * @param {any} me
 * @param {any} report
 * @param {HTMLElement} state
 * @param {HTMLElement} undo
 */
function screen(me, report, state, undo) {
  return [
    note("good", h("h1", {}, _("Saved on this phone"))),
    h("p.code.reference", { id: "reference" }, report.reference),
    summary(me, report),
    state,
    h("div.stack", {}, qrPart(report.reference), h("div.row", {}, link(".button--main", "camera", _("New"), "/photo"), link(".button--main", "home", _("Home"), "/")), undo),
  ];
}

/**
 * Return what a report says, as it is read on the receipt and among the reports.
 * @param {any} me
 * @param {any} report
 */
export function summary(me, report) {
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
    [_("Pound"), pound?.name ?? ""],
    [_("To the pound before"), limit === null ? "" : `${day(limit)}, ${clock(limit)}`],
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

/** Return the QR behind a button: it is for the keeper of the pound. @param {string} reference */
export function qrPart(reference) {
  const holder = h("div");
  const open = button("", "qr", _("Show QR"), () => {
    const isOpen = holder.hasChildNodes();
    holder.replaceChildren(...(isOpen ? [] : [code(`${location.origin}/app/#/find/${reference}`, reference)]));
    open.setAttribute("aria-expanded", String(!isOpen));
  }, { "aria-expanded": "false", id: "qr" });
  return h("div.stack", {}, open, holder);
}

/** @param {string} id */
async function take(id) {
  const { how, draft } = /** @type {any} */ (await phone.undoReport(id));
  if (how === "draft") return go(`/count/${draft}`);
  say(_("The report was sent already. It is withdrawn, and stays in the list."));
  return go(`/report/${id}`);
}
