// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  NotJson,
  areEqual,
  canonical,
  equal,
  equalityKey,
} from "../../../fieldapi/webapp/sync/canonical.js";
import { read } from "./vectors.js";

const VECTORS = read("canonical");

for (const vector of VECTORS.values) {
  test(`spelling: ${vector.name}`, () => {
    assert.equal(canonical(JSON.parse(vector.json)), vector.canonical);
  });
}

for (const vector of VECTORS.numbers) {
  test(`double ${vector.double} is ${vector.canonical}`, () => {
    assert.equal(canonical(Buffer.from(vector.double, "hex").readDoubleBE()), vector.canonical);
  });
}

for (const vector of VECTORS.equal) {
  test(`${vector.a} ${vector.equal ? "is" : "is not"} ${vector.b}`, () => {
    const [one, other] = [JSON.parse(vector.a), JSON.parse(vector.b)];

    assert.equal(equal(one, other), vector.equal);
    assert.equal(equal(other, one), vector.equal);
    assert.equal(equalityKey(one) === equalityKey(other), vector.equal);
  });
}

test("what JSON cannot say has no spelling", () => {
  for (const value of [NaN, Infinity, -Infinity, ["\ud800"], { "\udfff": 1 }, undefined, () => 1]) {
    assert.throws(() => canonical(value), NotJson);
  }
});

test("none or one value is one value", () => {
  assert.ok(areEqual([]) && areEqual(["x"]) && areEqual([1, 1.0, 1]));
  assert.ok(!areEqual([1, 1, 2]));
});

test("two members that are one in NFC are both compared", () => {
  assert.ok(!equal({ "\u00e9": 1, "e\u0301": 2 }, { "\u00e9": 1 }));
});
