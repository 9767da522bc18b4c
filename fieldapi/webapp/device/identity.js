// @ts-check
/**
 * Who this phone is: the identities enrolled on it, the facts each keeps, and how one is made.
 * Signing out hides an identity and erases nothing; another person's enrolment is another database.
 */

import { kindOf } from "../sync/schema.js";
import { nextStamp, raiseByPulled, raiseLast } from "../sync/stamps.js";
import { newId } from "../sync/ids.js";
import { REGISTRY, nameOf, read, write } from "./database.js";
import { Fault } from "./faults.js";
import { fingerprint, newKey, sha256, sign, thumbprint, utf8 } from "./keys.js";
import { post, send } from "./transport.js";

/** @typedef {import("./database.js").Stores} Stores */

const LIMITS = { ops: 500, wire_bytes: 1 << 20, pull_records: 500 };

/**
 * Enrol by a one-time code; returns the device. The same call after `link-down` asks the same thing
 * again, so that an answer lost on the way can be had once more. An identity of this phone whose
 * token is dead comes back by its own key, with its id and number, if the server lets it.
 * @param {{code: string, about: {[name: string]: string}}} asked
 * @returns {Promise<string>}
 */
export async function enrol({ code, about }) {
  for (const device of await unknownToServer()) {
    try {
      return await redeem(await attemptAs(device, code, about));
    } catch (fault) {
      // It was ended, or the code is another person's: the code is still good for a new identity.
      if (!(fault instanceof Fault) || fault.code !== "refused") throw fault;
    }
  }
  return redeem(await attemptFor(code, about));
}

/** Return the devices of this phone that the server turned away when they last asked. */
async function unknownToServer() {
  const { known } = await identities();
  const asked = known.map(({ device }) => read(nameOf(device), ["facts"], (stores) => facts(stores, "device", "pause")));
  const told = await Promise.all(asked);
  return told.filter(({ pause }) => pause?.code === "not-signed-in").map(({ device }) => device.id);
}

/**
 * Return the request by which an earlier identity comes back (docs/protocol/sync.md section 2).
 * @param {string} id
 * @param {string} code
 * @param {{[name: string]: string}} about
 */
function attemptAs(id, code, about) {
  return once(`${plain(code)} ${id}`, async () => {
    const { device, key } = await read(nameOf(id), ["facts"], (stores) => facts(stores, "device", "key"));
    const proof = await sign(key, {}, JSON.stringify({ code: plain(code) }));
    const { actor, number } = device;
    const asked = { code: plain(code), device: about, public_key: key.jwk, proof, previous: { device: id, actor, number, proof } };
    return { key, body: JSON.stringify(asked) };
  });
}

/**
 * @param {{code: string, key: import("./keys.js").Key, body: string}} attempt
 * @returns {Promise<string>}
 */
async function redeem(attempt) {
  const { json: told } = await post("/api/v1/devices", attempt.body).catch(sayRefusal);
  if (typeof told?.token !== "string" || typeof told?.device?.actor !== "string" || !told.person?.id) {
    throw new Fault("not-ours", "the answer enrols nobody");
  }
  await keep(told, attempt.key);
  const { id: device, number } = told.device;
  await write(REGISTRY, ["identity", "enrolment", "facts"], async (stores) => {
    const { person, authority } = told;
    await stores.put("identity", { device, number, person: brief(person), authority: brief(authority) });
    await stores.put("facts", device, "signed in");
    await stores.delete("enrolment", attempt.code);
  });
  return device;
}

/** @param {any} one */
function brief({ id, name, code }) {
  return { id, name, code };
}

/**
 * Return the request by which a new identity is made.
 * @param {string} code
 * @param {{[name: string]: string}} about
 */
function attemptFor(code, about) {
  return once(plain(code), async () => {
    const key = await newKey();
    const proof = await sign(key, {}, JSON.stringify({ code: plain(code) }));
    return { key, body: JSON.stringify({ id: newId(Date.now()), code: plain(code), device: about, public_key: key.jwk, proof }) };
  });
}

/**
 * Return a request: made once, then sent again as it was, signature included, so that the server
 * knows a resend when it sees one.
 * @param {string} name
 * @param {() => Promise<{key: import("./keys.js").Key, body: string}>} make
 * @returns {Promise<{code: string, key: import("./keys.js").Key, body: string}>}
 */
async function once(name, make) {
  const code = await sha256(utf8(name));
  const known = await read(REGISTRY, ["enrolment"], (stores) => stores.get("enrolment", code));
  if (known) return known;
  const attempt = { code, ...(await make()) };
  await write(REGISTRY, ["enrolment"], (stores) => stores.put("enrolment", attempt));
  return attempt;
}

/**
 * Return a typed code as the server reads it: no hyphens, O as 0, I and L as 1.
 * @param {string} code
 */
