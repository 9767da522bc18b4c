// @ts-check
/** What went wrong, in words of the person who holds the phone: one sentence, what to do next. */

import { _ } from "./words.js";

/**
 * Say a fault of the device layer.
 * @param {any} fault with `code` and sometimes `detail`
 * @returns {string}
 */
export function said(fault) {
  switch (fault?.code) {
    case "link-down":
    case "busy":
      return _("No network. Everything is kept safely on this phone.");
    case "not-ours":
      return _("This network wants a sign-in of its own. Open it, or use another one.");
    case "not-signed-in":
      return _("The server does not know this phone any more. Enrol it again to send; nothing is lost.");
    case "upgrade-needed":
      return _("Update the app to send.");
    case "code-refused":
      return _("This code was used, is too old, or is mistyped. Compare it with the card, or ask for a new one.");
    case "no-storage":
      return _("This browser keeps nothing. Leave the private window, or use Chrome.");
    case "too-much":
      return _("It is too large to be sent. Save a copy and hand it to the office.");
    case "not-kept":
      return _("The phone could not keep this: it is not saved. Make room, such as by deleting videos, leave a private window, then try again. Until then, write it on paper.");
    case "no-photo":
      return _("This file is no photo that can be used. It was not added.");
    case "storage-full":
      return _("The phone is full: no more photos. The report itself can be saved.");
    case "locked":
      return _("The lock of this phone was not opened.");
    case "no-camera":
      return _("The camera does not open here. Type the last five characters of the number.");
    case "photo-unsound":
      return _("The photo could not be kept. Take it again.");
    default:
      return _("That did not work ({code}). Try again.", { code: codeOf(fault) });
  }
}

/** @param {any} fault */
function codeOf(fault) {
  const code = typeof fault?.code === "string" ? fault.code : null; // a DOMException has a number
  return String(fault?.slug || code || fault?.name || fault);
}
