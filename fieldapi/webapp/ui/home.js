// @ts-check
/** The first screen: one large button, and what waits. */

import { h } from "./dom.js";
import { draw } from "./router.js";
import { _ } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export function show(stage) {
  draw(stage, h("h1", {}, _("Cattle reports")));
}
