// @ts-check
/** What somebody said to a report beside its values: why it was corrected, a word on two accounts. */

import { nameOfField } from "./fields.js";
import { _, moment, sentence } from "./words.js";

/** @type {{[answer: string]: string}} */
const ANSWERS = { agree: sentence("The other is right."), stay: sentence("Mine is right."), unsure: sentence("Not sure.") };

/** Return the answer to a conflict, with its words. @param {any} one */
export function answerSaid({ answer, text }) {
  return [ANSWERS[answer] && _(ANSWERS[answer]), text].filter(Boolean).join(" ");
}

/**
 * Return what was said, a line for each, in the order of its moments.
 * @param {any[] | undefined} statements
 * @returns {string[]}
 */
export function linesOf(statements = []) {
  const sorted = [...statements].sort((a, b) => String(a.said_at).localeCompare(String(b.said_at)));
  return sorted.map((one) => {
    const when = moment(Date.parse(one.said_at));
    if (one.about === "correction") return _("Corrected {when}: {reason}", { when, reason: one.text ?? "" });
    return `${nameOfField(one.field ?? "")}, ${when}: ${answerSaid(one)}`;
  });
}
