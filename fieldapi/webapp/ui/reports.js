// @ts-check
/** The reports of this person on this phone, newest first, and the drafts before them. */

import * as phone from "../device/phone.js";
import { titleOf } from "./body.js";
import { h } from "./dom.js";
import { painter } from "./painting.js";
import { link, note, top } from "./parts.js";
import { draw } from "./router.js";
import { herd } from "./statute.js";
import { photosOf, reviewSaid, tag } from "./states.js";
import { Thumbs } from "./thumbs.js";
import { _, clock, day } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const me = await phone.me();
  const thumbs = new Thumbs();
  const paint = painter(
    () => phone.reports(),
    (rows) => draw(stage, top(_("My reports")), rows.length ? h("ul.reports", {}, rows.map((row) => item(me, row, thumbs))) : empty()),
  );
  const stop = phone.onChange((what) => {
    if (["reports", "photos", "records"].some((one) => what.has(/** @type {any} */ (one)))) void paint();
  });
  await paint();
  return () => {
    stop();
    void thumbs.release();
  };
}

function empty() {
  return h("div.stack", {}, note("plain", h("p", {}, _("There are no reports yet."))), link(".button--main", "camera", _("Seize cattle"), "/photo"));
}

/**
 * @param {any} me
 * @param {any} row
 * @param {Thumbs} thumbs
 */
function item(me, row, thumbs) {
  const what = row.kind === "seizure" ? herd(me, row.animals) || _("No animals") : titleOf(row);
  const review = reviewSaid(row.review);
  const about = h(
    "div",
    {},
    h("p", {}, h("strong", {}, what)),
    h("p.code", {}, row.reference ?? ""),
    h("p.soft", {}, `${day(row.savedAt)}, ${clock(row.savedAt)} · ${photosOf(row.photos)}`),
    h("p", {}, tag(row), " ", review),
  );
  const small = row.firstPhoto ? h("div.thumb.thumb--row", {}, thumbs.picture(row.firstPhoto, "")) : null;
  return h("li", {}, h("a.report", { href: `#/report/${row.id}` }, small, about));
}
