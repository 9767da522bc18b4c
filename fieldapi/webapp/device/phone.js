// @ts-check
/**
 * The phone as its screens see it: one door to capture, outbox and line, its parts by noun in
 * `door/`. Capture needs no line and no token; whatever is saved is on disk before the promise
 * resolves. Screens import this module only.
 */

export { Fault } from "./faults.js";
export { onChange } from "./signals.js";
export { sendAll, start } from "./sending.js";
export { isReference } from "./references.js";
export { actAs, enrol, identities, lockState, me, open, refreshMe, setLock, signIn, signOut } from "./door/identity.js";
export * from "./door/drafts.js";
export * from "./door/reports.js";
export * from "./door/exchange.js";
