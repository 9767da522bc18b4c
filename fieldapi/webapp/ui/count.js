// @ts-check
/** Second step of a report: how many of which kind; everything else is filled in already. */

import { atDesk } from "./desk.js";
import { h, picture } from "./dom.js";
import { button, line, note, select, top } from "./parts.js";
import * as place from "./place.js";
import { draw } from "./router.js";
import { kinds, terms } from "./statute.js";
import { isSpoken, speak, voiceSwitch } from "./voice.js";
import { _, kindName } from "./words.js";

const HERDS = [5, 10, 20];
const FIRST_KINDS = 6;

/** @type {import("./router.js").Screen["show"]} */
export function show(stage, id) {
  return atDesk(stage, { id, step: "count", home: "/" }, (desk) => new Count(desk).begin());
}

class Count {
  /** @param {import("./desk.js").Desk} desk */
  constructor(desk) {
    const { capture, me } = desk;
    this.desk = desk;
    this.capture = capture;
    this.me = me;
    this.tiles = h("ul.tiles");
    this.chips = h("div.chips", { role: "group", "aria-label": _("Count more at once") });
    const counted = Object.keys(capture.values.counts);
    const codes = kinds(me).map((one) => one.code);
    this.isWhole = codes.length <= FIRST_KINDS || counted.some((one) => codes.indexOf(one) >= FIRST_KINDS);
  }

  begin() {
    const { capture, desk } = this;
    const [first] = kinds(this.me);
    draw(
      desk.stage,
      top(_("How many?"), `/photo/${capture.draft.id}`),
      desk.photos(),
      first ? voiceSwitch(first.code, () => kindName(first)) : null,
      this.tiles,
      this.isWhole ? null : button(".button--quiet", "plus", _("Other kinds"), () => this.more(), { id: "more" }),
      this.#place(),
      this.#details(),
      desk.shoot(),
      h("div.foot", {}, desk.fault, this.chips, desk.saveButton(() => this.save())),
    );
    this.paint();
    desk.follow(() => this.paint());
    return () => desk.end();
  }

  paint() {
    const shown = this.isWhole ? kinds(this.me) : kinds(this.me).slice(0, FIRST_KINDS);
    this.tiles.replaceChildren(...shown.map((kind) => this.#tile(kind)));
    this.#paintChips();
  }

  more() {
    this.isWhole = true;
    document.getElementById("more")?.remove();
    this.paint();
    this.tiles.querySelectorAll("button")[FIRST_KINDS * 2]?.focus();
  }

  /**
   * @param {string} kind
   * @param {number} by
   */
  count(kind, by) {
    navigator.vibrate?.(15);
    void this.capture.count({ [kind]: by }, { lastKind: kind });
    this.desk.fault.replaceChildren();
    const tile = this.tiles.querySelector(`[data-kind="${kind}"]`);
    const number = this.capture.values.counts[kind];
    const named = kinds(this.me).find((one) => one.code === kind);
    if (isSpoken() && named && by > 0) void speak(kind, `${number} ${kindName(named, number)}`);
    if (tile) {
      tile.classList.toggle("tile--counted", number > 0);
      const shown = /** @type {HTMLElement} */ (tile.querySelector("output"));
      shown.textContent = String(number);
    }
    this.#paintChips();
    tile?.scrollIntoView({ block: "nearest" }); // the herds above "save" lie over it otherwise
  }

  save() {
    const { capture, desk } = this;
    if (capture.total === 0) return desk.refuse(_("Count at least one animal: tap its picture."));
    if (capture.photos.length === 0 && !capture.values.noPhoto) return this.askWhyNoPhoto();
    return desk.save(() => capture.save());
  }

  askWhyNoPhoto() {
    const reasons = [_("The camera does not work."), _("It was too dark or too dangerous."), _("The cattle were gone already.")];
    const buttons = reasons.map((reason) => button("", null, reason, () => this.saveWithoutPhoto(reason)));
    this.desk.refuse(_("There is no photo. Take one, or say why there is none:"), h("div.stack", {}, ...buttons));
  }

  /** @param {string} reason */
  async saveWithoutPhoto(reason) {
    await this.capture.change({ noPhoto: _("No photo: {reason}", { reason }) });
    await this.save();
  }

  /** @param {import("./statute.js").Kind} kind */
  #tile(kind) {
    const number = this.capture.values.counts[kind.code] ?? 0;
    const name = kindName(kind, 2);
    const add = h("button.tile__add", { type: "button", onclick: () => this.count(kind.code, 1) }, picture(kind.code, "picture--kind"), h("span.tile__name", {}, name));
    const row = h(
      "div.tile__row",
      {},
      h("button.tile__less", { type: "button", "aria-label": _("One fewer: {kind}", { kind: name }), onclick: () => this.count(kind.code, -1) }, picture("minus")),
      h("output.tile__count", { "aria-label": name }, String(number)),
      h("button.tile__less", { type: "button", "aria-label": _("One more: {kind}", { kind: name }), onclick: () => this.count(kind.code, 1) }, picture("plus")),
    );
    return h(number > 0 ? "li.tile.tile--counted" : "li.tile", { "data-kind": kind.code }, add, row);
  }

  #paintChips() {
    const last = kinds(this.me).find((one) => one.code === this.capture.values.lastKind);
    if (!last) return void this.chips.replaceChildren();
    const name = kindName(last, 2);
    const chips = HERDS.map((by) => button("", null, `+${by}`, () => this.count(last.code, by), { "aria-label": _("{number} more: {kind}", { number: by, kind: name }) }));
    this.chips.replaceChildren(...chips, h("span.soft", {}, name));
  }

