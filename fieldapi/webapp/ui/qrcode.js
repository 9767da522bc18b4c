// @ts-check
/** A QR code as a picture. */

import { h } from "./dom.js";
import { fits, squares } from "./qr.js";
import { _ } from "./words.js";

const QUIET = 4;
const SCALE = 8;

/**
 * Return a picture of a text, of the shorter one if that is too long for a code.
 * @param {string} text
 * @param {string} shorter
 */
export function code(text, shorter) {
  const grid = squares(fits(text) ? text : shorter);
  const side = (grid.length + 2 * QUIET) * SCALE;
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas.qr", { width: side, height: side, role: "img", "aria-label": _("QR code of {reference}", { reference: shorter }) }));
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, side, side);
    pen.fillStyle = "#000";
    grid.forEach((row, down) =>
      row.forEach((isDark, right) => {
        if (isDark) pen.fillRect((right + QUIET) * SCALE, (down + QUIET) * SCALE, SCALE, SCALE);
      }),
    );
  }
  return canvas;
}
