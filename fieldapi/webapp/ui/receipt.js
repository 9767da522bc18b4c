// @ts-check
/** What a report says once it is saved: its number, what is in it, until when, and a way back. */

import * as phone from "../device/phone.js";
import { open } from "./capture.js";
import { bodyOf, titleOf } from "./body.js";
import { qrText } from "./codes.js";
import { h } from "./dom.js";
import { button, link, note, say } from "./parts.js";
import { code } from "./qrcode.js";
import { draw, go } from "./router.js";
import { tag } from "./states.js";
import { hear } from "./voice.js";
import { _ } from "./words.js";

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
    report.reference ? h("p.code.reference", { id: "reference" }, report.reference) : h("h2", { id: "reference" }, titleOf(report)),
    hear("saved", [_("Saved on this phone"), report.reference ?? ""].join(". ")),
    bodyOf(me, report),
    state,
    h("div.stack", {}, report.reference ? qrPart(report.reference, report.id) : null, h("div.row", {}, again(report), link(".button--main", "home", _("Home"), "/")), undo, button(".button--quiet", "print", _("Print a slip"), () => print(), { id: "print" })),
  ];
}

/** Return what most likely comes next: one more, or the animals that just came in. @param {any} report */
function again({ kind, screen }) {
  const shown = screen?.shown ?? {};
  if (kind === "aid") return link(".button--main", "shield", _("New"), "/aid");
  if (kind === "seizure") return link(".button--main", "camera", _("New"), "/photo");
  return shown.seizure_id ? link(".button--main", "fence", _("Case"), `/case/${shown.seizure_id}`) : link(".button--main", "fence", _("Pound"), "/pound");
}

/**
 * Return the QR behind a button: it is for the keeper of the pound, and for the police.
 * @param {string} reference
 * @param {string} id
 */
export function qrPart(reference, id) {
  const holder = h("div");
  const open = button("", "qr", _("Show QR"), () => {
    const isOpen = holder.hasChildNodes();
    holder.replaceChildren(...(isOpen ? [] : [code(qrText(location.origin, reference, id), reference)]));
    open.setAttribute("aria-expanded", String(!isOpen));
  }, { "aria-expanded": "false", id: "qr" });
  return h("div.stack", {}, open, holder);
}

/** @param {string} id */
async function take(id) {
  const { how, draft } = /** @type {any} */ (await phone.undoReport(id));
  if (how === "draft") return go((await open(draft))?.next ?? "/");
  say(_("The report was sent already. It is withdrawn, and stays in the list."));
  return go(`/report/${id}`);
}
