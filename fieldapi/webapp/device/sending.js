// @ts-check
/**
 * When and for whom something is sent: one sender at a time over all tabs and the worker, ops
 * before small pictures before originals, and longer waits after each failure. What a fault leaves
 * is written down, so that the next tab knows.
 */

import { WAITING } from "../sync/ground.js";
import { nameOf, read, write } from "./database.js";
import { Fault } from "./faults.js";
import { facts, identities, learn } from "./identity.js";
import { MOST_UNDO_MS, isAhead } from "./moments.js";
import { ready } from "./outbox.js";
import { letGo } from "./photos.js";
import { tell } from "./signals.js";

const [FIRST_MS, MOST_MS] = [5_000, 15 * 60_000];
const DAY_MS = 24 * 3600 * 1000;
const LOCK = "fieldapi send";

/**
 * @typedef {{answers: {[status: string]: number}, changes: number, photos: {previews: number, stored: number,
 *   refused: number}, fault: string | null, skipped: string | null}} Sent
 */

/** @type {Promise<Sent> | null} */
let running = null;

/**
 * Send what waits, for every identity of this phone whose pause is over (`isAsked`: or is not).
 * Waits for a sending of this tab, and goes again after it if something was saved meanwhile, or if
 * a person asks; returns at once if another tab is at it, which takes all along.
 * @param {{isAsked?: boolean}} [how]
 * @returns {Promise<Sent>}
 */
export async function sendAll(how = {}) {
  if (running) {
    const sent = await running;
    // It may have looked for the last time before what this call is about was there.
    if (!how.isAsked && (sent.fault !== null || !(await isAnyReady()))) return sent;
  }
  running ??= send(how).finally(() => {
    running = null;
  });
  return running;
}

/**
 * @param {{isAsked?: boolean}} how
 * @returns {Promise<Sent>}
 */
async function send({ isAsked = false }) {
  const sent = empty();
  const hold = navigator.locks?.request.bind(navigator.locks);
  const work = async (/** @type {Lock | null} */ lock) => {
    if (hold && lock === null) {
      sent.skipped = "busy elsewhere";
      return;
    }
    const { known, signedIn } = await identities();
    known.sort((a, b) => Number(b.device === signedIn) - Number(a.device === signedIn));
    for (const { device } of known) add(sent, await sendFor(device, { isAsked, isSignedIn: device === signedIn }));
  };
  if (hold) await hold(LOCK, { ifAvailable: true }, work);
  else await work(null);
  return sent;
}

/** Say whether anybody's op waits on this phone that may be sent now. */
async function isAnyReady() {
  const { known } = await identities();
  const looks = known.map(({ device }) => read(nameOf(device), ["op"], async (stores) => (await ready(stores, Date.now())).length > 0));
  return (await Promise.all(looks)).includes(true);
}

/** @returns {Sent} */
function empty() {
  return { answers: {}, changes: 0, photos: { previews: 0, stored: 0, refused: 0 }, fault: null, skipped: null };
}

/**
 * @param {Sent} sum
 * @param {Sent} more
 */
function add(sum, more) {
  for (const [status, count] of Object.entries(more.answers)) sum.answers[status] = (sum.answers[status] ?? 0) + count;
  sum.photos.previews += more.photos.previews;
  sum.photos.stored += more.photos.stored;
  sum.photos.refused += more.photos.refused;
  sum.changes += more.changes;
  sum.fault ??= more.fault;
}

/**
 * @param {string} device
 * @param {{isAsked: boolean, isSignedIn: boolean}} how
 * @returns {Promise<Sent>}
 */
async function sendFor(device, { isAsked, isSignedIn }) {
  const name = nameOf(device);
  const sent = empty();
  const { pause } = await read(name, ["facts"], (stores) => facts(stores, "pause"));
  if (pause && isAhead(pause.until, { most: pause.ms ?? DAY_MS }) && !isAsked) return { ...sent, fault: pause.code };
  if (!isSignedIn && !(await hasWork(name))) return sent;
  await write(name, ["facts"], (stores) => stores.put("facts", Date.now(), "sending"));
  tell("status");
  try {
    await learnIfDue(device);
    await rounds(name, sent);
    await settle(name, null);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    sent.fault = fault.code;
    await settle(name, fault);
  } finally {
    await write(name, ["facts"], (stores) => stores.put("facts", 0, "sending"));
    tell("status", "reports", "photos", "records");
  }
  return sent;
}

/** @param {string} name */
function hasWork(name) {
  return read(name, ["op", "photo"], async (stores) => {
    const ops = await stores.count("op", "status", WAITING);
    return ops > 0 || (await stores.count("photo", "state", "waiting")) > 0;
  });
}

/**
 * Fetch schema, limits and `/me` once a day, and while nobody confirmed this phone. Ops need
 * none of them, so only a dead line or token ends the sending here.
 * @param {string} device
 */
async function learnIfDue(device) {
  const { me } = await read(nameOf(device), ["facts"], (stores) => facts(stores, "me"));
  if (me && me.told?.device?.confirmed && me.at > Date.now() - DAY_MS) return;
  try {
    await learn(device, me?.told?.language);
    tell("me");
  } catch (fault) {
    if (!(fault instanceof Fault) || !["refused", "not-ours"].includes(fault.code)) throw fault;
  }
}

