// @ts-check
/**
 * HTTP as a phone needs it: a patience, honest faults, and suspicion. A request either gets an
 * answer of our server or raises a Fault; a captive portal must never be taken for it. Always to
 * the origin the app came from.
 */

import { Fault } from "./faults.js";
import { utf8 } from "./keys.js";

const GZIP_FROM = 1024; // bytes; below it the header costs what the coding saves
const PATIENCE_MS = 45_000;
const SLOWEST_BYTES_PER_MS = 1; // 8 kbit/s: below that a request is given up
const PROBLEM = "urn:fieldapi:problem:";
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504, 507]);

/**
 * @typedef {object} Asked
 * @property {string} method
 * @property {string} path from `/api`
 * @property {string | null} [token]
 * @property {BodyInit | null} [body]
 * @property {number} [size] of the body in bytes
 * @property {{[name: string]: string}} [headers]
 */

/** @typedef {{status: number, headers: Headers, json: any}} Answer `json`: undefined without a body */

/**
 * Send once. Raises Fault.
 * @param {Asked} asked
 * @returns {Promise<Answer>}
 */
export async function send({ method, path, token, body = null, size = 0, headers = {} }) {
  const init = /** @type {RequestInit} */ ({
    method,
    body,
    headers: { Accept: "application/json", ...headers, ...(token && { Authorization: `Bearer ${token}` }) },
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(PATIENCE_MS + size / SLOWEST_BYTES_PER_MS),
  });
  try {
    const response = await fetch(path, init);
    const text = method === "HEAD" ? "" : await response.text();
    return read(response, text);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("link-down", String(error));
  }
}

/**
 * Send a JSON text, compressed if that pays.
 * @param {string} path
 * @param {string} text
 * @param {string | null} [token]
 * @returns {Promise<Answer>}
 */
export async function post(path, text, token) {
  const plain = utf8(text);
  const isSmall = plain.length <= GZIP_FROM;
  const body = isSmall ? plain : await gzip(plain);
  const headers = { "Content-Type": "application/json", ...(!isSmall && { "Content-Encoding": "gzip" }) };
  return send({ method: "POST", path, token, body, size: body.byteLength, headers });
}

/** @param {Uint8Array} bytes */
async function gzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {Response} response
 * @param {string} text
 * @returns {Answer}
 */
function read(response, text) {
  const { status, headers } = response;
  if (!response.ok) throw faultOf(response, text);
  if (!text) return { status, headers, json: undefined };
  try {
    return { status, headers, json: JSON.parse(text) };
  } catch {
    throw new Fault("not-ours", "the answer is not JSON");
  }
}

/**
 * Return what a refusal means for a phone.
 * @param {Response} response
 * @param {string} text
 * @returns {Fault}
 */
function faultOf({ status, headers }, text) {
  if (BUSY.has(status)) return new Fault("busy", "", { status, waitS: retryAfter(headers), headers });
  if (status === 401) return new Fault("not-signed-in", "", { status });
  if (status === 413) return new Fault("too-much", "", { status });
  if (status === 426) return new Fault("upgrade-needed", "", { status });
  const problem = status < 400 ? null : problemOf(text); // a redirect is a portal's
  if (problem === null) return new Fault("not-ours", `a ${status} of nobody we know`, { status });
  const slug = String(problem.type ?? PROBLEM).slice(PROBLEM.length);
  if (slug === "epoch-changed") return new Fault("epoch-changed", "", { status, slug });
  const { detail = "", errors = {} } = problem;
  return new Fault("refused", detail || slug, { status, slug, headers, errors, problem });
}

/**
 * Return a problem document of our server; an empty one for a bare refusal, as to HEAD.
 * @param {string} text
 * @returns {any}
 */
function problemOf(text) {
  if (!text) return {};
  try {
    const problem = JSON.parse(text);
    return String(problem?.type).startsWith(PROBLEM) ? problem : null;
  } catch {
    return null;
  }
}

/** @param {Headers} headers */
function retryAfter(headers) {
  const asked = headers.get("Retry-After") ?? "";
  return /^\d+$/.test(asked) ? Number(asked) : null;
}
