// @ts-check
/** What the fields of records are called on the phone, and how their values are said. */

import { outcomeSaid } from "./outcomes.js";
import { herd, labelOf } from "./statute.js";
import { _, money, moment, sentence } from "./words.js";

/** @type {{[name: string]: string}} */
const NAMES = {
  photos: sentence("A photo"),
  pound_id: sentence("Pound"),
  seizer: sentence("Who seized: name and residence"),
  "damage.text": sentence("Damage"),
  "damage.crop": sentence("Crop"),
  "damage.estimate_paise": sentence("Estimated damage"),
  survey_no: sentence("Survey number"),
  "owner.name": sentence("Owner's name"),
  "owner.parent": sentence("Owner's father or mother"),
  "owner.residence": sentence("Owner's residence"),
  "owner.mobile": sentence("Owner's mobile"),
  witnesses: sentence("Witnesses"),
  marks: sentence("Colour, marks or ear tags"),
  ground: sentence("Why"),
  place_kind: sentence("What kind of place"),
  place_text: sentence("Village or place"),
  capacity: sentence("You seize as"),
  remarks: sentence("Remarks"),
  count: sentence("Number of animals"),
  kind: sentence("Kind of animal"),
  ear_tags: sentence("Ear tags"),
  counts: sentence("Animals counted"),
  location: sentence("Place on the map"),
  seized_at: sentence("Seized"),
  seizure_id: sentence("Report"),
  outcome: sentence("What happened"),
  brought_by: sentence("Brought by"),
  condition: sentence("Condition"),
  fir_no: sentence("FIR number"),
  gd_no: sentence("General diary number"),
  "officer.station": sentence("Police station"),
  withdrawn: sentence("Withdrawn"),
  age_class: sentence("Age"),
  arrived_at: sentence("Arrived"),
  caption: sentence("Caption"),
  colour: sentence("Colour"),
  damage_done: sentence("Damage was done"),
  fixes: sentence("Later fixes of the place"),
  horns: sentence("Horns"),
  individuals: sentence("Each animal"),
  narrative: sentence("What happened, in your words"),
  "officer.name": sentence("Officer"),
  "owner.known": sentence("Owner is known"),
  persons: sentence("People involved"),
  photo: sentence("Photo"),
  received_at: sentence("Received"),
  reference: sentence("Number"),
  refusal_reason: sentence("Why help was refused"),
  rendered: sentence("Help was given"),
  requested_at: sentence("Call came in"),
  sex: sentence("Sex"),
  statements: sentence("Said to it later"),
};

/** The fields that are chosen from a list of the Act. @type {{[field: string]: "grounds" | "place_kinds" | "capacities"}} */
export const LISTS = { ground: "grounds", place_kind: "place_kinds", capacity: "capacities" };

/** Return what a field is called. @param {string} name */
export function nameOfField(name) {
  return NAMES[name] ? _(NAMES[name]) : name.replaceAll(/[._]/g, " ");
}

/**
 * Say the value of a field.
 * @param {any} me
 * @param {string} field
 * @param {any} value
 * @returns {string}
 */
export function saidValue(me, field, value) {
  if (value === null || value === undefined) return _("Nothing");
  if (field === "withdrawn") return value ? _("Withdrawn") : _("Not withdrawn");
  if (field === "counts") return herd(me, value);
  if (field.endsWith("_paise")) return money(value);
  if (LISTS[field]) return labelOf(me, LISTS[field], value);
  if (typeof value === "boolean") return value ? _("Yes") : _("No");
  if (field === "kind") return herd(me, [{ kind: value, count: 1 }]).replace(/^1 /, "");
  if (field === "outcome") return outcomeSaid(value) ?? value;
  if (field.endsWith("_at")) return moment(Date.parse(value));
  if (typeof value === "object") return value.name ?? (value.lat === undefined ? "…" : `${value.lat}, ${value.lon}`);
  return String(value);
}
