// @ts-check
/** What a person does with this phone: seize, help as police, keep a pound. Decides which doors are shown; whether it is so, the server judges. */

const POLICE = new Set(["police", "police_officer"]);

/** A phone that the office has not confirmed is told no roles: it may report. @param {any} me */
export function seizes(me) {
  return me.roles.includes("reporter") || !keepsPound(me);
}

/**
 * Of others on a shared phone only the name is known: they are offered it.
 * @param {any} me
 */
export function helps(me) {
  return seizes(me) && (me.person.id !== me.owner.id || POLICE.has(me.owner.capacity));
}

/** @param {any} me */
export function keepsPound(me) {
  return me.roles.includes("pound_keeper");
}
