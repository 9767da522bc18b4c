// @ts-check
/**
 * Originals only where the line costs nothing, for whoever asked for it on this phone. Records and
 * small pictures go at once all the same. Browsers that do not say what the line is are not held back.
 */

import { REGISTRY, read, write } from "./database.js";

const KEY = "originals on wi-fi";

/** Say whether the browser tells what its line is. */
export function canTell() {
  return typeof lineOf() === "string";
}

/** @returns {string | undefined} */
function lineOf() {
  return /** @type {any} */ (navigator).connection?.type;
}

/** Say whether originals were asked to wait for Wi-Fi. */
export async function isWanted() {
  return Boolean(await read(REGISTRY, ["facts"], (stores) => stores.get("facts", KEY)));
}

/** @param {boolean} is */
export function want(is) {
  return write(REGISTRY, ["facts"], (stores) => stores.put("facts", is, KEY));
}

/** Say whether originals have to wait now. */
export async function mustWait() {
  return lineOf() === "cellular" && (await isWanted());
}