function plain(code) {
  return code.toUpperCase().replace(/[-\s]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

/**
 * @param {unknown} fault
 * @returns {never}
 */
function sayRefusal(fault) {
  const isCode = fault instanceof Fault && fault.code === "refused" && fault.slug.startsWith("code-");
  throw isCode ? new Fault("code-refused", fault.detail, fault) : fault;
}

/**
 * @param {any} told the server's answer
 * @param {import("./keys.js").Key} key
 */
async function keep(told, key) {
  const facts = { device: told.device, person: told.person, authority: told.authority, token: told.token, key };
  const clock = { last: raiseLast(null, Date.parse(told.server_now), told.device.actor), n: 0 };
  await write(nameOf(told.device.id), ["facts"], async (stores) => {
    // A token that came again replaces the lost one; a clock that ticked already stays.
    const known = await stores.get("facts", "clock");
    for (const [name, value] of Object.entries({ ...facts, pause: null, clock: known ?? clock })) {
      await stores.put("facts", value, name);
    }
  });
}

/**
 * Return the identities that were enrolled here, and the device of the one signed in.
 * @returns {Promise<{known: any[], signedIn: string | null}>}
 */
export function identities() {
  return read(REGISTRY, ["identity", "facts"], async (stores) => ({
    known: await stores.all("identity"),
    signedIn: (await stores.get("facts", "signed in")) ?? null,
  }));
}

/**
 * Show another identity, or none (null).
 * @param {string | null} device
 */
export async function signIn(device) {
  await write(REGISTRY, ["facts"], (stores) => stores.put("facts", device, "signed in"));
}

/**
 * Return the facts of an identity: those named, or undefined where there are none yet.
 * @param {Stores} stores with `facts`
 * @param {string[]} names
 * @returns {Promise<any>}
 */
export async function facts(stores, ...names) {
  const values = await Promise.all(names.map((name) => stores.get("facts", name)));
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}

/**
 * Return the person named in what is written now: on a shared phone the one who was chosen, as long
 * as the office has them on it, else the one it was enrolled for.
 * @param {Stores} stores with `facts`
 * @returns {Promise<{id: string, name: string}>}
 */
export async function writerOf(stores) {
  const { person, acting, me } = await facts(stores, "person", "acting", "me");
  return (me?.told?.people ?? []).find((/** @type {any} */ one) => one.id === acting) ?? person;
}

/**
 * Let another person of a shared phone write from now on.
 * @param {string} device
 * @param {string} person
 */
export function actAs(device, person) {
  return write(nameOf(device), ["facts"], (stores) => stores.put("facts", person, "acting"));
}

/**
 * Return who an identity is, as its screens tell it. `owner`: the person it was enrolled for, whom
 * `person` differs from on a shared phone.
 * @param {string} device
 */
export async function meOf(device) {
  const known = await read(nameOf(device), ["facts"], async (stores) => ({
    ...(await facts(stores, "device", "person", "authority", "key", "me")),
    writer: await writerOf(stores),
  }));
  if (!known.device) throw new Fault("no-device");
  const told = known.me?.told ?? {};
  const owner = told.person ?? known.person;
  return {
    device: { ...known.device, ...told.device },
    fingerprint: await fingerprint(known.device, known.key),
    thumbprint: await thumbprint(known.key),
    owner,
    person: owner.id === known.writer.id ? owner : known.writer,
    authority: told.authority ?? known.authority,
    roles: told.roles ?? [],
    pounds: told.pounds ?? [],
    keeps: told.keeps ?? [],
    places: told.places ?? [],
    people: told.people ?? [],
    statute: told.statute ?? null,
    language: told.language ?? null,
    schemaVersion: told.schema ?? 1,
    learnedAt: known.me?.at ?? null,
  };
}

/**
 * Fetch what the phone needs to work offline: itself, the schema, the limits.
 * @param {string} device
 * @param {string} [language]
 */
export async function learn(device, language) {
  const name = nameOf(device);
  const { token } = await read(name, ["facts"], (stores) => facts(stores, "token"));
  const query = language ? `?language=${language}` : "";
  const paths = { me: `/api/v1/me${query}`, schema: "/api/v1/sync/schema", limits: "/api/v1/limits" };
  const [me, schema, limits] = await Promise.all(
    Object.values(paths).map(async (path) => (await send({ method: "GET", path, token })).json),
  );
  if (!me?.person || typeof schema?.kinds !== "object") throw new Fault("not-ours", "this is no schema");
  await write(name, ["facts"], async (stores) => {
    await stores.put("facts", { told: me, at: Date.now() }, "me");
    await stores.put("facts", schema, "schema");
    await stores.put("facts", limits, "limits");
  });
}

/**
 * Return what one request may carry: as told, or as published.
 * @param {any} limits the document
 */
export function syncLimits(limits) {
  return { ...LIMITS, ...limits?.sync };
}

/**
 * Take the next stamp and counter, in the transaction that saves the op.
 * @param {Stores} stores
 * @param {number} wallMs
 * @param {string} actor
 * @returns {Promise<{stamp: string, n: number}>}
 */
export async function tick(stores, wallMs, actor) {
  const { last, n } = (await stores.get("facts", "clock")) ?? { last: null, n: 0 };
  const clock = { last: nextStamp(wallMs, last, actor), n: n + 1 };
  await stores.put("facts", clock, "clock");
  return { stamp: clock.last, n: clock.n };
}

/**
 * Let the next stamp beat the server's clock and own stamps that came back in a pull.
 * @param {Stores} stores
 * @param {{serverNowMs: number, stamps: string[], actor: string}} told
 */
export async function raiseClock(stores, { serverNowMs, stamps, actor }) {
  const { last, n } = (await stores.get("facts", "clock")) ?? { last: null, n: 0 };
  const raised = raiseByPulled(raiseLast(last, serverNowMs, actor), stamps, actor);
  await stores.put("facts", { last: raised, n }, "clock");
}

/**
 * Return the next number of a name, never one twice.
 * @param {Stores} stores with `counter`
 * @param {string} name
 * @returns {Promise<number>}
 */
export async function nextNumber(stores, name) {
  const number = ((await stores.get("counter", name)) ?? 0) + 1;
  await stores.put("counter", number, name);
  return number;
}

/**
 * Return what the phone knows of a kind of record.
 * @param {Stores} stores
 * @param {string} kind
 */
export async function schemaOf(stores, kind) {
  return kindOf(await stores.get("facts", "schema"), kind);
}
