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
  "too-large": sentence("It is too large to be sent. Save a copy and hand it to the office."),
  "id-reuse": sentence("The same number was used for something else. Save a copy and hand it to the office."),
  "bad-signature": sentence("The signature does not fit. Save a copy and hand it to the office."),
};
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
    ...(refused.length || lost.some((/** @type {any} */ one) => one.status === "refused") ? [again(report.id)] : []),
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
  const plain = op.parked.filter((/** @type {string} */ one) => ["string", "number"].includes(typeof op.said[one]));
  if (plain.length === 0) {
    const way = op.status === "rejected" ? link("", "pencil", _("Correct"), `/correct/${report.id}`) : link("", "save", _("Save a copy"), "/sending");
    return h("section.card", {}, note("bad", h("p", {}, h("strong", {}, _("A part of this report was not taken. It is kept here."))), h("p", {}, why(op)), reason), h("div.stack", {}, way));
  }
  /** @type {{[field: string]: any}} */
  const typed = Object.fromEntries(plain.map((/** @type {string} */ one) => [one, op.said[one]]));
  const fields = plain.map((/** @type {string} */ one) => field(me, one, op.said[one], (value) => (typed[one] = value)));
  return h("section.card", {}, note("bad", h("p", {}, h("strong", {}, _("A part of this report was not taken. It is kept here."))), h("p", {}, why(op)), reason), fields, h("div.stack", {}, button("", "check", _("Send it corrected"), () => send(op, typed), { "data-mend": op.id })));
}

/**
 * Return the field in which a value is written again: a choice, where the Act has a list.
 * @param {any} me
 * @param {string} name
 * @param {string | number} value
 * @param {(value: string | number) => unknown} put
 */
function field(me, name, value, put) {
  const list = LISTS[name];
  if (list) return select(`mend-${name}`, nameOfField(name), [{ code: "", label: String(value) }, ...terms(me, list)], "", put);
  return line(`mend-${name}`, nameOfField(name), String(value), (text) => put(typeof value === "number" ? Number(text) : text.trim()));
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

/** @param {string} id */
function again(id) {
  const retry = async () => {
    await phone.retryParked(id).catch((error) => say(said(error)));
    void phone.sendNow();
  };
  return h("section.card", {}, h("p", {}, _("A photo or a part was refused. It is kept here.")), h("div.stack", {}, button("", "send", _("Try again"), retry), link("", "save", _("Save a copy"), "/sending")));
}
