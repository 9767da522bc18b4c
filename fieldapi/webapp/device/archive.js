// @ts-check
/**
 * Everything a phone holds as one signed zip, for the day it cannot send any more; and handing it
 * in for an identity whose token is dead. The token stays behind: whoever carries the file carries
 * evidence, no key. The form is said in docs/protocol/export.md.
 */

import { canonical } from "../sync/canonical.js";
import { nameOf, read, write } from "./database.js";
import { Fault } from "./faults.js";
import { facts } from "./identity.js";
import { sha256, sign, utf8 } from "./keys.js";
import { answer, signAll } from "./outbox.js";
import { resultOf } from "./answer.js";
import { store } from "./photos.js";
import { send } from "./transport.js";
import { Zip } from "./zip.js";

/** @typedef {import("./records.js").OpRow} OpRow */

const FORMAT = "fieldapi outbox 1";

/**
 * Return the zip of an identity's ops and photos.
 * @param {string} device
 * @returns {Promise<{blob: Blob, name: string, ops: number, photos: number, sent: OpRow[]}>}
 */
export async function exportOutbox(device) {
  const name = nameOf(device);
  await signAll(name);
  const held = await read(name, ["facts", "op", "photo"], async (stores) => ({
    ...(await facts(stores, "device", "person", "authority", "key", "schema")),
    ops: /** @type {OpRow[]} */ (await stores.all("op")),
    photos: /** @type {import("./photos.js").Photo[]} */ (await stores.all("photo")),
  }));
  const ops = held.ops.filter((row) => typeof row.jws === "string");
  const zip = new Zip();
  /** @type {string[]} */
  const lines = [];
  const add = async (/** @type {string} */ path, /** @type {Uint8Array} */ bytes) => {
    zip.add(path, bytes);
    lines.push(`${await sha256(bytes)}  ${path}\n`);
  };
  await add("ops.jsonl", utf8(ops.map((row) => `{"jws":"${row.jws}"}\n`).join("")));
  await add("phone.json", utf8(canonical(about(held))));
  const kept = held.photos.filter((photo) => photo.report);
  for (const sha of [...new Set(kept.map((photo) => photo.sha256))].sort()) {
    const bytes = await read(name, ["bytes"], (stores) => stores.get("bytes", sha));
    if (bytes) await add(`photos/${sha}`, new Uint8Array(bytes));
  }
  const manifest = lines.sort().join("");
  zip.add("MANIFEST.sha256", utf8(manifest));
  zip.add("MANIFEST.jws", utf8(await sign(held.key, { kid: device }, manifest)));
  return { blob: zip.finish(), name: fileName(held), ops: ops.length, photos: lines.length - 2, sent: ops };
}

/** @param {any} held */
function about({ device, person, authority, schema, ops, photos }) {
  const outcomes = ops.map((/** @type {OpRow} */ row) => [row.id, { status: row.status, seq: row.seq ?? null }]);
  const announced = photos.filter((/** @type {any} */ one) => one.report);
  return {
    format: FORMAT,
    schema: schema?.schema ?? 1,
    authority: plain(authority),
    device: { id: device.id, number: device.number, actor: device.actor },
    person: plain(person),
    outcomes: Object.fromEntries(outcomes),
    photos: Object.fromEntries(announced.map((/** @type {any} */ one) => [one.id, one.sha256])),
  };
}

/** @param {any} value */
function plain(value) {
  return JSON.parse(JSON.stringify(value ?? null));
}

/** @param {any} held */
function fileName({ device, authority }) {
  const number = String(device.number).padStart(2, "0");
  const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
  return `${authority.code}-${number}-${day}.zip`;
}

/**
 * Hand in what one identity holds under the token of another; what the server says is written down.
 * @param {string} device
 * @param {string} carrier
 * @returns {Promise<{ops: {[status: string]: number}, photos: {[state: string]: number}}>}
 */
export async function handIn(device, carrier) {
  const { blob, sent } = await exportOutbox(device);
  const { token } = await read(nameOf(carrier), ["facts"], (stores) => facts(stores, "token"));
  const headers = { "Content-Type": "application/zip" };
  const { json } = await send({ method: "POST", path: "/api/v1/imports", token, body: blob, size: blob.size, headers });
  if (!Array.isArray(json?.results) || json.results.length !== sent.length || !Array.isArray(json.photos)) {
    throw new Fault("not-ours", "this is no answer to an import");
  }
  return note(nameOf(device), json, sent);
}

/**
 * Hand in the copy that another phone saved, under one's own token; returns what the server made of
 * its ops and photos. Sent again it changes nothing.
 * @param {Blob} file
 * @param {string} carrier
 * @returns {Promise<{ops: {[status: string]: number}, photos: {[state: string]: number}}>}
 */
export async function carryIn(file, carrier) {
  const { token } = await read(nameOf(carrier), ["facts"], (stores) => facts(stores, "token"));
  const headers = { "Content-Type": "application/zip" };
  const { json } = await send({ method: "POST", path: "/api/v1/imports", token, body: file, size: file.size, headers });
  if (!Array.isArray(json?.results) || !Array.isArray(json.photos)) {
    throw new Fault("not-ours", "this is no answer to an import");
  }
  return {
    ops: tally(json.results.map((/** @type {any} */ one) => one.status)),
    photos: tally(json.photos.map((/** @type {any} */ one) => one.state)),
  };
}

/**
 * @param {string} name
 * @param {any} told
 * @param {OpRow[]} sent
 */
async function note(name, told, sent) {
  const results = sent.map((row, i) => resultOf(told.results[i], i, row.id));
  const nowMs = Date.parse(told.server_now) || Date.now();
  await write(name, ["op", "photo"], async (stores) => {
    for (const { op, outcome } of results) if (outcome) await answer(stores, op, outcome, nowMs);
  });
  for (const { sha256: sha, state } of told.photos) {
    if (state !== "stored") continue;
    const same = await read(name, ["photo"], (stores) => stores.all("photo", "sha256", sha));
    for (const photo of same) await store(name, photo, { sha256: sha, at: told.server_now, nowMs });
  }
  return {
    ops: tally(results.map((one) => one.outcome?.status ?? "retry")),
    photos: tally(told.photos.map((/** @type {any} */ one) => one.state)),
  };
}

/** @param {string[]} words */
function tally(words) {
  /** @type {{[word: string]: number}} */
  const counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
