// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import * as words from "../../../fieldapi/webapp/ui/words.js";
import { levelOf } from "../../../fieldapi/webapp/ui/place.js";
import { defaults, herd, poundLimit } from "../../../fieldapi/webapp/ui/statute.js";

/** @type {Map<string, string>} */
const kept = new Map();
const shelf = {
  getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
  setItem: (/** @type {string} */ name, /** @type {string} */ text) => void kept.set(name, text),
};
Object.assign(globalThis, { localStorage: shelf, document: { documentElement: {} } });
globalThis.fetch = /** @type {any} */ (
  async () => ({
    json: async () => ({
      sentences: { Save: "સાચવો", "{number} photo": ["{number} ફોટો", "{number} ફોટા"] },
      kinds: { cow: ["ગાય", "ગાયો"] },
    }),
  })
);
const EVENING = Date.parse("2026-11-30T13:05:00Z");
const COW = { code: "cow", label: "cow", label_plural: "cows" };
const ME = {
  person: { capacity: "police_officer" },
  statute: {
    kinds: [COW],
    transit_hours: 24,
    capacities: [
      { code: "occupier", label: "Occupier", aliases: [] },
      { code: "police", label: "Police", aliases: ["police_officer"] },
    ],
    seizure_rules: [
      { capacities: ["occupier"], grounds: ["trespass_with_damage"], place_kinds: ["private_field"] },
      { capacities: ["police"], grounds: ["straying"], place_kinds: ["canal"] },
    ],
  },
};

test("numbers are grouped and dates are named as in India, in Latin digits", async () => {
  for (const language of Object.keys(words.LANGUAGES)) {
    await words.choose(language);
    assert.equal(words.number(1234567.5), "12,34,567.5");
    assert.equal(words.money(123456750), "₹12,34,567.50");
    assert.equal(words.money(-5), "-₹0.05");
    assert.equal(words.clock(EVENING), "6:35 PM");
    assert.match(words.day(EVENING), /^30 \S+ 2026$/);
    assert.ok(!/\d/.test(words.day(EVENING).split(" ")[1]));
  }
});

test("a sentence is translated, filled, and English where nobody translated it", async () => {
  await words.choose("gu");
  assert.equal(words._("Save"), "સાચવો");
  assert.equal(words._("No photo: {reason}", { reason: "…" }), "No photo: …");
  assert.equal(words.ngettext("{number} photo", "{number} photos", 0), "0 ફોટો");
  assert.equal(words.ngettext("{number} photo", "{number} photos", 2), "2 ફોટા");
  await words.choose("en");
  assert.equal(words.ngettext("{number} photo", "{number} photos", 0), "0 photos");
});

test("a herd is said by kind and count", async () => {
  await words.choose("en");
  assert.equal(herd(ME, [{ kind: "cow", count: 2 }, { kind: "yak", count: 1 }, { kind: "cow", count: 0 }]), "2 cows, 1 yak");
});

test("what the person is chooses ground and place, by the Act's own rule", () => {
  assert.deepEqual(defaults(ME), { capacity: "police", ground: "straying", place_kind: "canal" });
});

test("the hours to the pound are the Act's, and none where it has none", () => {
  assert.equal(poundLimit(ME, 0), 24 * 3600 * 1000);
  assert.equal(poundLimit({ statute: { transit_hours: null } }, 0), null);
});

test("a place has a level by its metres", () => {
  const levels = [8, 15, 35, 200, 240].map((accuracy_m) => levelOf({ accuracy_m }));
  assert.deepEqual(levels, ["good", "good", "fair", "poor", "bad"]);
});
