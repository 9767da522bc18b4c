// @ts-check
/** Brings in the copy that another phone saved, for the day that phone cannot send any more. */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { button, note, top } from "./parts.js";
import { draw } from "./router.js";
import { _, ngettext } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export function show(stage) {
  const told = h("div", { role: "status" });
  const input = /** @type {HTMLInputElement} */ (h("input.hidden", { type: "file", accept: ".zip,application/zip", id: "copy", tabindex: -1, "aria-label": _("Choose the copy") }));
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) void carry(file, told);
    input.value = "";
  });
  draw(
    stage,
    top(_("Bring in a copy"), "/sending"),
    h("p", {}, _("A phone that cannot send saves a copy. Choose that file here: it goes to the server as it is, in the name of whoever made it. It may be sent twice.")),
    h("div.stack", {}, button(".button--main", "save", _("Choose the copy"), () => input.click(), { id: "choose" }), input),
    told,
  );
}

/**
 * @param {File} file
 * @param {HTMLElement} told
 */
async function carry(file, told) {
  told.replaceChildren(note("look", h("p", {}, _("One moment …"))));
  try {
    const { ops, photos } = await phone.carryIn(file);
    told.replaceChildren(note("good", ...outcome(ops, photos)));
  } catch (error) {
    told.replaceChildren(note("bad", h("p", {}, wordsOf(error))));
  }
}

/**
 * Return what the server made of a copy, as sentences.
 * @param {{[status: string]: number}} ops
 * @param {{[state: string]: number}} photos
 */
export function outcome(ops, photos) {
  const { applied = 0, conflict = 0, held = 0, quarantined = 0, rejected = 0 } = ops;
  const said = [
    ngettext("{number} part was taken.", "{number} parts were taken.", applied + conflict),
    held ? ngettext("{number} waits for the office.", "{number} wait for the office.", held) : "",
    quarantined + rejected ? ngettext("{number} could not be taken, and is kept.", "{number} could not be taken, and are kept.", quarantined + rejected) : "",
    photos.stored ? ngettext("{number} photo is stored.", "{number} photos are stored.", photos.stored) : "",
  ];
  return said.filter(Boolean).map((one) => h("p", {}, one));
}

/** @param {any} error */
function wordsOf(error) {
  return error?.code === "refused" ? _("This is no whole copy of a phone's reports.") : said(error);
}
