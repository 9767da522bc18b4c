// @ts-check
/**
 * Which screen is shown: the part of the address behind `#`. A screen is a module that exports
 * `show(stage, arguments)` and returns what is to be done when it is left.
 */

import { byId, fill } from "./dom.js";
import * as lost from "./lost.js";

/**
 * What a screen draws on. `isHere`: false once another screen took its place, so that an answer
 * that comes late draws nothing.
 * @typedef {{main: HTMLElement, isHere: () => boolean}} Stage
 * @typedef {void | (() => void)} Leave
 * @typedef {{show: (stage: Stage, ...parts: string[]) => Promise<Leave> | Leave}} Screen
 */

/** @type {[RegExp, () => Promise<Screen>][]} */
let routes = [];
/** @type {(path: string) => Promise<string>} */
let guard = async (path) => path;
/** @type {Leave} */
let leave;
let turn = 0;

/**
 * Follow the address from now on.
 * @param {[RegExp, () => Promise<Screen>][]} table
 * @param {(path: string) => Promise<string>} allowed where a path leads, e.g. to the enrolment
 */
export async function begin(table, allowed) {
  routes = table;
  guard = allowed;
  window.addEventListener("hashchange", () => void follow());
  await follow();
}

/**
 * Go to a screen; to the same one means: draw it again.
 * @param {string} path e.g. `/reports`
 */
export function go(path) {
  if (location.hash === `#${path}`) void follow();
  else location.hash = path;
}

/**
 * Go to a screen in the place of this one, so that "back" does not lead here.
 * @param {string} path
 */
export function replace(path) {
  history.replaceState(null, "", `#${path}`);
  void follow();
}

/** Return the path of the screen that is shown. */
export function here() {
  return location.hash.slice(1) || "/";
}

/** Draw the screen of the address. */
export async function follow() {
  turn += 1;
  const mine = turn;
  const path = await guard(here());
  if (mine !== turn) return;
  if (path !== here()) history.replaceState(null, "", `#${path}`);
  const [pattern, load] = routes.find(([one]) => one.test(path)) ?? routes[0];
  const parts = (pattern.exec(path) ?? []).slice(1).map((part = "") => decodeURIComponent(part));
  const stage = { main: byId("main"), isHere: () => mine === turn };
  try {
    const screen = await load();
    if (mine !== turn) return;
    leave?.();
    leave = undefined;
    const left = await screen.show(stage, ...parts);
    if (mine !== turn) left?.();
    else leave = left;
  } catch (error) {
    // A row that cannot be read any more must not shut the door to all others.
    lost.show(stage, error);
  }
}

/**
 * Put a screen on the stage, and the focus on its heading, so that it is read from the start.
 * @param {Stage} stage
 * @param {...(Node | string | null | false)} children
 */
export function draw(stage, ...children) {
  if (!stage.isHere()) return;
  fill(stage.main, ...children);
  stage.main.dataset.at = here(); // the address may be ahead of what stands here
  const heading = stage.main.querySelector("h1");
  if (heading) document.title = `${heading.textContent}`;
  window.scrollTo(0, 0);
  stage.main.focus({ preventScroll: true });
}
