// @ts-check
/**
 * Two accounts of one thing, side by side: another's value of a field, or the pound's count beside
 * the seizer's. What the person answers is one more statement; it overwrites nobody.
 */

import * as phone from "../device/phone.js";
import { saidOf } from "./body.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { nameOfField, saidValue } from "./fields.js";
import { button, line, note, say } from "./parts.js";
import { answerSaid } from "./statements.js";
import { herd, kinds } from "./statute.js";
import { hear } from "./voice.js";
import { _, kindName, moment } from "./words.js";

/** @typedef {{record?: string, field: string}} Subject what two accounts differ in */

/**
 * Return the card of a conflict: open, or decided by the office.
 * @param {any} me
 * @param {any} report
 * @param {any} conflict
 */
export function conflictCard(me, report, conflict) {
  const { field, heads } = conflict;
  const shown = (/** @type {any} */ value) => saidValue(me, field, value);
  const what = subjectOf(me, report, conflict);
  if (conflict.state !== "open") {
    return note("good", h("h2", {}, what), h("p", {}, _("The office decided: {value}", { value: shown(conflict.shown) })), reasonOf(conflict) && h("p", {}, reasonOf(conflict)));
  }
  const own = heads.find((/** @type {any} */ one) => one.isOwn);
  const others = heads.filter((/** @type {any} */ one) => !one.isOwn);
  const subject = { record: conflict.id, field };
  const agree = others.map((/** @type {any} */ one) => button("", null, _("The other is right: {value}", { value: shown(one.value) }), () => agreeOn(report, conflict, one.value)));
  const mine = own ? button("", null, _("Mine is right: {value}", { value: shown(own.value) }), () => answer(report, { ...subject, answer: "stay", text: shown(own.value) })) : null;
  const rows = heads.map((/** @type {any} */ one) => account(whose(one, conflict), shown(one.value), one.at));
  return card(report, { what, subject, rows, answers: [...agree, mine] });
}

/**
 * Return cards on arrivals at the pound whose count is another than the report's. The register of
 * the pound keeps its count; the seizer may say a word to it.
 * @param {any} me
 * @param {any} report
 * @param {import("../device/cases.js").CaseRow | undefined} row
 */
export function countCards(me, report, row) {
  if (report.kind !== "seizure" || row === undefined) return [];
  const own = sums(report.animals.map(saidOf));
  return row.intakes.filter(({ shown }) => !isSame(own, sums(shown.counts ?? []))).map(({ shown }) => countCard(me, report, { own, theirs: shown }));
}

/**
 * @param {any} me
 * @param {any} report
 * @param {{own: {[kind: string]: number}, theirs: any}} counts
 */
function countCard(me, report, { own, theirs }) {
  const pound = herd(me, theirs.counts ?? []);
  const mine = herd(me, Object.entries(own).map(([kind, count]) => ({ kind, count })));
  const rows = [account(_("You"), mine, new Date(report.savedAt).toISOString()), account(_("The pound"), pound, theirs.received_at)];
  const agree = button("", null, _("The other is right: {value}", { value: pound }), () => agreeWith(report, sums(theirs.counts)));
  const subject = { field: "counts" };
  const stay = button("", null, _("Mine is right: {value}", { value: mine }), () => answer(report, { ...subject, answer: "stay", text: mine }));
  return card(report, { what: _("The pound counted otherwise"), subject, rows, answers: [agree, stay] });
}

/**
 * @param {any} report
 * @param {{what: string, subject: Subject, rows: Node[], answers: (Node | null)[]}} parts
 */
function card(report, { what, subject, rows, answers }) {
  let typed = "";
  const save = () => answer(report, { ...subject, answer: "unsure", ...(typed.trim() && { text: typed.trim() }) });
  const word = h("div", { hidden: true }, line(`note-${report.id}`, _("Your word on it"), "", (text) => (typed = text)), h("div.stack", {}, button("", "check", _("Save"), save)));
  const unsure = button("", null, _("Not sure"), () => {
    word.hidden = false;
    word.querySelector("input")?.focus();
  });
  return h("section.card.conflict", {}, h("h2", {}, _("Two different accounts"), ": ", what), h("ul.plain", {}, rows), h("p", {}, _("Both are kept. The office will decide.")), hear("conflict", _("Both are kept. The office will decide.")), ...wordsOn(report, subject), h("div.stack", {}, ...answers.filter((one) => one !== null), unsure), word);
}

