// @ts-check
/** Starts the app: language, the phone's own data, the strip, the first screen, the worker. */

import * as phone from "./device/phone.js";
import * as home from "./ui/home.js";
import * as install from "./ui/install.js";
import { begin } from "./ui/router.js";
import * as strip from "./ui/strip.js";
import * as update from "./ui/update.js";
import { choose, hasChosen, LANGUAGES, speakAsChosen } from "./ui/words.js";

/** @typedef {import("./ui/router.js").Screen} Screen */

/** Screens but the first are read when they are wanted; all are on the phone already. */
const load = {
  add: async () => (await import("./ui/shoot.js")).add,
  aid: () => import("./ui/aid.js"),
  alarm: () => import("./ui/alarm.js"),
  bring: () => import("./ui/bring.js"),
  case: () => import("./ui/case.js"),
  counter: () => import("./ui/counter.js"),
  marks: () => import("./ui/marks.js"),
  nearby: () => import("./ui/nearby.js"),
  newAid: async () => (await import("./ui/aid.js")).begin,
  newArrival: async () => (await import("./ui/receive.js")).begin,
  pound: () => import("./ui/pound.js"),
  receive: () => import("./ui/receive.js"),
  who: () => import("./ui/who.js"),
  withdraw: async () => (await import("./ui/correct.js")).withdraw,
  correct: () => import("./ui/correct.js"),
  count: () => import("./ui/count.js"),
  enrol: () => import("./ui/enrol.js"),
  find: async () => (await import("./ui/report.js")).find,
  help: () => import("./ui/help.js"),
  language: () => import("./ui/language.js"),
  place: async () => (await import("./ui/help.js")).where,
  ready: () => import("./ui/ready.js"),
  receipt: () => import("./ui/receipt.js"),
  report: () => import("./ui/report.js"),
  reports: () => import("./ui/reports.js"),
  sending: () => import("./ui/sending.js"),
  shoot: () => import("./ui/shoot.js"),
};

/** @type {[RegExp, () => Promise<Screen>][]} */
const ROUTES = [
  [/^\/$/, async () => home],
  [/^\/photo(?:\/([^/]+))?(?:\/(again))?$/, load.shoot],
  [/^\/count\/([^/]+)$/, load.count],
  [/^\/receipt\/([^/]+)$/, load.receipt],
  [/^\/reports$/, load.reports],
  [/^\/report\/([^/]+)$/, load.report],
  [/^\/correct\/([^/]+)$/, load.correct],
  [/^\/withdraw\/([^/]+)$/, load.withdraw],
  [/^\/add\/([^/]+)$/, load.add],
  [/^\/find\/([^/]+)(?:\/([^/]+))?$/, load.find],
  [/^\/aid(?:\/for\/([^/]+)\/([^/]+))?$/, load.newAid],
  [/^\/aid\/([^/]+)$/, load.aid],
  [/^\/office$/, load.nearby],
  [/^\/pound$/, load.pound],
  [/^\/receive(?:\/for\/([^/]+)\/([^/]+))?$/, load.newArrival],
  [/^\/receive\/([^/]+)$/, load.receive],
  [/^\/case\/([^/]+)$/, load.case],
  [/^\/counter\/([^/]+)$/, load.counter],
  [/^\/marks\/([^/]+)$/, load.marks],
  [/^\/alarm$/, load.alarm],
  [/^\/bring$/, load.bring],
  [/^\/who$/, load.who],
  [/^\/sending$/, load.sending],
  [/^\/ready(?:\/(new))?$/, load.ready],
  [/^\/place$/, load.place],
  [/^\/help$/, load.help],
  [/^\/language$/, load.language],
  [/^\/enrol(?:\/([^/]+))?$/, load.enrol],
];
const FOR_ANYBODY = /^\/(enrol|help|language|place)/;

document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "light";
await start();

async function start() {
  const [me] = await Promise.all([phone.open().catch(() => null), speakAsChosen()]);
  const own = me?.person.language ?? "";
  if (!hasChosen() && Object.hasOwn(LANGUAGES, own)) await choose(own);
  install.begin();
  strip.begin();
  const mark = me && (await phone.takeCaptureMark());
  if (mark && (await phone.draft(mark.draft))) history.replaceState(null, "", `#/photo/${mark.draft}/again`);
  await begin(ROUTES, allowed);
  phone.start();
  await update.begin();
  // What is not read yet is read now, while there is time: a new version could take it away.
  setTimeout(() => void Promise.all(Object.values(load).map((one) => one())), 1500);
}

/** Return where a path leads on this phone: to its set-up as long as it is nobody's. @param {string} path */
async function allowed(path) {
  if (FOR_ANYBODY.test(path)) return path;
  return (await phone.open().catch(() => null)) === null ? "/enrol" : path;
}
