// @ts-check
/** One report: what it says, what became of it, two accounts side by side, and how to correct it. */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { painter } from "./painting.js";
import { button, link, note, say, top } from "./parts.js";
import { qrPart, saidOf, summary } from "./receipt.js";
import { draw, go } from "./router.js";
import { kinds } from "./statute.js";
import { photoSaid, reviewSaid, tag } from "./states.js";
import { Thumbs } from "./thumbs.js";
import { _, clock, kindName, moment } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const me = await phone.me();
  const thumbs = new Thumbs();
  const paint = painter(
    () => phone.report(id).catch(() => null),
    (report) => {
      if (report === null) return draw(stage, top(_("Report"), "/reports"), note("look", h("p", {}, _("This report is not on this phone."))));
      return draw(stage, ...screen(me, report, thumbs));
    },
  );
  const stop = phone.onChange((what) => {
    if (["reports", "photos", "records"].some((one) => what.has(/** @type {any} */ (one)))) void paint();
  });
  await paint();
  return () => {
    stop();
    void thumbs.release();
  };
}

/** Follow a QR: to the report, if it is one of this phone's. */
export const find = {
  /** @type {import("./router.js").Screen["show"]} */
  async show(stage, reference) {
    const row = (await phone.reports()).find((one) => one.reference === reference);
    if (row) return void go(`/report/${row.id}`);
    draw(stage, top(_("Report")), h("p.code.reference", {}, reference), note("look", h("p", {}, _("This report is not on this phone."))));
  },
};

/**
 * @param {any} me
 * @param {any} report
 * @param {Thumbs} thumbs
 */
function screen(me, report, thumbs) {
  const review = reviewSaid(report.review);
  return [
    top(_("Report"), "/reports"),
    h("p.code.reference", {}, report.reference ?? ""),
    h("p", {}, tag(report)),
    review && note(report.review.state === "accepted" ? "good" : "look", h("p", {}, h("strong", {}, review)), reasonOf(report) && h("p", {}, reasonOf(report))),
    ...needs(report),
    ...report.conflictCards.map((/** @type {any} */ one) => conflictCard(me, report, one)),
    h("div.card", {}, summary(me, report)),
    report.photos.all ? h("h2", {}, _("Photos")) : null,
    h("ul.plain", {}, report.photoRows.map((/** @type {any} */ one, /** @type {number} */ at) => photoRow(report, one, at, thumbs))),
    h("div.stack", {}, report.isWithdrawn ? null : link("", "pencil", _("Correct"), `/correct/${report.id}`), qrPart(report.reference ?? report.id)),
  ];
}

/** @param {any} report */
function reasonOf(report) {
  return report.review.reason ?? report.screen?.shown.review?.reason ?? null;
}

/** @param {any} report */
function needs(report) {
  if (!report.needsYou && report.state !== "parked") return [];
  const parked = report.ops.filter((/** @type {any} */ one) => ["quarantined", "refused", "rejected"].includes(one.status));
  const fields = parked.flatMap((/** @type {any} */ one) => one.parked).join(", ");
  const why = parked.map((/** @type {any} */ one) => one.reason ?? one.code).filter(Boolean).join(", ");
  return [
    note(
      "bad",
      h("p", {}, h("strong", {}, _("The server could not take a part of this report. It is kept here."))),
      fields || why ? h("p", {}, [fields, why].filter(Boolean).join(": ")) : null,
    ),
    h("div.stack", {}, button("", "send", _("Try again"), () => retry(report.id))),
  ];
}

/** @param {string} id */
async function retry(id) {
  await phone.retryParked(id).catch((error) => say(said(error)));
  void phone.sendNow();
}

/**
 * @param {any} report
 * @param {any} photo
 * @param {number} at
 * @param {Thumbs} thumbs
 */
function photoRow(report, photo, at, thumbs) {
  const alt = _("Photo {number} of {all}", { number: at + 1, all: report.photos.all });
  const taken = photo.takenAt ? clock(Date.parse(photo.takenAt)) : "";
  const gallery = photo.source === "gallery" ? h("p", {}, _("From the gallery: place and time not proven")) : h("p.soft", {}, taken);
  return h("li.report", {}, h("div.thumb.thumb--row", {}, thumbs.picture(photo.id, alt)), h("div", {}, h("p", {}, photoSaid(photo)), gallery));
}

/**
 * Show both values side by side. What the person answers is one more statement, and overwrites
 * nobody.
 * @param {any} me
 * @param {any} report
 * @param {any} conflict
 */
function conflictCard(me, report, conflict) {
  const own = conflict.heads.find((/** @type {any} */ one) => one.isOwn);
  const others = conflict.heads.filter((/** @type {any} */ one) => !one.isOwn);
  const what = nameOf(me, report, conflict);
  const rows = conflict.heads.map((/** @type {any} */ one) => h("li.report", {}, h("div", {}, h("p.big", {}, shownOf(one.value)), h("p.soft", {}, one.isOwn ? _("You") : _("Another person"), ", ", moment(Date.parse(one.at))))));
  if (conflict.state !== "open") {
    return note("good", h("h2", {}, what), h("p", {}, _("The office decided: {value}", { value: shownOf(conflict.shown) })), conflict.decided?.reason && h("p", {}, conflict.decided.reason));
  }
  const answer = (/** @type {any} */ value) => state(conflict, value);
  return h(
    "section.card",
    {},
    h("h2", {}, _("Two different accounts"), ": ", what),
    h("ul.plain", {}, rows),
    h("p", {}, _("Both are kept. The office will decide.")),
    h(
      "div.stack",
      {},
      ...others.map((/** @type {any} */ one) => button("", null, _("The other is right: {value}", { value: shownOf(one.value) }), () => answer(one.value))),
      own ? button("", null, _("Mine is right: {value}", { value: shownOf(own.value) }), () => answer(own.value)) : null,
    ),
  );
}

/**
 * @param {any} conflict
 * @param {any} value
 */
async function state(conflict, value) {
  try {
    const seen = await phone.screen(conflict.kind, conflict.id);
    await phone.edit(conflict.kind, conflict.id, { [conflict.field]: value }, { seen });
    say(_("Your word is kept beside the other."));
  } catch (error) {
    say(said(error));
  }
}

/** @param {any} value */
function shownOf(value) {
  return value === null ? _("Nothing") : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * @param {any} me
 * @param {any} report
 * @param {any} conflict
 */
function nameOf(me, report, conflict) {
  const animal = report.animals.find((/** @type {any} */ one) => one.id === conflict.id);
  const kind = kinds(me).find((one) => one.code === saidOf(animal).kind);
  return kind ? kindName(kind, 2) : conflict.field;
}
