// @ts-check
/** What screens are made of: headings, notes, buttons, choices. Draws; knows nothing of reports. */

import { h, picture } from "./dom.js";
import { said } from "./failures.js";
import { _ } from "./words.js";

/** @typedef {import("./dom.js").Child} Child */

const GUARD_MS = 350;
/** As many characters as the server reads, so that nobody writes what is set aside later. */
const [MOST_IN_LINE, MOST_IN_TEXT] = [200, 2000];

/**
 * Return a heading with the way back and the way to help, at the same place on every screen.
 * @param {string} title
 * @param {string} [back] a path
 */
export function top(title, back = "/") {
  return h(
    "header.top",
    {},
    h("a.button.button--quiet", { href: `#${back}` }, picture("back"), h("span.hidden", {}, _("Back"))),
    h("h1", {}, title),
    h("a.button.button--quiet", { href: "#/help" }, picture("help"), h("span.hidden", {}, _("Help"))),
  );
}

/**
 * Return a note. Each kind has its picture, so that colour is never the only sign.
 * @param {"good" | "look" | "bad" | "plain"} kind
 * @param {...Child} children
 */
export function note(kind, ...children) {
  const sign = { good: "check", look: "clock", bad: "warning", plain: "help" }[kind];
  return h(`div.note.note--${kind}`, {}, picture(sign), h("div", {}, ...children));
}

/**
 * Return a button with a picture and a word. Two taps of a shaky finger count as one.
 * @param {string} shape classes after `button`, e.g. `.button--main`
 * @param {string | null} sign
 * @param {string} word
 * @param {() => unknown} act
 * @param {{[name: string]: any}} [more]
 */
export function button(shape, sign, word, act, more = {}) {
  let last = -GUARD_MS;
  const press = (/** @type {Event} */ event) => {
    if (event.timeStamp - last < GUARD_MS) return;
    last = event.timeStamp;
    void done(act);
  };
  const looks = sign === null ? null : picture(sign);
  return h(`button.button${shape}`, { type: "button", onclick: press, ...more }, looks, h("span", {}, word));
}

/** Do what a tap is for; a fault that its screen has no place for is said. @param {() => unknown} act */
async function done(act) {
  try {
    await act();
  } catch (error) {
    if (typeof (/** @type {any} */ (error)?.code) !== "string") throw error;
    say(said(error));
  }
}

/**
 * Return a link that looks like a button.
 * @param {string} shape
 * @param {string | null} sign
 * @param {string} word
 * @param {string} path
 * @param {...Child} more
 */
export function link(shape, sign, word, path, ...more) {
  const looks = sign === null ? null : picture(sign);
  return h(`a.button${shape}`, { href: `#${path}` }, looks, h("span", {}, word), ...more);
}

/**
 * Return a labelled list of choices. What is chosen and not offered, such as a word of another Act,
 * is offered as well: a list that shows something else than what is kept would be signed unseen.
 * @param {string} id
 * @param {string} label
 * @param {{code: string, label: string}[]} choices
 * @param {string | null | undefined} chosen
 * @param {(code: string) => unknown} choose
 */
export function select(id, label, choices, chosen, choose) {
  const isOffered = !chosen || choices.some((one) => one.code === chosen);
  const all = isOffered ? choices : [{ code: chosen, label: chosen.replaceAll("_", " ") }, ...choices];
  const options = all.map((one) => h("option", { value: one.code, selected: one.code === (chosen ?? "") }, one.label));
  const field = h("select", { id, onchange: () => void choose(/** @type {HTMLSelectElement} */ (field).value) }, options);
  return h("div", {}, h("label", { for: id }, label), field);
}

/**
 * Return a labelled field for a line of text, told of on every change.
 * @param {string} id
 * @param {string} label
 * @param {string | null | undefined} value
 * @param {(text: string) => unknown} change
 * @param {{[name: string]: any}} [more]
 */
export function line(id, label, value, change, more = {}) {
  const field = h("input", { id, value: value ?? "", autocomplete: "off", maxlength: MOST_IN_LINE, ...more });
  field.addEventListener("input", () => void change(/** @type {HTMLInputElement} */ (field).value));
  return h("div", {}, h("label", { for: id }, label), field);
}

/**
 * Return a labelled field for several lines of text, told of on every change.
 * @param {string} id
 * @param {string} label
 * @param {string | null | undefined} value
 * @param {(text: string) => unknown} change
 */
export function text(id, label, value, change) {
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { id, rows: 3, maxlength: MOST_IN_TEXT }));
  field.value = value ?? "";
  field.addEventListener("input", () => void change(field.value));
  return h("div", {}, h("label", { for: id }, label), field);
}

/**
 * Return facts as a list of name and value; what is empty is left out.
 * @param {[string, Child | Child[]][]} rows
 */
export function facts(rows) {
  const said = rows.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return h("dl.facts", {}, said.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, ...[value].flat())]));
}

let saying = 0;

/**
 * Say something for some seconds, to screen readers as well.
 * @param {string} text
 */
export function say(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById("say"));
  place.textContent = text;
  clearTimeout(saying);
  saying = setTimeout(() => (place.textContent = ""), 6000);
}
