// @ts-check
/** The offer to put the app on the phone: only where the browser makes it, once a person asks. */

/** Tells of `change` when there is an offer, or no more. */
export const changes = new EventTarget();

/** @type {any} */
let offer = null;

/** Keep the browser's offer for a quiet moment instead of letting it jump in. */
export function begin() {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    set(event);
  });
  window.addEventListener("appinstalled", () => set(null));
}

/** @param {any} event */
function set(event) {
  offer = event;
  changes.dispatchEvent(new Event("change"));
}

/** Say how the app can be put on this phone now: by the browser's offer, by hand, or it is not wanted. */
export function way() {
  const isInstalled = matchMedia("(display-mode: standalone)").matches || /** @type {any} */ (navigator).standalone === true;
  if (isInstalled) return null;
  if (offer) return "offer";
  return /iPhone|iPad/.test(navigator.userAgent) ? "by hand" : null;
}

/** Take the offer. */
export async function take() {
  const taken = offer;
  set(null);
  await taken?.prompt();
}
