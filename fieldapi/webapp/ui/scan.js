// @ts-check
/** Reads a QR with the camera in the page, on phones whose browser can; others type five letters. */

import { openCamera } from "./camera.js";
import { h } from "./dom.js";
import { button } from "./parts.js";
import { _ } from "./words.js";

const EVERY_MS = 200;

/** Say whether this browser reads codes. */
export async function canScan() {
  const reader = /** @type {any} */ (globalThis).BarcodeDetector;
  const formats = await reader?.getSupportedFormats?.().catch(() => []);
  return Boolean(formats?.includes("qr_code"));
}

/**
 * Look for a code until one is read, or until "Stop". Raises NoCamera.
 * @param {HTMLElement} place where the picture is shown meanwhile
 * @returns {Promise<string | null>}
 */
export async function scan(place) {
  const video = /** @type {HTMLVideoElement} */ (h("video", { playsinline: true, muted: true, "aria-label": _("What the camera sees") }));
  video.muted = true;
  const camera = await openCamera(video);
  const reader = new /** @type {any} */ (globalThis).BarcodeDetector({ formats: ["qr_code"] });
  let isStopped = false;
  const stop = button("", "cross", _("Stop"), () => (isStopped = true));
  place.replaceChildren(h("div.finder", {}, video), h("p", {}, _("Hold the square of the receipt before the camera.")), stop);
  try {
    while (!isStopped && place.isConnected) {
      const [found] = await reader.detect(video).catch(() => []);
      if (found) return found.rawValue;
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
    return null;
  } finally {
    camera.close();
    place.replaceChildren();
  }
}
