// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { isMeant, lastFive, long, qrText, readCode, short } from "../../../fieldapi/webapp/ui/codes.js";

const ID = "0193a5c0-f7e2-7b3c-9fff-86d081884c7d";
const REFERENCE = "RJK-07-2611-0042-G";

test("an id comes back from its short form, and from itself", () => {
  assert.equal(short(ID).length, 22);
  assert.equal(long(short(ID)), ID);
  assert.equal(long(ID), ID);
  assert.equal(long("0042G"), null);
});

test("a scanned code names number and id, a typed one what was typed", () => {
  const text = qrText("https://cattle.example.gov.in", REFERENCE, ID);

  assert.ok(text.length <= 106, "one square more would need a larger code");
  assert.deepEqual(readCode(text), { reference: REFERENCE, id: ID });
  assert.deepEqual(readCode(" 0042 g "), { reference: "0042G", id: null });
});

test("the last five mean a number, fewer mean none", () => {
  assert.equal(lastFive(REFERENCE), "0042G");
  assert.ok(isMeant(REFERENCE, "0042-g"));
  assert.ok(isMeant(REFERENCE, REFERENCE));
  assert.ok(!isMeant(REFERENCE, "042G"));
  assert.ok(!isMeant(null, "0042G"));
});
