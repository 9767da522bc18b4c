// @ts-check
/**
 * The phone's signature: an ES256 key that never leaves the browser, and what it signs. Twin of
 * what `fieldapi/services/keys.py` verifies and of `fieldapi/domain/fingerprints.py`.
 */

import { canonical } from "../sync/canonical.js";
import { hex } from "../sync/tree.js";

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };

/** @typedef {{privateKey: CryptoKey, jwk: {crv: string, kty: string, x: string, y: string}}} Key */

/**
 * Make a key; its private half cannot be read by anybody, this code included.
 * @returns {Promise<Key>}
 */
export async function newKey() {
  const pair = await crypto.subtle.generateKey(CURVE, false, ["sign", "verify"]);
  const { crv, kty, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  return /** @type {Key} */ ({ privateKey: pair.privateKey, jwk: { crv, kty, x, y } });
}

/**
 * Return the compact JWS (RFC 7515) of a text.
 * @param {Key} key
 * @param {{kid?: string}} header
 * @param {string} payload
 * @returns {Promise<string>}
 */
export async function sign(key, header, payload) {
  const head = wrap(utf8(JSON.stringify({ alg: "ES256", ...header })));
  const signed = `${head}.${wrap(utf8(payload))}`;
  const signature = await crypto.subtle.sign(SIGNATURE, key.privateKey, utf8(signed));
  return `${signed}.${wrap(new Uint8Array(signature))}`;
}

/**
 * Return the thumbprint of the public key (RFC 7638), in hex.
 * @param {Key} key
 */
export function thumbprint(key) {
  return sha256(utf8(canonical(key.jwk)));
}

/**
 * Return the six digits that an admin compares before confirming this phone.
 * @param {{id: string, actor: string}} device
 * @param {Key} key
 * @returns {Promise<string>}
 */
export async function fingerprint({ id, actor }, key) {
  const lines = ["fieldapi fingerprint v1", id, actor, await thumbprint(key), ""];
  const digest = await sha256(utf8(lines.join("\n")));
  return String(BigInt(`0x${digest.slice(0, 16)}`) % 1_000_000n).padStart(6, "0");
}

/**
 * Return the SHA-256 of bytes, in hex.
 * @param {BufferSource} bytes
 * @returns {Promise<string>}
 */
export async function sha256(bytes) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** @param {string} text */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

/**
 * Return bytes as base64.
 * @param {Uint8Array} bytes
 */
export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

/** @param {Uint8Array} bytes */
function wrap(bytes) {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
