// @ts-check
/**
 * What the server could not take of a report, or keeps aside: in plain words why, and what the person
 * can do about it now. No part of a report ever ends without one of these.
 */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { LISTS, nameOfField } from "./fields.js";
import { button, line, link, note, say, select } from "./parts.js";
import { terms } from "./statute.js";
import { _, sentence } from "./words.js";

/** Why something is held or set aside, by code. @type {{[code: string]: string}} */
const WHY = {
  "device-pending": sentence("The office has not confirmed this phone yet. It counts from then on; nothing is to be done."),
  "access-ended": sentence("It arrived after your work for this office ended. The office decides."),
  "not-yours": sentence("Only whoever made the record, or the office, may change this. The office decides."),
  "unknown-device": sentence("The server does not know this phone since it was restored. Enrol it again."),
  "invalid-value": sentence("The server cannot read this value. Write it again."),
  "unknown-field": sentence("The server does not know this. Update the app, and hand a copy to the office."),
  deferred: sentence("The server is older than this app. It is taken over when the server is updated."),
  "too-late": sentence("The cattle were at the pound already, or the office had acted. It stands as your word; the office decides."),
  "invalid-json": sentence("The server cannot read this part. Save a copy and hand it to the office."),
  "unknown-kind": sentence("The server cannot read this part. Save a copy and hand it to the office."),
  "bad-id": sentence("The server cannot read this part. Save a copy and hand it to the office."),
  "too-large": sentence("It is too large to be sent. Save a copy and hand it to the office."),
  "id-reuse": sentence("The same number was used for something else. Save a copy and hand it to the office."),
  "bad-signature": sentence("The signature does not fit. Save a copy and hand it to the office."),
};
/** Why a photo was refused, by code. @type {{[code: string]: string}} */
const PHOTO_WHY = {
  "too-large": sentence("The photo is too large. Save a copy and hand it to the office."),
  "photo-unsound": sentence("The photo is damaged on this phone. Take another one, if the animals are still there."),
  "photo-hash-mismatch": sentence("What arrived was not the photo that was taken. Try again."),
  quarantined: sentence("The server keeps the photo apart: it does not look like one. The office sees it."),
  "unsupported-media-type": sentence("This is no photo that the server knows. Save a copy and hand it to the office."),
};
/** Members that tell elements of a set apart: not for people. */
const KEYS = new Set(["id", "said_at", "about", "record", "fixed_at"]);
const HELD = new Set(["held"]);
const LOST = new Set(["quarantined", "refused", "rejected"]);

/** Return what became of an op, in words. @param {any} op */
export function why(op) {
  if (op.status === "rejected") return _("The office did not take it.");
  const known = WHY[op.code];
  if (known) return _(known);
  return op.status === "held" ? _("It is stored, and the office decides.") : _("The server could not take it ({code}).", { code: op.code ?? op.status });
}

/**
 * Return notes on all that stands aside in a report, each with its way out.
 * @param {any} me
 * @param {any} report
 * @returns {Node[]}
 */
export function needs(me, report) {
  const aside = report.ops.filter((/** @type {any} */ one) => HELD.has(one.status) || LOST.has(one.status));
  const held = aside.filter((/** @type {any} */ one) => HELD.has(one.status));
  const lost = aside.filter((/** @type {any} */ one) => LOST.has(one.status));
  const refused = report.photoRows.filter((/** @type {any} */ one) => one.state === "refused");
  const reasons = [...new Set(held.map(why))];
  return [
    ...reasons.map((reason) => note("look", h("p", {}, h("strong", {}, _("Waits at the office"))), h("p", {}, reason))),
    ...lost.map((/** @type {any} */ one) => mend(me, report, one)),
    ...(refused.length || lost.some((/** @type {any} */ one) => one.status === "refused") ? [again(report.id, refused)] : []),
  ];
}

/**
 * Return a note on an op that was not taken: its fields to be written again, or the way to the office.
 * @param {any} me
 * @param {any} report
 * @param {any} op
 */
function mend(me, report, op) {
  const reason = op.reason ? h("p", {}, op.reason) : null;
  const told = note("bad", h("p", {}, h("strong", {}, _("A part of this report was not taken. It is kept here."))), h("p", {}, why(op)), reason);
  const typed = structuredClone(Object.fromEntries(op.parked.filter((/** @type {string} */ one) => op.said[one] !== undefined).map((/** @type {string} */ one) => [one, op.said[one]])));
  const fields = Object.keys(typed).flatMap((name) => fieldsOf(me, name, typed, name));
  const copy = link("", "save", _("Save a copy"), "/sending");
  if (fields.length === 0) return h("section.card", {}, told, h("div.stack", {}, op.status === "rejected" ? link("", "pencil", _("Correct"), `/correct/${report.id}`) : null, copy));
  return h("section.card", {}, told, fields, h("div.stack", {}, button("", "check", _("Send it corrected"), () => send(op, typed), { "data-mend": op.id }), copy));
}

/**
 * Return the fields in which a value is written again: one for a text or a number, one for each
 * within a value that has members.
 * @param {any} me
 * @param {string} name of the field of the record
 * @param {any} holder of the value, which is changed in it
 * @param {string} member
 * @param {string} [path]
 * @returns {Node[]}
 */
function fieldsOf(me, name, holder, member, path = name) {
  const value = holder[member];
  if (typeof value === "object" && value !== null) return Object.keys(value).filter((one) => !KEYS.has(one)).flatMap((one) => fieldsOf(me, name, value, one, `${path}-${one}`));
  if (!["string", "number"].includes(typeof value)) return [];
  const put = (/** @type {string} */ text) => (holder[member] = typeof value === "number" ? Number(text) : text.trim());
  const list = LISTS[name];
  const id = `mend-${path.replaceAll(".", "-")}`;
  if (list) return [select(id, nameOfField(name), [{ code: "", label: String(value) }, ...terms(me, list)], "", put)];
  return [line(id, nameOfField(name), String(value), put)];
}

/**
 * @param {any} op
 * @param {{[field: string]: any}} typed
 */
async function send(op, typed) {
  try {
    const seen = await phone.screen(op.kind, op.record);
    await phone.edit(op.kind, op.record, typed, { seen, fixes: op.id });
    say(_("Saved on this phone"));
  } catch (error) {
    say(said(error));
  }
}

/**
 * @param {string} id
 * @param {any[]} photos that were refused
 */
function again(id, photos) {
  const retry = async () => {
    await phone.retryParked(id).catch((error) => say(said(error)));
    void phone.sendNow();
  };
  const reasons = [...new Set(photos.map((one) => photoWhy(one.code)))];
  const isGone = photos.some((one) => !one.hasBytes);
  return h("section.card", {}, h("p", {}, h("strong", {}, _("A photo or a part was refused. It is kept here."))), reasons.map((one) => h("p", {}, one)), h("div.stack", {}, button("", "send", _("Try again"), retry), isGone ? link("", "camera", _("Add photos"), `/add/${id}`) : null, link("", "save", _("Save a copy"), "/sending")));
}

/** Return why a photo was refused. @param {string | null} code */
function photoWhy(code) {
  const known = PHOTO_WHY[code ?? ""];
  return known ? _(known) : _("The server could not take it ({code}).", { code: code ?? "" });
}
