// @ts-check
/** The states of a report, of its photos and of its review: a sign and a word for each. */

import { h, picture } from "./dom.js";
import { _, ngettext } from "./words.js";

/** Return the state of a report as a tag. @param {any} row */
export function tag(row) {
  const [kind, sign, word] = stateOf(row);
  return h(`span.tag.tag--${kind}`, {}, picture(sign), word);
}

/**
 * @param {any} row
 * @returns {[string, string, string]}
 */
function stateOf(row) {
  if (row.isWithdrawn) return ["look", "undo", _("Withdrawn")];
  if (row.conflicts > 0) return ["look", "warning", _("Two different accounts")];
  switch (row.state) {
    case "parked":
      return ["bad", "warning", _("Needs you")];
    case "sending":
      return ["look", "send", _("Sending")];
    case "stored":
      return ["look", "clock", photosSaid(row) || _("Report sent, photos wait")];
    case "complete":
      return ["good", "check", row.record === "held" ? _("Sent, waits for the office") : _("Sent")];
    default:
      return ["look", "clock", _("Waiting to send")];
  }
}

/** @param {any} row */
function photosSaid(row) {
  const { photos } = row;
  return photos.all ? _("Report sent, photos {number} of {all}", { number: photos.stored, all: photos.all }) : "";
}

/** Return what the office made of a report, or null. @param {any} review */
export function reviewSaid(review) {
  switch (review?.state) {
    case "under_review":
      return _("The office is looking at it");
    case "accepted":
      return _("Accepted");
    case "rejected":
      return _("Rejected");
    case "correction_asked":
      return _("A correction is asked for");
    case "resubmitted":
      return _("Corrected, the office looks again");
    default:
      return null;
  }
}

/** Return what became of a photo. @param {any} photo */
export function photoSaid(photo) {
  switch (photo.state) {
    case "stored":
      return _("Stored by the server");
    case "refused":
      return _("Refused by the server");
    case "sending":
      return _("Sending: {number} of {all}", { number: Math.round((photo.offset / photo.size) * 100), all: "100 %" });
    default:
      return photo.previewSent ? _("Small picture sent, original waits") : _("Waiting");
  }
}

/** Return how many photos the server has. @param {{all: number, stored: number}} photos */
export function photosOf(photos) {
  if (photos.all === 0) return _("No photos");
  return ngettext("Photo {stored} of {number}", "Photos {stored} of {number}", photos.all, { stored: photos.stored });
}
