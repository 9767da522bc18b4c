// @ts-check
/**
 * One case at the pound. From the phone itself: what came, marks and tags. From the server, while
 * there is a line: clocks, what is due today, papers; and the counter, where cattle are released.
 */

import * as phone from "../device/phone.js";
import { h, picture } from "./dom.js";
import { said } from "./failures.js";
import { painter } from "./painting.js";
import { button, facts, link, note, say, top } from "./parts.js";
import { draw } from "./router.js";
import { herd } from "./statute.js";
import { _, language, money, moment, sentence } from "./words.js";

/** @type {{[code: string]: string}} */
const LINES = {
  fine: sentence("Fine"),
  pound_fee: sentence("Pound fee"),
  feeding: sentence("Feeding and watering"),
  paid_on_account: sentence("Paid on account before"),
  security: sentence("Security"),
};
/** @type {{[kind: string]: string}} */
const PAPERS = {
  money_receipt: sentence("Receipt"),
  deposit_receipt: sentence("Receipt of a deposit"),
  register_entry: sentence("Pound register entry"),
  register_copy: sentence("Attested copy of the register entry"),
};

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, id) {
  const me = await phone.me();
  const online = h("div", { "aria-live": "polite" }, h("p.soft", {}, _("Asking the server …")));
  const paint = painter(
    () => phone.cases(id),
    ([row]) => draw(stage, ...(row ? screen(me, row, online) : [top(_("Case"), "/pound"), note("look", h("p", {}, _("This report is not on this phone."))), online])),
  );
  const stop = phone.onChange((what) => {
    if (what.has("records")) void paint();
  });
  await paint();
  void ask(me, id, online);
  return stop;
}

/**
 * @param {any} me
 * @param {import("../device/cases.js").CaseRow} row
 * @param {HTMLElement} online
 */
function screen(me, row, online) {
  const { shown } = row;
  const intakes = row.intakes.map((one) => [_("Counted at the pound"), `${herd(me, one.shown.counts ?? [])} · ${moment(Date.parse(one.shown.received_at))}`]);
  return [
    top(_("Case"), "/pound"),
    h("p.code.reference", {}, row.reference ?? ""),
    h("div.card", {}, facts([[_("The seizer counted"), herd(me, row.animals)], .../** @type {[string, string][]} */ (intakes), [_("Seized"), moment(Date.parse(shown.seized_at))], [_("Place"), shown.place_text ?? ""], [_("Owner"), shown["owner.name"] ?? _("Not known")]])),
    h("div.stack", {}, row.intakes.length ? null : link(".button--main", "fence", _("Receive cattle"), `/receive/for/${row.reference ?? "-"}/${row.id}`), link("", "pencil", _("Marks and ear tags"), `/marks/${row.id}`)),
    online,
  ];
}

/**
 * @param {any} me
 * @param {string} id
 * @param {HTMLElement} place
 */
async function ask(me, id, place) {
  try {
    place.replaceChildren(...answer(me, await phone.get(`/api/v1/cases/${id}`, language())));
  } catch (error) {
    const anew = () => ask(me, id, place);
    const again = button("", "undo", _("Ask again"), anew, { id: "ask-again" });
    place.replaceChildren(note("look", h("p", {}, caseFault(error)), h("p", {}, _("Clocks, dues and release need the network."))), h("div.stack", {}, sendFirst(error, anew), again));
  }
}

/**
 * @param {any} me
 * @param {any} told
 */
