// @ts-check
/// <reference lib="webworker" />
/**
 * What is served in place of the service worker when an operator withdraws the kept copies
 * (FIELDAPI_APP_WORKER_OFF): it deletes them and itself. Reports stay; they are in IndexedDB.
 */

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  const names = (await caches.keys()).filter((name) => name.startsWith("shelf-"));
  await Promise.all(names.map((name) => caches.delete(name)));
  await scope.registration.unregister();
}
