// @ts-check
/** What the Act of this authority offers to choose from, and what is chosen before anybody asks. */

import { _, kindName } from "./words.js";

/** @typedef {{code: string, label: string, label_plural: string}} Kind */
/** @typedef {{code: string, label: string, aliases?: string[]}} Term */

const LAST = "last choices";

/**
 * Return the kinds of cattle; before the phone was told, the common ones.
 * @param {any} me
 * @returns {Kind[]}
 */
export function kinds(me) {
  return me?.statute?.kinds ?? [
    { code: "cow", label: "cow", label_plural: "cows" },
    { code: "buffalo", label: "buffalo", label_plural: "buffaloes" },
    { code: "goat", label: "goat", label_plural: "goats" },
  ];
}

/**
 * Return the terms of a list of the statute, in the language spoken.
 * @param {any} me
 * @param {"capacities" | "grounds" | "place_kinds"} list
 * @returns {Term[]}
 */
export function terms(me, list) {
  return (me?.statute?.[list] ?? []).map((/** @type {Term} */ one) => ({ ...one, label: _(one.label) }));
}

/**
 * Return the label of a code, the code itself if the statute has it not.
 * @param {any} me
 * @param {"capacities" | "grounds" | "place_kinds"} list
 * @param {string} code
 */
export function labelOf(me, list, code) {
  return terms(me, list).find((one) => one.code === code)?.label ?? code;
}

/**
 * Return capacity, ground and kind of place as they most likely are: what the person is, what was
 * chosen last, else the first that the Act allows to this capacity.
 * @param {any} me
 */
export function defaults(me) {
  const last = JSON.parse(localStorage.getItem(LAST) ?? "{}");
  const offered = terms(me, "capacities");
  const own = me?.person?.capacity;
  const capacity =
    offered.find((one) => one.code === own || one.aliases?.includes(own))?.code ?? own ?? offered[0]?.code ?? "person_in_charge";
  const rules = (me?.statute?.seizure_rules ?? []).filter((/** @type {any} */ one) => one.capacities.includes(capacity));
  const [rule] = rules.length ? rules : (me?.statute?.seizure_rules ?? []);
  return {
    capacity,
    ground: last.ground ?? rule?.grounds[0] ?? "straying",
    place_kind: last.place_kind ?? rule?.place_kinds[0] ?? "public_road",
  };
}

/**
 * Keep what was chosen for the next report.
 * @param {{ground: string, place_kind: string}} chosen
 */
export function remember({ ground, place_kind }) {
  localStorage.setItem(LAST, JSON.stringify({ ground, place_kind }));
}

/**
 * Say a herd, e.g. `2 buffaloes, 1 calf`.
 * @param {any} me
 * @param {{kind: string, count: number}[]} animals
 */
export function herd(me, animals) {
  const known = new Map(kinds(me).map((one) => [one.code, one]));
  const said = animals
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const named = known.get(kind) ?? { code: kind, label: kind, label_plural: kind };
      return `${count} ${kindName(named, count)}`;
    });
  return said.join(", ");
}

/**
 * Return until when the cattle have to be at a pound, or null where the Act has no such limit.
 * @param {any} me
 * @param {number} seizedMs
 */
export function poundLimit(me, seizedMs) {
  const hours = me?.statute?.transit_hours;
  return typeof hours === "number" ? seizedMs + hours * 3_600_000 : null;
}
