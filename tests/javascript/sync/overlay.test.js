// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { covered, readPulled, withNewer } from "../../../fieldapi/webapp/sync/ground.js";
import { screen } from "../../../fieldapi/webapp/sync/overlay.js";
import { isPersonal, keyOf, kindOf } from "../../../fieldapi/webapp/sync/schema.js";
import { KIND, RECORD, groundOf, schemaOf } from "./cases.js";
import { read } from "./vectors.js";

const COVERED = read("client-covered");
const OVERLAY = read("client-overlay");

for (const { name, ground, expect } of COVERED.vectors) {
  test(`covered: ${name}`, () => {
    assert.deepEqual(covered(groundOf(ground)), new Set(expect));
  });
}

for (const { name, ground, expect } of OVERLAY.vectors) {
  test(`screen: ${name}`, () => {
    const seen = screen(KIND, RECORD, groundOf(ground), schemaOf(OVERLAY.schema));
    const { shown, struck, isWithdrawn, waiting, aside, newer } = seen;

    assert.deepEqual({ shown, struck, withdrawn: isWithdrawn, waiting, aside, newer }, expect);
  });
}

test("a screen changes nothing that it was made from", () => {
  for (const { ground } of OVERLAY.vectors) {
    const before = JSON.stringify(ground);
    screen(KIND, RECORD, groundOf(ground), schemaOf(OVERLAY.schema));

    assert.equal(JSON.stringify(ground), before);
  }
});

test("own ops made behind an open form count as unanswered, older ones stay as they were", () => {
  const { own } = COVERED.vectors.at(-1).ground;
  const [first, second] = own;
  const ground = withNewer(groundOf({ pulled: null, own: [first] }), [first, second]);

  assert.deepEqual(ground.own, [first, { ...second, seq: null, past: false }]);
});

test("a put tells its record, its heads and which reviews are open", () => {
  const pulled = readPulled({
    seq: 7,
    record: { count: 9, struck: { ear_tags: ["1"] } },
    stamps: { count: [{ op: "a", t: "t" }] },
    reviews: [
      { field: "count", state: "open" },
      { field: "kind", state: "decided" },
    ],
  });

  assert.deepEqual(pulled.shown, { count: 9 });
  assert.deepEqual(pulled.struck, { ear_tags: ["1"] });
  assert.deepEqual([...pulled.openReviews], ["count"]);
  assert.deepEqual(readPulled({ seq: 8 }).shown, {});
});

test("what the server does not call a fact is personal", () => {
  const fields = {
    count: { class: "register", personal: false },
    witnesses: { class: "set", personal: true, key: "id" },
    ear_tags: { class: "set", personal: false },
  };
  const schema = kindOf({ schema: 1, kinds: { animal: { fields } } }, "animal");

  assert.ok(!isPersonal(schema, "count") && isPersonal(schema, "witnesses"));
  assert.ok(isPersonal(schema, "gait") && isPersonal(kindOf(null, "animal"), "count"));
  assert.equal(keyOf(schema, "witnesses", { id: "w1", name: "Ravi" }), "w1");
  assert.equal(keyOf(schema, "ear_tags", "340123456789"), "340123456789");
});
