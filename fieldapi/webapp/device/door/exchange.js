// @ts-check
/** Of the door: sending, what the phone can hold, copies, and what only the server can do. */

import { WAITING } from "../../sync/ground.js";
import { newId } from "../../sync/ids.js";
import { nameOf, read } from "../database.js";
import { facts } from "../identity.js";
import { sendAll } from "../sending.js";
import { tell } from "../signals.js";
import { estimate, isPersisted, persist } from "../storage.js";
import * as thrift from "../thrift.js";
import * as views from "../views.js";
import { here, signedIn } from "./identity.js";

/** Send now: a person asked. */
export function sendNow() {
  return sendAll({ isAsked: true });
}

/** Return what waits and what needs the person. */
export async function status() {
  const device = await signedIn();
  return views.status(nameOf(device), device);
}

/** Return how many bytes are still to be sent, and whether originals wait for Wi-Fi. */
export async function toSend() {
  const name = await here();
  const [ops, photos] = await read(name, ["op", "photo"], (stores) => Promise.all([stores.all("op", "status", WAITING), stores.all("photo")]));
  const open = photos.filter((one) => ["saved", "waiting"].includes(one.state));
  const texts = ops.reduce((sum, one) => sum + (one.jws ?? one.text ?? "").length, 0);
  const bytes = open.reduce((sum, one) => sum + Math.max(one.size - one.offset, 0), texts);
  return { bytes, canTell: thrift.canTell(), isThrifty: await thrift.isWanted(), mustWait: open.length > 0 && (await thrift.mustWait()) };
}

/** @param {boolean} is whether originals wait for Wi-Fi from now on */
export async function setThrifty(is) {
  await thrift.want(is);
  tell("status");
}

/** Return what this phone has for working offline. */
export async function readiness() {
  const known = await read(await here(), ["facts"], (stores) => facts(stores, "schema", "me"));
  const told = Date.parse(known.me?.told?.server_now ?? "");
  const clockOffMs = Number.isNaN(told) ? null : known.me.at - told;
  const hasMe = Boolean(known.me);
  return { hasSchema: Boolean(known.schema), hasMe, isPersisted: await isPersisted(), freeBytes: (await estimate()).free, clockOffMs };
}

export function keepStorage() {
  return persist();
}

export async function storage() {
  return { ...(await estimate()), isPersisted: await isPersisted() };
}

/** @param {{device?: string}} [of] */
export async function exportOutbox({ device } = {}) {
  const { exportOutbox: make } = await import("../archive.js");
  const { blob, name, ops, photos } = await make(device ?? (await signedIn()));
  return { blob, name, ops, photos };
}

/** @param {string} device whose token is dead; what it holds goes in under the one signed in */
export async function handIn(device) {
  const { handIn: carry } = await import("../archive.js");
  const told = await carry(device, await signedIn());
  tell("status", "reports", "photos");
  return told;
}

/** @param {Blob} file the copy that another phone saved; it goes in under the one signed in */
export async function carryIn(file) {
  const { carryIn: carry } = await import("../archive.js");
  return carry(file, await signedIn());
}

/** @param {string} path of the API; raises `link-down` without a line @param {string} language */
export async function get(path, language) {
  return (await import("../office.js")).get(await here(), path, language);
}

/** @param {string} path @param {{id: string, [name: string]: any}} body @param {string} language */
export async function ask(path, body, language) {
  return (await import("../office.js")).ask(await here(), path, body, language);
}

/** @param {string} id of an official paper */
export async function paper(id) {
  return (await import("../office.js")).paper(await here(), id);
}

/** Return a fresh id, for what is asked of the server. */
export function freshId() {
  return newId(Date.now());
}