  #place() {
    const { values } = this.capture;
    const isKnown = values.location !== null || place.best() !== null;
    const places = (this.me.places ?? []).map((/** @type {any} */ one) => ({ code: one.local_name || one.name, label: one.local_name || one.name }));
    const pick = places.length
      ? select("village", _("Village or place"), [{ code: "", label: _("Not chosen") }, ...places], values.place, (text) => this.capture.change({ place: text }))
      : line("village", _("Village or place"), values.place, (text) => this.capture.change({ place: text }));
    if (isKnown) return null;
    this.hasPlaceField = true;
    const why = place.why() === "denied" ? _("The place is not allowed to be read. Save anyway, and name the village.") : _("The place is not found yet. Save anyway, and name the village.");
    return h("div", {}, note("look", h("p", {}, why)), pick);
  }

  #details() {
    const { capture, me } = this;
    const { values } = capture;
    const pounds = (me.pounds ?? []).map((/** @type {any} */ one) => ({ code: one.id, label: one.name }));
    const ownerName = h("div", { hidden: !values.ownerKnown }, line("owner", _("Owner's name"), values.ownerName, (ownerName) => capture.change({ ownerName })), line("mobile", _("Owner's mobile"), values.ownerMobile, (ownerMobile) => capture.change({ ownerMobile }), { type: "tel", inputmode: "tel" }));
    const known = select("known", _("Owner"), [{ code: "", label: _("Not known") }, { code: "1", label: _("Known") }], values.ownerKnown ? "1" : "", (code) => {
      ownerName.hidden = code === "";
      return capture.change({ ownerKnown: code !== "" });
    });
    return h(
      "details",
      {},
      h("summary", {}, picture("pencil"), _("Why, where, owner, remarks")),
      select("ground", _("Why"), terms(me, "grounds"), values.ground, (ground) => capture.change({ ground })),
      select("place_kind", _("What kind of place"), terms(me, "place_kinds"), values.place_kind, (place_kind) => capture.change({ place_kind })),
      select("capacity", _("You seize as"), terms(me, "capacities"), values.capacity, (capacity) => capture.change({ capacity })),
      pounds.length ? select("pound", _("Pound"), [{ code: "", label: _("Not chosen") }, ...pounds], values.pound, (pound) => capture.change({ pound })) : null,
      this.hasPlaceField ? null : line("village", _("Village or place"), values.place, (text) => capture.change({ place: text })),
      known,
      ownerName,
      line("remarks", _("Remarks"), values.remarks, (remarks) => capture.change({ remarks }), { maxlength: 2000 }),
    );
  }
}
