// @ts-check
/** The first screen: one large button, open drafts, the reports, help. Nothing is waited for. */

import * as phone from "../device/phone.js";
import * as discarded from "./discard.js";
import { h, picture } from "./dom.js";
import * as install from "./install.js";
import * as language from "./language.js";
import { painter } from "./painting.js";
import { button, link, note } from "./parts.js";
import * as place from "./place.js";
import * as roles from "./roles.js";
import { draw, go } from "./router.js";
import { herd } from "./statute.js";
import * as update from "./update.js";
import { _, clock, day, ngettext } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const me = await phone.me();
  const paint = painter(
    // Whatever became of older reports: a new one can be made.
    () => Promise.all([phone.drafts().catch(() => []), phone.reports().catch(() => [])]),
    ([drafts, reports]) => {
      const open = drafts.filter((one) => !discarded.isGone(one.id));
      if (stage.isHere()) draw(stage, ...screen(me, open, reports));
    },
  );
  const news = [install.changes, update.changes, discarded.changes];
  for (const one of news) one.addEventListener("change", paint);
  place.warm();
  const stop = phone.onChange((what) => {
    if (what.has("drafts") || what.has("reports") || what.has("me")) void paint();
  });
  await paint();
  return () => {
    stop();
    for (const one of news) one.removeEventListener("change", paint);
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
      ...doors(me),
      discarded.last() && h("div", {}, note("plain", h("p", { role: "status" }, _("The draft is thrown away."))), button(".button--wide", "undo", _("Undo"), discarded.undo, { id: "undo-discard" })),
      me.people.length > 1 ? link(".button--wide", "person", _("Who reports?"), "/who", h("span.end", {}, me.person.name)) : null,
      ...drafts.map((one) => draftLink(me, one)),
      link(".button--wide", "list", _("My reports"), "/reports", h("span.end", {}, String(reports.length))),
      roles.seizes(me) ? link(".button--wide", "pin", _("Reports of the office"), "/office") : null,
      link(".button--wide", "phone", _("This phone"), "/ready"),
      link(".button--wide", "help", _("Help"), "/help"),
      installPart(),
    ),
  ];
}

/** Return the large buttons, by what the person does: the first is the largest. @param {any} me */
function doors(me) {
  const isSeizer = roles.seizes(me);
  const seize = isSeizer && button(".button--main.button--hero", "camera", _("Seize cattle"), () => go("/photo"), { id: "seize" });
  const aid = roles.helps(me) && button(".button--wide", "shield", _("Police aid"), () => go("/aid"), { id: "aid" });
  const pound = roles.keepsPound(me) && button(isSeizer ? ".button--wide" : ".button--main.button--hero", "fence", _("Pound"), () => go("/pound"), { id: "pound" });
  const small = [aid, isSeizer && pound].filter((one) => one !== false);
  return [seize || pound || null, small.length ? h("div.row", {}, small) : null];
}

/** Return the offer to put the app on the phone, where there is one. */
function installPart() {
  const way = install.way();
  if (way === "offer") return button(".button--wide", "phone", _("Put this app on the phone"), install.take, { id: "install" });
  if (way === null) return null;
  return note("look", h("p", {}, _("Put this app on the home screen, or send every day: this browser forgets after seven days.")));
}

/**
 * @param {any} me
 * @param {any} draft
 */
function draftLink(me, draft) {
  const animals = Object.entries(draft.values.counts ?? {}).map(([kind, count]) => ({ kind, count: Number(count) }));
  const photos = draft.photos.length;
  const parts = [herd(me, animals), photos ? ngettext("{number} photo", "{number} photos", photos) : ""];
  const path = pathOf(draft);
  const when = `${day(draft.startedAt)}, ${clock(draft.startedAt)}`;
  const about = [when, ...parts].filter(Boolean).join(" · ");
  return h("a.button.button--wide.draft", { href: `#${path}` }, picture("pencil"), h("span", {}, word(draft.kind), h("br"), h("span.soft", {}, about)));
}

/** Return what is left to be finished. @param {string} kind */
function word(kind) {
  if (kind === "aid") return _("Finish the police aid");
  if (kind === "intake") return _("Finish the arrival");
  return kind === "more" ? _("Finish adding photos") : _("Finish the draft");
}

/** Return where a draft goes on. @param {any} draft */
function pathOf({ id, kind, step }) {
  if (kind === "aid") return `/aid/${id}`;
  if (kind === "intake") return `/receive/${id}`;
  return `/${step === "count" ? "count" : "photo"}/${id}`;
}
