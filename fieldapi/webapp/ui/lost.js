// @ts-check
/** What is shown where a screen cannot be: why, and the ways that are open nevertheless. */

import { h } from "./dom.js";
import { said } from "./failures.js";
import { link, note, top } from "./parts.js";
import { draw } from "./router.js";
import { _ } from "./words.js";

/** @param {import("./router.js").Stage} stage @param {unknown} error */
export function show(stage, error) {
  const { name, message, code } = /** @type {any} */ (error);
  const isKept = code !== "no-storage";
  draw(
    stage,
    top(_("This page cannot be shown")),
    note("bad", h("p", {}, said(error)), isKept ? h("p", {}, _("What was saved is still on this phone. Save a copy and hand it to the office.")) : null),
    h("p.soft.code", {}, [name, message].filter(Boolean).join(": ").slice(0, 200)),
    h("div.stack", {}, link(".button--main", "home", _("Home"), "/"), link("", "list", _("My reports"), "/reports"), link("", "save", _("Save a copy"), "/sending"), link("", "help", _("Help"), "/help")),
  );
}
