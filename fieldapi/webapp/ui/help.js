// @ts-check
/** Help that needs no network: what to do, in the order in which things go wrong. */

import { h, picture } from "./dom.js";
import { link, note, top } from "./parts.js";
import * as place from "./place.js";
import { draw } from "./router.js";
import { _ } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export function show(stage) {
  const parts = [
    [_("How do I report?"), _("Tap “Seize cattle”, take a photo that shows the whole animal and the place, tap “Next”, tap the picture of the animal once for each one, and tap “Save”. The number on the receipt is final.")],
    [_("There is no network"), _("Go on working. Everything is kept on this phone and is sent by itself as soon as there is a line, also days later.")],
    [_("The place is not found"), _("Step into the open and wait half a minute. You can save without it: name the village.")],
    [_("The camera does not open"), _("Tap the lock beside the address and allow the camera, or use the button for the phone's own camera.")],
    [_("I made a mistake"), _("Tap “Undo” within ten seconds, or later “Correct” in the report. Nothing is ever deleted.")],
    [_("I was called to help"), _("Tap “Police aid”, scan the QR on the officer's receipt or type the last five characters of its number, tap “Now” when you are called and when you arrive, and tap what happened.")],
    [_("Cattle come to the pound"), _("Tap “Pound”, choose the report, and count again: your number stands beside the seizer's. Payment, release and receipts need the network.")],
    [_("The phone cannot send any more"), _("Open “Sending” and save a copy. Any other enrolled phone can bring it in.")],
    [_("The phone was lost or broken"), _("Tell the office at once: they end this phone and give you a new card. What was sent is safe.")],
    [_("The phone is full"), _("Go where there is a network and tap “Send now”. Photos leave the phone once the server has them.")],
    [_("“Needs you” is shown"), _("Open the report: it says what the server could not take. It is never lost.")],
  ];
  draw(
    stage,
    top(_("Help")),
    ...parts.map(([title, text]) => h("section", {}, h("h2", {}, title), h("p", {}, text))),
    h("div.stack", {}, link("", "send", _("Sending"), "/sending"), link("", "phone", _("This phone"), "/ready")),
  );
}

/** What the first part of the strip opens: how well the place is known, and how to do better. */
export const where = {
  /** @type {import("./router.js").Screen["show"]} */
  show(stage) {
    place.warm();
    const paint = () => draw(stage, top(_("Place")), ...placeHelp());
    paint();
    place.changes.addEventListener("change", paint);
    return () => place.changes.removeEventListener("change", paint);
  },
};

function placeHelp() {
  const fix = place.best();
  const level = place.levelOf(fix);
  const isRough = fix !== null && fix.accuracy_m >= place.ROUGH_M;
  const point = fix && h("p", {}, `${fix.lat.toFixed(5)}, ${fix.lon.toFixed(5)}`);
  return [
    note(level === "good" || level === "fair" ? "good" : "look", h("p", {}, h("strong", {}, place.said(fix))), point),
    isRough ? picture("precise", "picture--help") : null,
    isRough ? note("bad", h("p", {}, _("The phone tells only roughly where it is. Turn on “Precise location” for the browser in the phone's settings."))) : null,
    level === "denied" ? note("bad", h("p", {}, _("The place is not allowed: tap the lock beside the address"))) : null,
    h("p", {}, _("Step into the open and wait half a minute. You can save without it: name the village.")),
  ];
}
