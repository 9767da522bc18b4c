// @ts-check
/**
 * Whose turn it is on a phone that goes from hand to hand. The name chosen here stands inside what is
 * signed from now on. Who wants to, puts the phone's own lock before the name.
 */

import * as phone from "../device/phone.js";
import { h } from "./dom.js";
import { said } from "./failures.js";
import { button, link, note, say, top } from "./parts.js";
import { draw, go } from "./router.js";
import { _, ngettext } from "./words.js";

/** @type {import("./router.js").Screen["show"]} */
export async function show(stage) {
  const [me, others, lock] = await Promise.all([phone.me(), phone.identities(), phone.lockState()]);
  const sharing = me.people.filter((/** @type {any} */ one) => one.id !== me.person.id);
  const enrolled = others.filter((one) => !one.isSignedIn);
  const refused = h("div", { id: "refused" });
  draw(
    stage,
    top(_("Who reports?"), "/ready"),
    note("good", h("p", {}, h("strong", { id: "writer" }, me.person.name)), h("p", {}, _("This name stands in every report made now."))),
    refused,
    h("div.stack", {}, ...sharing.map((/** @type {any} */ one) => person(one.name, "", () => phone.actAs(one.id), refused)), ...enrolled.map((one) => person(one.person.name, waits(one), () => phone.signIn(one.device), refused)), sharing.length + enrolled.length ? null : h("p", {}, _("Nobody else reports with this phone."))),
    lockPart(lock),
    h("div.stack", {}, link("", "plus", _("Set up for another person"), "/enrol")),
  );
}

/** @param {any} one */
function waits(one) {
  return one.waiting ? ngettext("{number} waiting", "{number} waiting", one.waiting) : "";
}

/**
 * @param {string} name
 * @param {string} more
 * @param {() => Promise<unknown>} change
 * @param {HTMLElement} refused where it is said that the name was not taken
 */
function person(name, more, change, refused) {
  const take = async () => {
    refused.replaceChildren();
    try {
      await change();
      go("/");
    } catch (error) {
      refused.replaceChildren(h("p.fault", { role: "alert" }, said(error)));
    }
  };
  return button(".button--wide", "person", [name, more].filter(Boolean).join(" · "), take, { "data-person": name });
}

/** @param {{canLock: boolean, isLocked: boolean}} lock */
function lockPart({ canLock, isLocked }) {
  if (!canLock) return h("p.soft", {}, _("Reports of others are hidden from you, and yours from them. This phone has no lock of its own that could be asked."));
  const change = async () => {
    try {
      await phone.setLock(!isLocked);
      go("/who");
    } catch (error) {
      say(said(error));
    }
  };
  const word = isLocked ? _("Ask for the phone's lock no longer") : _("Ask for the phone's lock before my name");
  return h("div.stack", {}, h("p.soft", {}, _("Finger, face or pattern, before somebody else takes your name.")), button("", "check", word, change, { id: "lock", "aria-pressed": String(isLocked) }));
}
