// @ts-check
/**
 * What a phone knows of a kind of record: which fields are facts, which are sets. Twin of
 * `sync/client/schema.py`; read from `GET /api/v1/sync/schema`, the rest is the server's business.
 */

/**
 * @typedef {object} KindSchema
 * @property {Set<string>} facts fields known to be not personal
 * @property {Map<string, string | null>} sets set field → the member that names an element, null
 *   if the element names itself
 */

/** @type {KindSchema} */
export const UNKNOWN_KIND = { facts: new Set(), sets: new Map() };

/**
 * Return what the server's document says of a kind; before it is there, or of an unknown kind,
 * every field counts as personal, which is the safe side.
 * @param {any} document
 * @param {string} kind
 * @returns {KindSchema}
 */
export function kindOf(document, kind) {
  const fields = document?.kinds?.[kind]?.fields;
  if (typeof fields !== "object" || fields === null) return UNKNOWN_KIND;
  const rows = Object.entries(fields);
  return {
    facts: new Set(rows.filter(([, row]) => row.personal === false).map(([name]) => name)),
    sets: new Map(
      rows.filter(([, row]) => row.class === "set").map(([name, row]) => [name, row.key ?? null]),
    ),
  };
}

/**
 * Say whether a field travels in an op of its own; an unknown one does, to be safe.
 * @param {KindSchema} schema
 * @param {string} name
 * @returns {boolean}
 */
export function isPersonal(schema, name) {
  return !schema.facts.has(name);
}

/**
 * Return what names this element of the set `name`; one without its key names itself.
 * @param {KindSchema} schema
 * @param {string} name
 * @param {any} element
 * @returns {any}
 */
export function keyOf(schema, name, element) {
  const member = schema.sets.get(name) ?? null;
  const isObject = typeof element === "object" && element !== null && !Array.isArray(element);
  const isNamed = member !== null && isObject && Object.hasOwn(element, member);
  return isNamed ? element[member] : element;
}
