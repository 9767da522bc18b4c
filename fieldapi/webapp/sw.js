// @ts-check
/// <reference lib="webworker" />
/**
 * The service worker: keeps one build of the app on the phone, whole, and answers from it. It never
 * touches IndexedDB, where the reports are, and lets every call of the API through. The server puts
 * one line before this: `self.SHELF` with the build, its page and its files.
 */

const scope = /** @type {ServiceWorkerGlobalScope & {SHELF: {build: string, page: string, files: string[]}}} */ (
  /** @type {unknown} */ (self)
);
const { SHELF } = scope;
const MINE = `shelf-${SHELF.build}`;
const SHELVES = "/app/shelf/";

scope.addEventListener("install", (event) => {
  event.waitUntil(fill());
  route(/** @type {any} */ (event));
});
scope.addEventListener("activate", (event) => event.waitUntil(takeOver()));
scope.addEventListener("message", (event) => {
  // Never by itself: a page asks for it when a person tapped and no report is open.
  if (event.data === "take over") event.waitUntil(scope.skipWaiting());
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== scope.location.origin) return;
  if (request.mode === "navigate") event.respondWith(keptOr(SHELF.page, request));
  else if (url.pathname.startsWith(SHELVES)) event.respondWith(keptOr(url.pathname, request));
});
scope.addEventListener("sync", (event) => {
  /** @type {any} */ (event).waitUntil(wake());
});

/** Keep every file of this build, or none: a shelf with a gap would be found out offline. */
async function fill() {
  const shelf = await caches.open(MINE);
  await shelf.addAll(SHELF.files);
}

/**
 * Where the browser can, let it answer for the files by itself: a start from the icon then waits
 * for no worker.
 * @param {{addRoutes?: (rules: object[]) => Promise<void>}} event
 */
function route(event) {
  const condition = { urlPattern: { pathname: `${SHELVES}${SHELF.build}/*` } };
  event.addRoutes?.([{ condition, source: { cacheName: MINE } }])?.catch(() => undefined);
}

/** Drop the builds before the last: a page of the last one may still be open. */
async function takeOver() {
  const names = (await caches.keys()).filter((name) => name.startsWith("shelf-"));
  const older = names.filter((name) => name !== MINE).slice(0, -1);
  await Promise.all(older.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/**
 * Answer with the kept file, from the network only where there is none.
 * @param {string} path
 * @param {Request} request
 */
async function keptOr(path, request) {
  const mine = await caches.open(MINE);
  return (await mine.match(path)) ?? (await caches.match(path)) ?? fetch(request);
}

/** The network came back while the app was in the background: its pages hear of it. */
async function wake() {
  const pages = await scope.clients.matchAll({ includeUncontrolled: true });
  for (const page of pages) page.postMessage("send now");
}
