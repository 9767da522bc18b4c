// @ts-check
/**
 * What it means that the server's register does not continue what this phone saw: in plain words,
 * what it proves and what not, and what to do. It stops nobody from working.
 */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { facts, link, note, top } from "./parts.js";
import { draw } from "./router.js";
import { _, moment, number } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const { alarms } = await phone.status();
  draw(
    stage,
    top(_("The register of the server"), "/sending"),
    alarms.length ? note("bad", h("p", {}, h("strong", {}, _("The server's register does not continue what this phone saw. Tell the office.")))) : note("good", h("p", {}, _("The register of the server continues what this phone saw."))),
    h("h2", {}, _("What is this?")),
    h("p", {}, _("Every report gets a line in one register that can only grow. Each phone keeps a seal of the register as it last saw it. The next seal has to contain the earlier one.")),
    h("h2", {}, _("What it may mean")),
    h("p", {}, _("Lines may have been changed or taken out after this phone saw them. It can also be a mistake of the server. It proves nothing against anybody.")),
    h("h2", {}, _("What to do")),
    h("p", {}, _("Go on working: your reports are kept and sent. Show this page to the office, and save a copy of everything.")),
    ...alarms.map((/** @type {any} */ one) => h("section.card", {}, facts([[_("Noticed"), moment(one.atMs)], [_("This phone saw"), seal(one.seen)], [_("The server says"), seal(one.told)]]))),
    h("div.stack", {}, link("", "save", _("Save a copy of everything"), "/sending")),
  );
}

/** @param {{size: number, root: string}} head */
function seal({ size, root }) {
  const lines = _("{number} lines", { number: number(size) });
  return `${lines} · ${root.slice(0, 16) || "-"}`;
}
