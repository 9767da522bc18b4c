// @ts-check
/** What the police met when they came: four outcomes, and the ground each stands for. */

import { _, sentence } from "./words.js";

/** What happened, as it is tapped: the ground it says and the outcome it writes. */
export const WHAT = [
  { code: "resistance_prevented", ground: "resistance", sign: "shield", label: sentence("Resistance prevented") },
  { code: "rescue_prevented", ground: "likely_rescue", sign: "fence", label: sentence("Rescue prevented") },
  { code: "cattle_taken_back", ground: "rescue_committed", sign: "undo", label: sentence("Cattle taken back") },
  { code: "nothing_needed", ground: "likely_resistance", sign: "check", label: sentence("Attended, nothing needed") },
];
/** Return what an outcome is called. @param {string | undefined} code */
export function outcomeSaid(code) {
  const found = WHAT.find((one) => one.code === code);
  return found ? _(found.label) : code;
}
