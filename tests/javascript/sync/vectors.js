// @ts-check
/** Reads the vectors that Python and JavaScript share: `sync/vectors/*.json`, those for phones. */

import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../../sync/vectors/", import.meta.url);

/**
 * Return a file of vectors by its name without `.json`.
 * @param {string} name
 * @returns {any}
 */
export function read(name) {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
}

/**
 * Return the names of all files tagged `client`.
 * @returns {string[]}
 */
export function clientFiles() {
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.json$/, ""));
  return names.filter((name) => read(name).tag === "client").sort();
}
