// @ts-check
/** The language, to be changed on every screen that has a heading of its own; works offline. */

import { h, picture } from "./dom.js";
import { top } from "./parts.js";
import { draw, go } from "./router.js";
import * as strip from "./strip.js";
import { _, choose, language, LANGUAGES } from "./words.js";

/** Return the button that opens the choice: it bears the name of the language in its own script. */
export function opener() {
  const name = /** @type {any} */ (LANGUAGES)[language()];
  return h("a.button.button--quiet", { href: "#/language", id: "language" }, picture("language"), h("span", {}, name), h("span.hidden", {}, ", ", _("choose a language")));
}

/** @type {import("./router.js").Screen["show"]} */
export function show(stage) {
  const choices = Object.entries(LANGUAGES).map(([code, name]) =>
    h(
      "button.button.button--wide",
      { type: "button", lang: code, "aria-pressed": String(code === language()), onclick: () => take(code) },
      h("span", {}, name),
    ),
  );
  draw(stage, top(_("Language")), h("div.stack", {}, choices));
}

/** @param {string} code */
async function take(code) {
  await choose(code);
  void strip.renew();
  go("/");
}
