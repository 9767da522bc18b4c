// @ts-check
/**
 * The worker that keeps the app on the phone, and the new version that waits for a safe moment:
 * nothing changes under an open report, and nothing before somebody taps.
 */

/** Tells of `change` when a new version waits. */
export const changes = new EventTarget();

const RELOAD_MS = 2000;
const HOUR_MS = 3_600_000;

/** @type {ServiceWorkerRegistration | undefined} */
let registration;

/** Keep the app on the phone, and look for a new version now and every hour. */
export async function begin() {
  if (document.documentElement.dataset.worker !== "on" || !("serviceWorker" in navigator)) return;
  registration = await navigator.serviceWorker.register("/app/sw.js", { updateViaCache: "none" });
  registration.addEventListener("updatefound", watch);
  watch();
  setInterval(look, HOUR_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") look();
  });
}

/** Say whether a new version lies on the phone, complete. */
export function isReady() {
  return Boolean(registration?.waiting && navigator.serviceWorker.controller);
}

/** Use the new version: the page comes back with it, even if the worker does not answer. */
export function take() {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  registration?.waiting?.postMessage("take over");
  setTimeout(() => location.reload(), RELOAD_MS);
}

/** Ask to be woken when a line comes up; only some browsers do it. */
export async function askToBeWoken() {
  try {
    await /** @type {any} */ (registration)?.sync?.register("outbox");
  } catch {
    // Not allowed here: the page's own triggers send it.
  }
}

/** Say whether the app lies on this phone whole, so that it starts without a network. */
export async function isKept() {
  if (!("caches" in window)) return false;
  const page = new URL("../index.html", import.meta.url).pathname;
  return (await caches.match(page)) !== undefined && navigator.serviceWorker?.controller != null;
}

function look() {
  registration?.update().catch(() => undefined);
}

function watch() {
  const coming = registration?.installing;
  coming?.addEventListener("statechange", () => changes.dispatchEvent(new Event("change")));
  changes.dispatchEvent(new Event("change"));
}