/**
 * @param {string} who
 * @param {string} value
 * @param {string} at
 */
function account(who, value, at) {
  return h("li.report", {}, h("div", {}, h("p.big", {}, value), h("p.soft", {}, who, ", ", moment(Date.parse(at)))));
}

/** Return why the office decided as it did. @param {any} conflict */
function reasonOf({ decided }) {
  const decision = decided?.decision;
  return (typeof decision === "object" ? decision?.reason : null) ?? decided?.reason ?? null;
}

/** Only a keeper writes on the animals of another. @param {any} head @param {any} conflict */
function whose(head, conflict) {
  if (head.isOwn) return _("You");
  return conflict.kind === "animal" && !head.isDecision ? _("The pound") : _("Another person");
}

/**
 * @param {any} me
 * @param {any} report
 * @param {any} conflict
 */
function subjectOf(me, report, conflict) {
  const animal = report.animals.find((/** @type {any} */ one) => one.id === conflict.id);
  const kind = kinds(me).find((one) => one.code === saidOf(animal).kind);
  const field = nameOfField(conflict.field);
  return kind ? `${field}, ${kindName(kind, 2)}` : field;
}

/** @param {{kind: string, count: number}[]} lots @returns {{[kind: string]: number}} */
function sums(lots) {
  /** @type {{[kind: string]: number}} */
  const found = {};
  for (const { kind, count } of lots) if (count > 0) found[kind] = (found[kind] ?? 0) + count;
  return found;
}

/** @param {{[kind: string]: number}} one @param {{[kind: string]: number}} two */
function isSame(one, two) {
  return [...new Set([...Object.keys(one), ...Object.keys(two)])].every((kind) => one[kind] === two[kind]);
}

/** @param {() => Promise<unknown>} work */
async function done(work) {
  try {
    await work();
    say(_("Your word is kept beside the other."));
  } catch (error) {
    say(said(error));
  }
}

/**
 * Say one's word to two accounts. It is a part of its own of the report, and changes no value.
 * @param {any} report
 * @param {Subject & {answer: "agree" | "stay" | "unsure", text?: string}} said
 */
function answer(report, said) {
  return done(() => phone.correct(report.id, { statement: { about: "conflict", ...said } }));
}

/** Return what the person said to it already, the newest last. @param {any} report @param {Subject} subject */
function wordsOn(report, { record, field }) {
  const said = (saidOf(report.screen).statements ?? []).filter((/** @type {any} */ one) => one.about === "conflict" && one.field === field && one.record === record);
  return said.slice(-1).map((/** @type {any} */ one) => note("good", h("p", {}, _("You said: {words}", { words: answerSaid(one) }))));
}

/** @param {any} report @param {any} conflict @param {any} value */
function agreeOn(report, { kind, id, field }, value) {
  // No op sets whether a record counts: it is taken back, or that is.
  if (field === "withdrawn") return done(() => (value ? phone.retract(kind, id, value.reason ?? "") : phone.undoRetract(kind, id)));
  const seen = [report.screen, ...report.animals].find((one) => one?.id === id);
  const statement = /** @type {const} */ ({ about: "conflict", record: id, field, answer: "agree" });
  return done(() => phone.correct(report.id, { changes: [{ kind, id, fields: { [field]: value }, seen }], statement }));
}

/**
 * Say the pound's numbers as one's own: lots of a kind are set to them, kinds without a lot added.
 * @param {any} report
 * @param {{[kind: string]: number}} counts
 */
function agreeWith(report, counts) {
  const rest = { ...counts };
  const changes = report.animals.flatMap((/** @type {any} */ seen) => {
    const { kind, count } = saidOf(seen);
    const told = rest[kind] ?? 0;
    delete rest[kind];
    const one = { kind: "animal", id: seen.id, seen };
    if (told === 0) return [{ ...one, retract: "not counted at the pound" }];
    return told === count ? [] : [{ ...one, fields: { count: told } }];
  });
  const animals = Object.entries(rest).map(([kind, count]) => ({ kind, count }));
  return done(() => phone.correct(report.id, { changes, animals, statement: { about: "conflict", field: "counts", answer: "agree" } }));
}
