// @ts-check
/**
 * Where the phone is: warmed before it is needed, never waited for. Readings come from the
 * Geolocation API alone; what a file says of its place is not looked at.
 */

import { _, distance } from "./words.js";

/**
 * A reading, as records keep it. `fixedAt`: ms since 1970.
 * @typedef {{lat: number, lon: number, accuracy_m: number, altitude_m: number | null, fixedAt: number}} Fix
 * @typedef {"good" | "fair" | "poor" | "bad" | "rough" | "searching" | "denied" | "none"} Level
 */

const FRESH_MS = 60_000;
const RING = 5;
const IDLE_MS = 90_000;
const AFTER_SAVE_MS = 30_000;
const GOOD_M = 15;
const FAIR_M = 50;
const POOR_M = 200;
/** From here on a phone is most likely told to give its place only roughly. */
export const ROUGH_M = 1000;

/** Tells of `change` whenever level or reading changes. */
export const changes = new EventTarget();

/** @type {Fix[]} */
let ring = [];
/** @type {"searching" | "denied" | "none"} */
let lack = "searching";
/** @type {number | null} */
let watch = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let idle;

/** Begin to look, or go on looking; stops by itself when nobody asked for 90 seconds. */
export function warm() {
  clearTimeout(idle);
  idle = setTimeout(rest, IDLE_MS);
  if (watch !== null) return;
  if (!("geolocation" in navigator)) {
    lack = "none";
    return;
  }
  const options = { enableHighAccuracy: true, maximumAge: 0, timeout: 60_000 };
  watch = navigator.geolocation.watchPosition(take, fail, options);
}

/** Stop looking, to save the battery. */
export function rest() {
  clearTimeout(idle);
  if (watch !== null) navigator.geolocation.clearWatch(watch);
  watch = null;
}

/** Return the best reading of the last minute, or null. */
export function best(now = Date.now()) {
  const fresh = ring.filter((fix) => now - fix.fixedAt <= FRESH_MS);
  return fresh.length ? fresh.reduce((one, two) => (two.accuracy_m < one.accuracy_m ? two : one)) : null;
}

/** Return why there is no reading. @returns {"searching" | "denied" | "none"} */
export function why() {
  return lack;
}

/**
 * Return how good a reading is, or why there is none.
 * @param {{accuracy_m: number} | null} fix
 * @returns {Level}
 */
export function levelOf(fix) {
  if (fix === null) return lack;
  if (fix.accuracy_m <= GOOD_M) return "good";
  if (fix.accuracy_m <= FAIR_M) return "fair";
  if (fix.accuracy_m <= POOR_M) return "poor";
  return fix.accuracy_m < ROUGH_M ? "bad" : "rough";
}

/**
 * Say in words and metres how good a reading is.
 * @param {{accuracy_m: number} | null} fix
 * @returns {string}
 */
export function said(fix) {
  const values = { distance: distance(fix?.accuracy_m ?? 0) };
  switch (levelOf(fix)) {
    case "good":
      return _("Good: within {distance}", values);
    case "fair":
      return _("Fair: within {distance}", values);
    case "poor":
      return _("Poor: within {distance}", values);
    case "bad":
      return _("Very poor: within {distance}", values);
    case "rough":
      return _("Only roughly: within {distance}", values);
    case "searching":
      return _("Finding the place");
    default:
      return _("No place");
  }
}

/**
 * After a save, wait for a better reading and hand it over once: at once if it is a good one, else
 * the best after 30 seconds.
 * @param {Fix | null} first
 * @param {(better: Fix) => void} hand
 */
export function improve(first, hand) {
  warm();
  const since = Date.now();
  const better = () => {
    const found = ring.filter((fix) => fix.fixedAt >= since - 1000);
    const least = found.reduce((one, two) => (two.accuracy_m < one.accuracy_m ? two : one), found[0]);
    const isBetter = least && (first === null || least.accuracy_m < first.accuracy_m);
    return isBetter && least.fixedAt !== first?.fixedAt ? least : null;
  };
  const end = () => {
    changes.removeEventListener("change", look);
    const found = better();
    if (found) hand(found);
  };
  const timer = setTimeout(end, AFTER_SAVE_MS);
  function look() {
    const found = better();
    if (found === null || levelOf(found) !== "good") return;
    clearTimeout(timer);
    end();
  }
  changes.addEventListener("change", look);
}

/** @param {GeolocationPosition} position */
function take({ coords, timestamp }) {
  lack = "searching";
  const fix = {
    lat: coords.latitude,
    lon: coords.longitude,
    accuracy_m: Math.round(coords.accuracy * 10) / 10,
    altitude_m: coords.altitude === null ? null : Math.round(coords.altitude * 10) / 10,
    fixedAt: Math.round(timestamp),
  };
  ring = [...ring, fix].slice(-RING);
  changes.dispatchEvent(new Event("change"));
}

/** @param {GeolocationPositionError} error */
function fail(error) {
  lack = error.code === error.PERMISSION_DENIED ? "denied" : "searching";
  if (lack === "denied") rest();
  changes.dispatchEvent(new Event("change"));
}
