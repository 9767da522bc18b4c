// @ts-check
/**
 * How one phone tells another which report it means: a QR with number and id, so that it works where
 * neither has a network; or the last five characters of the number, read out. Pure.
 */

const FIND = "/app/#/find/";
const FIVE = 5;

/**
 * Return an id in 22 characters instead of 36: a QR with few squares is read by a poor camera.
 * @param {string} id
 */
export function short(id) {
  const bytes = id.replaceAll("-", "").match(/../g) ?? [];
  const text = btoa(String.fromCharCode(...bytes.map((one) => parseInt(one, 16))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Return the id behind 22 characters, or an id that was not shortened; null if it is neither.
 * @param {string} text
 */
export function long(text) {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text;
  if (!/^[\w-]{22}$/.test(text)) return null;
  const bytes = [...atob(text.replaceAll("-", "+").replaceAll("_", "/"))];
  const hex = bytes.map((one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Return the text of the QR of a report.
 * @param {string} origin
 * @param {string} reference
 * @param {string} id
 */
export function qrText(origin, reference, id) {
  return `${origin}${FIND}${reference}/${short(id)}`;
}

/**
 * Return what a scanned or typed text names: a number, an id, or the last five characters.
 * @param {string} text
 * @returns {{reference: string, id: string | null}}
 */
export function readCode(text) {
  const [, found] = text.split(FIND);
  if (found === undefined) return { reference: tidy(text), id: null };
  const [reference, id = ""] = found.split("/");
  return { reference: tidy(reference), id: long(id) };
}

/** @param {string} text */
function tidy(text) {
  return text.trim().toUpperCase().replace(/\s+/g, "");
}

/**
 * Return a number without its hyphens' weight: as people say it.
 * @param {string} reference
 */
export function lastFive(reference) {
  return reference.replaceAll("-", "").slice(-FIVE);
}

/**
 * Say whether a typed text can mean this number: all of it, or at least its last five.
 * @param {string | null} reference
 * @param {string} typed
 */
export function isMeant(reference, typed) {
  const said = tidy(typed).replaceAll("-", "");
  return reference !== null && said.length >= FIVE && reference.replaceAll("-", "").endsWith(said);
}
