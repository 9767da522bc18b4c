// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { missing } from "../../../fieldapi/webapp/ui/missing.js";

const RULE = { capacities: ["cultivator"], place_kinds: ["private_field"], damage_required: true };
const me = (/** @type {string} */ series) => ({ pounds: [{ id: "p" }], statute: { series, seizure_rules: [RULE] } });
const PARTS = { animals: [{ kind: "cow", count: 1, colour: "red" }], photos: 1 };

test("a whole report wants nothing", () => {
  const shown = { pound_id: "p", seizer: { name: "Asha" }, ground: "straying", capacity: "police", place_kind: "street" };

  assert.deepEqual(missing(me("gujarat"), shown, PARTS), []);
});

test("the Act asks for damage where this capacity may seize for nothing else", () => {
  const shown = { ground: "trespass", capacity: "cultivator", place_kind: "private_field" };

  assert.deepEqual(missing(me("kerala"), shown, PARTS), ["pound_id", "seizer", "damage.text", "damage.estimate_paise", "survey_no", "witnesses"]);
});

test("an owner who is known has a name and a residence, an animal more than a number", () => {
  const shown = { pound_id: "p", seizer: {}, ground: "straying", "owner.known": true };
  const parts = { animals: [{ kind: "cow", count: 2 }], photos: 0 };

  assert.deepEqual(missing(me("gujarat"), shown, parts), ["photos", "owner.name", "owner.residence", "marks"]);
});
