// @ts-check
/**
 * One report: what it says, what became of it, what it still wants, two accounts side by side, and
 * every way to go on with it. Kinds: a seizure, police aid, an arrival at the pound.
 */

import * as phone from "../device/phone.js";
import { bodyOf, saidOf, titleOf } from "./body.js";
import { conflictCard, countCards } from "./conflicts.js";
import { h, picture } from "./dom.js";
import { nameOfField } from "./fields.js";
import { missing } from "./missing.js";
import { needs } from "./needs.js";
import { painter, unlessTyping } from "./painting.js";
import { button, link, note, say, top } from "./parts.js";
import { qrPart } from "./receipt.js";
import * as roles from "./roles.js";
import { draw, replace } from "./router.js";
import { photoSaid, reviewSaid, tag } from "./states.js";
import { Thumbs } from "./thumbs.js";
import { _, clock } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const me = await phone.me();
  const thumbs = new Thumbs();
  const paint = painter(
    () => Promise.all([phone.report(id).catch(() => null), phone.cases(id)]),
    ([report, [row]]) => {
      if (report === null || report.by !== me.person.id) return draw(stage, top(_("Report"), "/reports"), note("look", h("p", {}, _("This report is not on this phone."))));
      return draw(stage, ...screen(me, report, row, thumbs));
    },
  );
  const again = unlessTyping(stage.main, () => stage.isHere() && paint());
  const stop = phone.onChange((what) => {
    if (["reports", "photos", "records"].some((one) => what.has(/** @type {any} */ (one)))) again();
  });
  await paint();
  return () => {
    stop();
    void thumbs.release();
  };
}

/** Follow the QR of a receipt: to the report, or to what this person can do about it. */
export const find = {
  /** @type {import("./router.js").Screen["show"]} */
  async show(stage, reference, id) {
    const [me, rows] = await Promise.all([phone.me(), phone.reports()]);
    const row = rows.find((one) => one.reference === reference);
    if (row) return replace(`/report/${row.id}`);
    const code = id || "-";
    const ways = [
      roles.keepsPound(me) ? link(".button--main", "fence", _("Receive cattle"), `/receive/for/${reference}/${code}`) : null,
      roles.helps(me) ? link(".button--main", "shield", _("Police aid"), `/aid/for/${reference}/${code}`) : null,
    ];
    draw(stage, top(_("Report")), h("p.code.reference", {}, reference), note("look", h("p", {}, _("This report is not on this phone."))), h("div.stack", {}, ...ways));
  },
};

/**
 * @param {any} me
 * @param {any} report
 * @param {import("../device/cases.js").CaseRow | undefined} row
 * @param {Thumbs} thumbs
 */
function screen(me, report, row, thumbs) {
  return [
    top(titleOf(report), "/reports"),
    report.reference ? h("p.code.reference", {}, report.reference) : null,
    h("p", {}, tag(report)),
    reviewNote(report),
    ...needs(me, report),
    ...report.conflictCards.map((/** @type {any} */ one) => conflictCard(me, report, one)),
    ...countCards(me, report, row),
    wanted(me, report),
    h("div.card", {}, bodyOf(me, report)),
    report.photos.all ? h("h2", {}, _("Photos")) : null,
    h("ul.plain", {}, report.photoRows.map((/** @type {any} */ one, /** @type {number} */ at) => photoRow(report, one, at, thumbs))),
    h("div.stack", {}, ...ways(report)),
  ];
}

/** @param {any} report */
function reviewNote(report) {
  const review = reviewSaid(report.review);
  if (!review) return null;
  const reason = report.review.reason ?? report.screen?.shown.review?.reason ?? null;
  const isAsked = report.review.state === "correction_asked";
  const way = isAsked ? link(".button--main", "pencil", _("Correct now"), `/correct/${report.id}`) : null;
  return h("div.stack", {}, note(report.review.state === "accepted" ? "good" : "look", h("p", {}, h("strong", {}, review)), reason && h("p", {}, reason)), way);
}

/**
 * Return what the report may still want; nothing for one that is withdrawn or decided.
 * @param {any} me
 * @param {any} report
 */
function wanted(me, report) {
  if (report.kind !== "seizure") return report.screen?.shown.seizure_id || saidOf(report.screen).seizure_id ? null : note("look", h("p", {}, _("Not linked to a report yet.")), h("p", {}, h("a", { href: `#/correct/${report.id}` }, _("Link it"))));
  if (report.isWithdrawn || ["accepted", "rejected"].includes(report.review?.state)) return null;
  const gaps = missing(me, saidOf(report.screen), { animals: report.animals.map(saidOf), photos: report.photos.all });
  if (gaps.length === 0) return null;
  return h("details", {}, h("summary", {}, picture("plus"), _("Can be completed: {number}", { number: gaps.length })), h("ul", { id: "missing" }, gaps.map((one) => h("li", {}, nameOfField(one)))), h("p", {}, _("The report counts as it is.")));
}

/** Return every way to go on with a report. @param {any} report */
function ways(report) {
  const { id, kind, reference, isWithdrawn } = report;
  if (isWithdrawn) return [button("", "undo", _("Take the withdrawal back"), () => unwithdraw(kind, id), { id: "unwithdraw" })];
  return [
    link("", "pencil", kind === "seizure" ? _("Complete or correct") : _("Correct"), `/correct/${id}`),
    link("", "camera", _("Add photos"), `/add/${id}`),
    reference ? qrPart(reference, id) : null,
    link(".button--bad", "undo", _("Withdraw this report"), `/withdraw/${id}`),
  ];
}

/** @param {string} kind @param {string} id */
async function unwithdraw(kind, id) {
  await phone.undoRetract(kind, id);
  say(_("The report counts again."));
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
