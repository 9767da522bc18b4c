// @ts-check
/** The first screen: one large button, open drafts, the reports, help. Nothing is waited for. */

import * as phone from "../device/phone.js";
import { h, picture } from "./dom.js";
import * as language from "./language.js";
import { painter } from "./painting.js";
import { button, link, note } from "./parts.js";
import * as place from "./place.js";
import { draw, go } from "./router.js";
import { herd } from "./statute.js";
import * as update from "./update.js";
import { _, clock, day, ngettext } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const me = await phone.me();
  const paint = painter(
    () => Promise.all([phone.drafts(), phone.reports()]),
    ([drafts, reports]) => {
      if (stage.isHere()) draw(stage, ...screen(me, drafts, reports));
    },
  );
  place.warm();
  const stop = phone.onChange((what) => {
    if (what.has("drafts") || what.has("reports") || what.has("me")) void paint();
  });
  update.changes.addEventListener("change", paint);
  await paint();
  return () => {
    stop();
    update.changes.removeEventListener("change", paint);
  };
}

/**
 * @param {any} me
 * @param {any[]} drafts
 * @param {any[]} reports
 */
function screen(me, drafts, reports) {
  return [
    h(
      "header.top",
      {},
      h("h1", {}, h("span.hidden", {}, _("Cattle reports"), " "), me.person.name),
      language.opener(),
    ),
    me.device.confirmed
      ? null
      : note("look", h("p", {}, _("The office has not confirmed this phone yet. Reports are kept and sent, and count from then on.")), h("p", {}, h("a", { href: "#/ready" }, _("Show the six digits")))),
    update.isReady() && drafts.length === 0
      ? button(".button--wide", "save", _("New version: tap to use it"), update.take, { id: "update" })
      : null,
    h(
      "div.stack",
      {},
      button(".button--main.button--hero", "camera", _("Seize cattle"), () => go("/photo"), { id: "seize" }),
      ...drafts.map((one) => draftLink(me, one)),
      link(".button--wide", "list", _("My reports"), "/reports", h("span.end", {}, String(reports.length))),
      link(".button--wide", "phone", _("This phone"), "/ready"),
      link(".button--wide", "help", _("Help"), "/help"),
    ),
  ];
}

/**
 * @param {any} me
 * @param {any} draft
 */
function draftLink(me, draft) {
  const animals = Object.entries(draft.values.counts ?? {}).map(([kind, count]) => ({ kind, count: Number(count) }));
  const photos = draft.photos.length;
  const parts = [herd(me, animals), photos ? ngettext("{number} photo", "{number} photos", photos) : ""];
  const path = `/${draft.step === "count" ? "count" : "photo"}/${draft.id}`;
  const when = `${day(draft.startedAt)}, ${clock(draft.startedAt)}`;
  const about = [when, ...parts].filter(Boolean).join(" · ");
  return h("a.button.button--wide.draft", { href: `#${path}` }, picture("pencil"), h("span", {}, _("Finish the draft"), h("br"), h("span.soft", {}, about)));
}
