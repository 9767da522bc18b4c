// @ts-check
/** Of the door: who is enrolled on this phone, who writes, and the lock before a name. */

import { nameOf } from "../database.js";
import { Fault } from "../faults.js";
import * as identity from "../identity.js";
import * as lock from "../lock.js";
import { tell } from "../signals.js";
import { waitingOf } from "../views.js";

/** Return the device that is signed in. Raises `no-device`. */
export async function signedIn() {
  const { signedIn: device } = await identity.identities();
  if (device === null) throw new Fault("no-device");
  return device;
}

/** Return the name of its database. */
export async function here() {
  return nameOf(await signedIn());
}

/**
 * Enrol by a one-time code and be signed in; the same call may be made again after a fault.
 * @param {{code: string, about?: {[name: string]: string}}} asked
 */
export async function enrol({ code, about = {} }) {
  const device = await identity.enrol({ code, about });
  await identity.learn(device, "en").catch((fault) => {
    if (!(fault instanceof Fault)) throw fault; // the next sending asks again
  });
  tell("me", "status", "reports", "drafts");
  return identity.meOf(device);
}

/** Return who is signed in, null if nobody is. */
export async function open() {
  const { signedIn: device } = await identity.identities();
  return device === null ? null : identity.meOf(device);
}

/** Return who is signed in, as kept. */
export async function me() {
  return identity.meOf(await signedIn());
}

/** @param {{language?: string}} [asked] */
export async function refreshMe({ language = "en" } = {}) {
  const device = await signedIn();
  await identity.learn(device, language);
  tell("me");
  return identity.meOf(device);
}

/** Return everybody who was enrolled on this phone, with what waits. */
export async function identities() {
  const { known, signedIn: device } = await identity.identities();
  const counted = known.map(async (one) => ({
    ...one,
    isSignedIn: one.device === device,
    ...(await waitingOf(one.device)),
  }));
  return Promise.all(counted);
}

/** Hide the identity; nothing of it is erased, and what waits goes on being sent. */
export async function signOut() {
  await identity.signIn(null);
  tell("me", "status", "reports", "drafts");
}

/** @param {string} device whose person may have asked for the phone's lock: raises `locked` */
export async function signIn(device) {
  const { known } = await identity.identities();
  const wanted = known.find((one) => one.device === device);
  if (wanted === undefined) throw new Fault("no-device");
  await lock.unlock(wanted.person.id);
  await identity.signIn(device);
  tell("me", "status", "reports", "drafts");
  return identity.meOf(device);
}

/** @param {string} person of those who share this phone; named in all that is written from now on */
export async function actAs(person) {
  await lock.unlock(person);
  const device = await signedIn();
  await identity.actAs(device, person);
  tell("me", "status", "reports", "drafts");
  return identity.meOf(device);
}

/** Return whether the phone has a lock to ask, and whether whoever writes asked for it. */
export async function lockState() {
  const { person } = await me();
  return { canLock: await lock.canLock(), isLocked: await lock.isLocked(person.id) };
}

/** @param {boolean} isWanted */
export async function setLock(isWanted) {
  const { person } = await me();
  await lock.setLock(person, isWanted);
  tell("me");
}