/**
 * Ops, then photos, and again for as long as a report was saved meanwhile.
 * @param {string} name
 * @param {Sent} sent
 */
async function rounds(name, sent) {
  // Not before the first screen: it needs neither.
  const [{ Exchange }, { Uploader }] = await Promise.all([import("./exchange.js"), import("./uploader.js")]);
  const { token } = await read(name, ["facts"], (stores) => facts(stores, "token"));
  const isWanted = () => read(name, ["op"], async (stores) => (await ready(stores, Date.now())).length > 0);
  for (let isDone = false; !isDone; ) {
    const exchange = new Exchange(name, rest);
    try {
      await exchange.run();
    } finally {
      add(sent, { ...empty(), answers: exchange.answers, changes: exchange.changes });
    }
    tell("status", "reports", "records");
    const stuck = exchange.later.size > 0; // answered `retry`: they would stop every photo
    const uploader = new Uploader(name, token, { pause: rest, isWanted: async () => !stuck && isWanted() });
    try {
      isDone = await uploader.run();
    } finally {
      add(sent, { ...empty(), photos: uploader.told });
    }
    await letGo(name, exchange.serverNowMs);
    await dropSent(name);
  }
}

/**
 * Drop the drafts whose reports were answered: nothing brings them back any more.
 * @param {string} name
 */
function dropSent(name) {
  return write(name, ["draft", "op"], async (stores) => {
    for (const draft of await stores.all("draft")) {
      const ops = draft.savedAs === null ? null : await stores.all("op", "report", draft.savedAs);
      if (ops?.every((op) => op.status !== WAITING)) await stores.delete("draft", draft.id);
    }
  });
}

/**
 * Write down how it went: when to try again, or that all is well.
 * @param {string} name
 * @param {Fault | null} fault
 */
async function settle(name, fault) {
  await write(name, ["facts"], async (stores) => {
    const { pause } = await facts(stores, "pause");
    if (fault === null) {
      await stores.put("facts", null, "pause");
      await stores.put("facts", Date.now(), "sent");
      return;
    }
    const failed = (pause?.failed ?? 0) + 1;
    const ms = waitMs(failed, fault);
    await stores.put("facts", { failed, code: fault.code, ms, until: Date.now() + ms }, "pause");
  });
}

/**
 * Return how long to wait after the `failed`-th failure in a row: 5 s, doubling up to 15 min, with
 * jitter; what only a person can mend waits longest.
 * @param {number} failed
 * @param {{code: string, waitS?: number | null}} fault
 * @param {number} [dice] 0 up to 1
 */
export function waitMs(failed, fault, dice = Math.random()) {
  const isPassing = fault.code === "link-down" || fault.code === "busy" || fault.code === "not-ours";
  const base = isPassing ? Math.min(FIRST_MS * 2 ** (failed - 1), MOST_MS) : MOST_MS;
  return Math.max(base * (0.5 + dice / 2), (fault.waitS ?? 0) * 1000);
}

/** @param {number} ms */
function rest(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const EVERY_MS = 60_000;

/**
 * Send whenever it may go through: now, when the app comes to the front, when the network is back,
 * every minute, when the worker says so, and when the time to undo a report is over.
 * @returns {() => void} what stops it
 */
export function start() {
  const stop = new AbortController();
  const { signal } = stop;
  const go = () => void sendAll().catch(complain);
  const online = () => void sendAll({ isAsked: true }).catch(complain);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && online(), { signal });
  window.addEventListener("online", online, { signal });
  /** @type {any} */ (navigator).connection?.addEventListener?.("change", go, { signal });
  navigator.serviceWorker?.addEventListener("message", ({ data }) => data === "send now" && online(), { signal });
  const timer = setInterval(() => document.visibilityState === "visible" && go(), EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  go();
  void wakeForUndo().catch(complain);
  return () => stop.abort();
}

/** What a browser does not keep, its screens say. @param {unknown} error */
function complain(error) {
  if (!(error instanceof Fault) || !["no-storage", "not-kept"].includes(error.code)) console.error(error);
}

/** The app was closed while a report could be undone: send it when that is over. */
async function wakeForUndo() {
  const { signedIn } = await identities();
  if (signedIn === null) return;
  const rows = await read(nameOf(signedIn), ["op"], (stores) => stores.all("op", "status", WAITING));
  for (const until of new Set(rows.map((row) => row.holdUntil))) if (isAhead(until, { most: MOST_UNDO_MS })) sendAfter(until);
}

/**
 * Send once the time to undo is over; where another tab is at it, look again a little later, for
 * it may just have looked for the last time.
 * @param {number} undoUntil
 */
export function sendAfter(undoUntil) {
  const go = async () => {
    const sent = await sendAll();
    if (sent.skipped) sendAfter(Date.now() + FIRST_MS);
  };
  setTimeout(() => void go().catch(complain), Math.max(undoUntil - Date.now(), 0) + 50);
}
