// @ts-check
/** What waits, what needs a person, and how to bring everything to safety without a network. */

import * as phone from "../device/phone.js";
import { titleOf } from "./body.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { painter } from "./painting.js";
import { button, link, note, say, top } from "./parts.js";
import { draw } from "./router.js";
import { herd } from "./statute.js";
import { photosOf, tag } from "./states.js";
import { isOnline } from "./strip.js";
import { _, moment, ngettext, size } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const me = await phone.me();
  const paint = painter(
    () => Promise.all([phone.status(), phone.reports({ ofAll: true }), phone.identities(), phone.toSend()]),
    ([status, rows, others, rest]) => draw(stage, ...screen(me, { status, rows, others, rest })),
  );
  const stop = phone.onChange(() => void paint());
  await paint();
  return stop;
}

/**
 * @param {any} me
 * @param {{status: any, rows: any[], others: any[], rest: any}} now
 */
function screen(me, { status, rows, others, rest }) {
  const open = rows.filter((row) => row.state !== "complete");
  const waiting = others.filter((one) => !one.isSignedIn && (one.waiting || one.photosWaiting));
  return [
    top(_("Sending")),
    h("div", { role: "status" }, ...headline(status, open)),
    status.alarms.length ? note("bad", h("p", {}, _("The server's register does not continue what this phone saw. Tell the office.")), h("p", {}, h("a", { href: "#/alarm" }, _("What does this mean?")))) : null,
    h("div.stack", {}, button(".button--main", "send", _("Send now"), sendNow, { id: "send", "aria-busy": String(status.isSending) })),
    rest.bytes ? h("p.soft", { id: "rest" }, _("Uses about {size}", { size: size(rest.bytes) })) : null,
    rest.mustWait ? note("look", h("p", {}, _("The originals of the photos wait for Wi-Fi."))) : null,
    h("ul.reports", {}, open.map((row) => item(me, row))),
    ...waiting.flatMap((one) => [note("look", h("p", {}, ngettext("{number} report of {name} waits on this phone and is sent in that name.", "{number} reports of {name} wait on this phone and are sent in that name.", one.waiting, { name: one.person.name }))), one.fault === "not-signed-in" ? h("div.stack", {}, button("", "send", _("Hand in for {name}", { name: one.person.name }), () => handIn(one.device), { "data-hand-in": one.device })) : null]),
    h("div.stack", {}, button("", "save", _("Save a copy of everything"), saveCopy, { id: "export" }), link("", "gallery", _("Bring in a copy of another phone"), "/bring"), link("", "phone", _("This phone"), "/ready"), rest.canTell ? button("", "check", _("Originals only on Wi-Fi"), () => phone.setThrifty(!rest.isThrifty), { id: "thrifty", "aria-pressed": String(rest.isThrifty) }) : null),
  ];
}

/** Hand in what an identity holds that the server turns away, under one's own. @param {string} device */
async function handIn(device) {
  try {
    await phone.handIn(device);
    say(_("Handed in."));
  } catch (error) {
    say(said(error));
  }
}

/**
 * @param {any} status
 * @param {any[]} open
 */
function headline(status, open) {
  const last = status.lastSentAt ? h("p", {}, _("Last sent {when}", { when: moment(status.lastSentAt) })) : null;
  if (status.fault && !["link-down", "busy"].includes(status.fault)) {
    const again = status.fault === "not-signed-in" ? [h("p", {}, h("a", { href: "#/enrol" }, _("Enrol again")))] : [];
    return [note("bad", h("p", {}, said({ code: status.fault })), ...again, last)];
  }
  if (open.length === 0) return [note("good", h("p", {}, h("strong", {}, _("Everything is sent"))), last)];
  const count = ngettext("{number} report is not sent whole", "{number} reports are not sent whole", open.length);
  const line = isOnline(status) ? null : h("p", {}, said({ code: "link-down" }));
  const next = status.nextTryAt && status.nextTryAt > Date.now() ? h("p", {}, _("Next try {when}", { when: moment(status.nextTryAt) })) : null;
  return [note("look", h("p", {}, h("strong", {}, count)), line, next, last)];
}

/**
 * @param {any} me
 * @param {any} row
 */
function item(me, row) {
  const number = h("p.code", {}, row.reference ?? "");
  // On a shared phone: that it waits is everybody's business, what it says is its author's.
  if (row.by !== me.person.id) return h("li.report", {}, h("div", {}, number, h("p", {}, _("Another person")), h("p", {}, tag(row))));
  const what = row.kind === "seizure" ? herd(me, row.animals) : titleOf(row);
  const about = h("div", {}, number, h("p", {}, what), h("p", {}, tag(row)), h("p.soft", {}, photosOf(row.photos)));
  return h("li", {}, h("a.report", { href: `#/report/${row.id}` }, about));
}

async function sendNow() {
  const sent = await phone.sendNow();
  if (sent.fault) say(said({ code: sent.fault }));
}

async function saveCopy() {
  try {
    const { blob, name } = await phone.exportOutbox();
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    say(_("Saved as {name}. Hand it to the office.", { name }));
  } catch (error) {
    say(said(error));
  }
}
