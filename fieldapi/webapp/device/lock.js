// @ts-check
/**
 * The phone's own lock before somebody's name: on a phone that goes from hand to hand, a person may
 * ask that their name is only taken after finger, face or pattern. It keeps honest people apart; it
 * hides nothing from whoever has the phone and its storage. Called by `phone.js`.
 */

import { REGISTRY, read, write } from "./database.js";
import { Fault } from "./faults.js";

const WAIT_MS = 60_000;

/** Say whether this phone can be asked. */
export async function canLock() {
  const door = globalThis.PublicKeyCredential;
  return Boolean(await door?.isUserVerifyingPlatformAuthenticatorAvailable?.().catch(() => false));
}

/** @param {string} person */
function keyOf(person) {
  return `lock ${person}`;
}

/**
 * Say whether a person asked for the lock.
 * @param {string} person
 */
export async function isLocked(person) {
  return Boolean(await read(REGISTRY, ["facts"], (stores) => stores.get("facts", keyOf(person))));
}

/**
 * Ask for the lock before this name from now on, or no longer. Raises `locked` if the person does
 * not open it now.
 * @param {{id: string, name: string}} person
 * @param {boolean} isWanted
 */
export async function setLock(person, isWanted) {
  if (!isWanted) await unlock(person.id);
  const kept = isWanted ? await newLock(person) : null;
  await write(REGISTRY, ["facts"], (stores) => stores.put("facts", kept, keyOf(person.id)));
}

/** @param {{id: string, name: string}} person */
async function newLock({ id, name }) {
  const made = await opened(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: location.hostname },
        user: { id: new TextEncoder().encode(id), name, displayName: name },
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        pubKeyCredParams: [{ type: "public-key", alg: -7 }, { type: "public-key", alg: -257 }],
        authenticatorSelection: { authenticatorAttachment: "platform", userVerification: "required" },
        timeout: WAIT_MS,
      },
    }),
  );
  return /** @type {any} */ (made).rawId;
}

/**
 * Have the lock opened, if this person asked for it. Raises `locked`.
 * @param {string} person
 */
export async function unlock(person) {
  const id = await read(REGISTRY, ["facts"], (stores) => stores.get("facts", keyOf(person)));
  if (!id) return;
  await opened(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: crypto.getRandomValues(new Uint8Array(32)),
        allowCredentials: [{ type: "public-key", id, transports: ["internal"] }],
        userVerification: "required",
        timeout: WAIT_MS,
      },
    }),
  );
}

/**
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<NonNullable<T>>}
 */
async function opened(ask) {
  const told = await ask().catch(() => null);
  if (!told) throw new Fault("locked");
  return told;
}
