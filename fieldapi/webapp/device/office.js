// @ts-check
/**
 * What only the server can do, asked while a person waits: a case with its clocks and dues, official
 * acts, their papers. Nothing of it is kept; each call carries an id of the caller's, so that asking
 * again after a lost answer does nothing twice. Called by `phone.js`.
 */

import { read } from "./database.js";
import { Fault } from "./faults.js";
import { facts } from "./identity.js";
import { send } from "./transport.js";

/** @param {string} name */
async function tokenOf(name) {
  return (await read(name, ["facts"], (stores) => facts(stores, "token"))).token;
}

/**
 * Return who asks, and the language in which they read what the law says.
 * @param {string} name
 * @param {string} language
 */
async function asker(name, language) {
  return { token: await tokenOf(name), headers: { "Accept-Language": language } };
}

/**
 * Return a document of the API. Raises Fault.
 * @param {string} name
 * @param {string} path
 * @param {string} language
 */
export async function get(name, path, language) {
  return (await send({ method: "GET", path, ...(await asker(name, language)) })).json;
}

/**
 * Return what became of a request that changes something. Raises Fault; `refused` has what the law
 * says in `problem`.
 * @param {string} name
 * @param {string} path
 * @param {{id: string}} body
 * @param {string} language
 */
export async function ask(name, path, body, language) {
  const { token, headers } = await asker(name, language);
  const said = { "Content-Type": "application/json", ...headers };
  return (await send({ method: "POST", path, token, body: JSON.stringify(body), headers: said })).json;
}

/**
 * Return an official paper for the roll of a receipt printer: as PDF, or as a page where the server
 * has no fonts for one.
 * @param {string} name
 * @param {string} id
 * @returns {Promise<{blob: Blob, ending: "pdf" | "html"}>}
 */
export async function paper(name, id) {
  const token = await tokenOf(name);
  for (const ending of /** @type {const} */ (["pdf", "html"])) {
    const answer = await ofPaper(`/api/v1/documents/${id}.${ending}?size=80mm`, token);
    if (answer.ok) return { blob: await answer.blob(), ending };
    if (answer.status !== 503) throw new Fault("refused", String(answer.status), { status: answer.status });
  }
  throw new Fault("busy");
}

/**
 * @param {string} path
 * @param {string} token
 */
async function ofPaper(path, token) {
  const init = /** @type {const} */ ({ headers: { Authorization: `Bearer ${token}` }, credentials: "omit", cache: "no-store" });
  try {
    return await fetch(path, init);
  } catch (error) {
    throw new Fault("link-down", String(error));
  }
}
