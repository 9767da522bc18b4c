// @ts-check
/**
 * The strip on top of every screen: place, what waits, line. Always there, never only colour.
 */

import * as phone from "../device/phone.js";
import { awakeWhile } from "./awake.js";
import { byId, fill, h, picture } from "./dom.js";
import * as place from "./place.js";
import { _, ngettext } from "./words.js";

let told = "";

/** Put the strip on the page and keep it true from now on. */
export function begin() {
  place.changes.addEventListener("change", () => void refresh());
  window.addEventListener("online", () => void refresh());
  window.addEventListener("offline", () => void refresh());
  phone.onChange((what) => {
    if (what.has("status") || what.has("reports") || what.has("me")) void refresh();
  });
  setInterval(() => void refresh(), 15_000);
  void refresh();
}

/** Say now what holds now. */
export async function refresh() {
  const status = await phone.status().catch(() => null);
  awakeWhile(Boolean(status?.isSending && status.photosWaiting));
  const fix = place.best();
  const level = place.levelOf(fix);
  const online = isOnline(status);
  // Before the phone is somebody's it looks for no place; that all is sent would say nothing.
  const isOurs = Boolean(await phone.me().catch(() => null));
  const waits = Boolean(status?.waiting || status?.photosWaiting);
  const cells = [
    isOurs && cell(`place-${level === "searching" || level === "denied" ? "none" : level}`, place.said(fix), "/place"),
    (isOurs || waits) && waitingCell(status),
    cell(online ? "online" : "offline", online ? _("Online") : _("Offline"), "/sending"),
  ].filter((one) => one !== false);
  // Screen readers hear it again only when it says something else.
  const now = cells.map((one) => one.textContent).join("|") + level;
  if (now === told) return;
  told = now;
  fill(byId("strip"), h("div.strip", { role: "status" }, cells));
}

/** Say the strip again, e.g. in another language. */
export function renew() {
  told = "";
  return refresh();
}

/** @param {any} status */
export function isOnline(status) {
  return navigator.onLine && !["link-down", "not-ours"].includes(status?.fault);
}

/** @param {any} status */
function waitingCell(status) {
  // A phone that the server turns away sends nothing until somebody acts: that is no mere waiting.
  const isStuck = ["not-signed-in", "upgrade-needed"].includes(status?.fault);
  if (status?.needsYou || isStuck) return cell("warning", _("Needs you"), "/sending", "needs");
  if (status?.isSending) return cell("send", _("Sending"), "/sending");
  const waiting = status?.waiting ?? 0;
  const photos = status?.photosWaiting ?? 0;
  const word =
    waiting === 0 && photos > 0
      ? ngettext("{number} photo waits", "{number} photos wait", photos)
      : ngettext("{number} waiting", "{number} waiting", waiting);
  return cell(waiting || photos ? "send" : "check", waiting || photos ? word : _("All sent"), "/sending");
}

/**
 * @param {string} sign
 * @param {string} word
 * @param {string} path
 * @param {string} [mark]
 */
function cell(sign, word, path, mark) {
  return h(mark ? `a.${mark}` : "a", { href: `#${path}` }, picture(sign), h("span", {}, word));
}
