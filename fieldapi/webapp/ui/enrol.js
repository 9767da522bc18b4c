// @ts-check
/** How a phone becomes somebody's: the code of a card becomes a key that never leaves the phone. */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import * as language from "./language.js";
import { button, link, note, say } from "./parts.js";
import { draw, replace } from "./router.js";
import { _ } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage, code = "") {
  const here = await phone.identities();
  const form = new Form(code);
  draw(
    stage,
    h("header.top", {}, h("h1", {}, _("Set up this phone")), language.opener()),
    h("p", {}, code ? _("The code of your card:") : _("Type the code from the card. The square on the card opens it by itself.")),
    form.element,
    h(
      "div.stack",
      {},
      ...here.filter((one) => !one.isSignedIn).map((one) => button(".button--wide", "person", _("Go on as {name}", { name: one.person.name }), () => signIn(one.device))),
      here.some((one) => one.isSignedIn) ? link(".button--quiet", "home", _("Home"), "/") : null,
      link(".button--quiet", "help", _("Help"), "/help"),
    ),
  );
  // A phone that is nobody's yet has nothing to ask: the card was opened to be used.
  if (code && here.length === 0) void form.send();
}

class Form {
  /** @param {string} code */
  constructor(code) {
    this.input = /** @type {HTMLInputElement} */ (h("input.code", { id: "code", value: code, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", inputmode: "text", maxlength: 20 }));
    this.fault = h("div");
    this.button = button(".button--main", "check", _("Set up"), () => this.send(), { id: "enrol" });
    this.element = h("form", { onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), void this.send()) }, h("label", { for: "code" }, _("Code")), this.input, this.fault, h("div.stack", {}, this.button));
    this.isSending = false;
  }

  async send() {
    if (this.isSending) return;
    this.isSending = true;
    this.fault.replaceChildren(note("look", h("p", { role: "status" }, _("One moment …"))));
    try {
      await phone.enrol({ code: this.input.value, about: await about() });
      replace("/ready/new");
    } catch (error) {
      this.fault.replaceChildren(h("p.fault", { role: "alert" }, sentenceOf(error)));
    }
    this.isSending = false;
  }
}

/** @param {any} error */
function sentenceOf(error) {
  const needsLine = ["link-down", "busy"].includes(error?.code);
  return needsLine ? _("Setting up needs the network once. Try again where there is one.") : said(error);
}

/** @param {string} device */
async function signIn(device) {
  try {
    await phone.signIn(device);
    replace("/");
  } catch (error) {
    say(said(error));
  }
}

/** Return what this phone is, as far as it says so. */
async function about() {
  const agent = /** @type {any} */ (navigator).userAgentData;
  const told = await agent?.getHighEntropyValues?.(["model", "platformVersion"]).catch(() => null);
  const os = [agent?.platform ?? navigator.platform, told?.platformVersion].filter(Boolean).join(" ");
  const build = new URL(import.meta.url).pathname.split("/")[3];
  const said = { model: told?.model, os, app_version: build };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value));
}
