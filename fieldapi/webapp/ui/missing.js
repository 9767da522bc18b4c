// @ts-check
/**
 * What a saved report may still want, by what the Act asks of this seizure and of whoever made it.
 * Nothing here stops anybody: a report is taken as it is. Pure.
 */

const HAS = (/** @type {any} */ value) => value !== undefined && value !== null && value !== "";

/**
 * Return the names of fields worth filling in, the weightier first.
 * @param {any} me
 * @param {any} shown of the seizure
 * @param {{animals: any[], photos: number}} parts `animals`: what each lot says
 * @returns {string[]}
 */
export function missing(me, shown, { animals, photos }) {
  const rules = (me.statute?.seizure_rules ?? []).filter((/** @type {any} */ one) => fits(one, shown));
  const isDamage = shown.ground === "trespass_with_damage" || rules.some((/** @type {any} */ one) => one.damage_required);
  const wanted = [
    [photos === 0, "photos"],
    [me.pounds.length > 0, "pound_id"],
    [true, "seizer"],
    [isDamage, "damage.text"],
    [isDamage, "damage.estimate_paise"],
    [isDamage, "survey_no"],
    [shown["owner.known"] === true, "owner.name"],
    [shown["owner.known"] === true, "owner.residence"],
    [me.statute?.series === "kerala" || me.statute?.series === "karnataka", "witnesses"],
  ];
  const gaps = wanted.filter(([is, name]) => is && !HAS(shown[/** @type {string} */ (name)])).map(([, name]) => String(name));
  // The register describes each animal; a lot without a word is described by its number alone.
  const isBare = animals.some((one) => !HAS(one.colour) && !HAS(one.marks) && !HAS(one.ear_tags?.[0]) && !HAS(one.individuals?.[0]));
  return isBare ? [...gaps, "marks"] : gaps;
}

/**
 * @param {any} rule
 * @param {any} shown
 */
function fits({ capacities, place_kinds }, shown) {
  return capacities.includes(shown.capacity) && place_kinds.includes(shown.place_kind);
}