function answer(me, told) {
  const held = herd(me, kinds(told.custody.filter((/** @type {any} */ one) => one.left_at === null && one.impounded_at !== null)));
  const papers = told.history.flatMap((/** @type {any} */ one) => one.documents);
  const clocks = told.clocks.filter((/** @type {any} */ one) => one.state !== "met" && one.state !== "over");
  return [
    told.state === "closed" ? note("good", h("p", {}, _("This case is closed."))) : h("p.big", { id: "held" }, held ? _("In the pound now: {herd}", { herd: held }) : _("None of them is in the pound now.")),
    ...told.dues.map((/** @type {any} */ one) => quote(one)),
    told.state === "open" && held ? h("div.stack", {}, link(".button--main", "person", _("Payment and release"), `/counter/${told.id}`)) : null,
    told.state === "open" ? atTheDesk(told.id) : null,
    clocks.length ? h("h2", {}, _("Time limits")) : null,
    h("ul.plain", {}, clocks.map(clock)),
    papers.length ? h("h2", {}, _("Papers")) : null,
    h("div.stack", {}, papers.map(paper)),
  ].filter((one) => one !== null);
}

/** Say why the server tells nothing of a case. @param {any} error */
export function caseFault(error) {
  return error?.slug === "not-found" ? _("The server does not know this case yet: send first.") : said(error);
}

/**
 * Return the button that sends first, where that is what is missing, and then asks again.
 * @param {any} error
 * @param {() => unknown} again
 */
export function sendFirst(error, again) {
  const send = async () => {
    const { fault } = await phone.sendNow();
    if (fault) return say(said({ code: fault }));
    return again();
  };
  return error?.slug === "not-found" ? button("", "send", _("Send now"), send, { id: "send-first" }) : null;
}

/** Return the way to what is only done at the desk. @param {string} id of the seizure */
export function atTheDesk(id) {
  const way = h("a.button", { href: `/console/cases/${id}/acts`, target: "_blank", rel: "noopener" }, picture("list"), h("span", {}, _("Open the desk of the office")));
  return h("details", {}, h("summary", {}, picture("list"), _("Deposit, security, sale and other acts")), h("p", {}, _("These are done at the desk of the office, in the browser: it needs the network and your own sign-in there. Ask the office for one if you have none.")), h("div.stack", {}, way));
}

/** @param {any[]} heads @returns {{kind: string, count: number}[]} */
function kinds(heads) {
  return Object.entries(Object.groupBy(heads, (one) => one.kind)).map(([kind, found]) => ({ kind, count: (found ?? []).length }));
}

/** @param {any} one */
function clock(one) {
  const until = moment(Date.parse(one.last_moment));
  const section = one.section ? h("p.soft", {}, _("Section {section}", { section: one.section })) : null;
  return h("li.card", {}, h("p", {}, h("strong", {}, _("Until {when}", { when: until }))), h("p", {}, _(one.then)), section);
}

/**
 * Return what is due, line by line, with how it was counted.
 * @param {any} due
 */
export function quote(due) {
  const rows = due.lines.map((/** @type {any} */ one) => h("tr", {}, h("th", { scope: "row" }, LINES[one.line] ? _(LINES[one.line]) : one.line.replaceAll("_", " "), h("br"), h("span.soft", {}, one.how.replaceAll("*", " × "))), h("td", {}, money(one.paise))));
  const total = due.total === null ? _("Not known") : money(due.total);
  const missing = due.missing?.length ? note("look", h("p", {}, _("No scale is loaded for a part of it: ask the office."))) : null;
  return h("section.card", {}, h("h2", {}, _("Due today")), h("table", {}, h("tbody", {}, rows, h("tr", {}, h("th", { scope: "row" }, _("Total")), h("td", {}, h("strong", { id: "total" }, total))))), missing);
}

/** Return the button that fetches an official paper. @param {any} document */
export function paper(document) {
  const name = PAPERS[document.kind] ? _(PAPERS[document.kind]) : document.kind.replaceAll("_", " ");
  return button(".button--wide", "save", [name, document.serial].filter(Boolean).join(" "), () => fetchPaper(document), { "data-paper": document.kind });
}

/** @param {any} document */
async function fetchPaper({ id, serial, kind }) {
  try {
    const { blob, ending } = await phone.paper(id);
    const url = URL.createObjectURL(blob);
    h("a", { href: url, download: `${String(serial ?? kind).replaceAll("/", "-")}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    say(said(error));
  }
}
