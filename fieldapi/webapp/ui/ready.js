// @ts-check
/** Whether this phone is ready for a day without a network, what it keeps, and whose it is. */

import * as phone from "../device/phone.js";
import { h, picture } from "./dom.js";
import * as language from "./language.js";
import { painter } from "./painting.js";
import { button, facts, link, note, say, top } from "./parts.js";
import * as place from "./place.js";
import { draw, go } from "./router.js";
import * as update from "./update.js";
import { _, moment, size } from "./words.js";

const LOW_BYTES = 20_000_000;
const CLOCK_MS = 60_000;

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, isNew = "") {
  place.warm();
  const paint = painter(
    () => Promise.all([phone.me(), phone.readiness(), update.isKept(), cameraState(), phone.storage()]),
    ([me, ready, isKept, camera, store]) => draw(stage, ...screen({ me, ready, isKept, camera, store, isNew: isNew !== "" }, paint)),
  );
  const stop = phone.onChange((what) => {
    if (what.has("me")) void paint();
  });
  navigator.serviceWorker?.addEventListener("controllerchange", paint);
  place.changes.addEventListener("change", paint);
  await paint();
  return () => {
    stop();
    navigator.serviceWorker?.removeEventListener("controllerchange", paint);
    place.changes.removeEventListener("change", paint);
  };
}

/**
 * @param {{me: any, ready: any, isKept: boolean, camera: string, store: any, isNew: boolean}} now
 * @param {() => unknown} paint
 */
function screen({ me, ready, isKept, camera, store, isNew }, paint) {
  return [
    isNew ? h("header.top", {}, h("h1", {}, _("This phone is set up")), language.opener()) : top(_("This phone")),
    facts([[_("Person"), me.person.name], [_("Authority"), me.authority.name], [_("Number of this phone"), String(me.device.number)]]),
    me.device.confirmed ? null : sixDigits(me),
    h("h2", {}, _("Ready without a network?")),
    h(
      "ul.plain",
      { id: "checks" },
      check(isKept, _("The app lies on this phone"), _("The app is still being kept: stay online a moment")),
      check(ready.hasMe && ready.hasSchema, _("Lists of cattle and places are here"), _("Lists are missing: go online once")),
      check(camera === "granted", _("The camera is allowed"), _("The camera was not asked for yet"), camera === "granted" ? null : button("", "camera", _("Allow the camera"), () => askCamera(paint))),
      check(place.best() !== null, place.said(place.best()), place.why() === "denied" ? _("The place is not allowed: tap the lock beside the address") : _("Finding the place")),
      check(store.isPersisted, _("What is saved is protected from clean-up"), _("The phone may clean up when it is full: send every day"), store.isPersisted ? null : button("", "save", _("Protect"), () => protect(paint))),
      check(store.free === null || store.free > LOW_BYTES, _("Free space: {size}", { size: size(store.free ?? 0) }), _("Little space is left: photos may not fit")),
      check(Math.abs(ready.clockOffMs ?? 0) < CLOCK_MS, _("The clock is right"), _("The clock of this phone is wrong: set it to automatic")),
    ),
    isNew ? link(".button--main", "next", _("Begin"), "/") : null,
    ...(isNew ? [] : about(me, store)),
  ];
}

/** @param {any} me */
function sixDigits(me) {
  const digits = String(me.fingerprint).replace(/^(...)/, "$1 ");
  return note("look", h("p", {}, _("Read these six digits to the office:")), h("p.code.big", { id: "fingerprint" }, digits), h("p", {}, _("You can report already. It counts once they are compared.")));
}

/**
 * @param {boolean} isRight
 * @param {string} good
 * @param {string} bad
 * @param {Node | null} [act]
 */
function check(isRight, good, bad, act = null) {
  return h("li", {}, h(`p.note.note--${isRight ? "good" : "look"}`, {}, picture(isRight ? "check" : "warning"), isRight ? good : bad), isRight ? null : act);
}

/**
 * @param {any} me
 * @param {any} store
 */
function about(me, store) {
  const isDark = document.documentElement.dataset.theme === "dark";
  return [
    h("h2", {}, _("More")),
    facts([[_("Used by the app"), size(store.usage ?? 0)], [_("Lists of"), me.learnedAt ? moment(me.learnedAt) : ""], [_("Version"), new URL(import.meta.url).pathname.split("/")[3]]]),
    h(
      "div.stack",
      {},
      language.opener(),
      button("", null, isDark ? _("Light colours") : _("Dark colours"), () => theme(isDark ? "light" : "dark"), { id: "theme" }),
      link("", "send", _("Sending"), "/sending"),
      link("", "person", _("Who reports?"), "/who"),
      link("", "plus", _("Set up for another person"), "/enrol"),
      button("", "person", _("Sign out"), signOut, { id: "sign-out" }),
    ),
    h("p.soft", {}, _("Signing out hides the reports. They stay on the phone and are sent.")),
  ];
}

/** @param {string} name */
function theme(name) {
  localStorage.setItem("theme", name);
  document.documentElement.dataset.theme = name;
  go("/ready");
}

async function signOut() {
  await phone.signOut();
  go("/enrol");
}

async function cameraState() {
  try {
    return (await navigator.permissions.query({ name: /** @type {any} */ ("camera") })).state;
  } catch {
    return "prompt";
  }
}

/** @param {() => unknown} paint */
async function askCamera(paint) {
  const stream = await navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => null);
  for (const track of stream?.getTracks() ?? []) track.stop();
  await paint();
}

/** @param {() => unknown} paint */
async function protect(paint) {
  const isKept = await phone.keepStorage();
  await paint();
  if (!isKept) say(_("The browser does not promise it yet. Put the app on the home screen, and send every day."));
}
