// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  StampError,
  actorOf,
  isStamp,
  nextStamp,
  parseStamp,
  raiseByPulled,
  raiseLast,
} from "../../../fieldapi/webapp/sync/stamps.js";
import { read } from "./vectors.js";

const VECTORS = read("clock");
const ACTOR = "0123456789abcdef";
const OTHER = "fedcba9876543210";

for (const { name, wall, last, actor, stamp } of VECTORS.next) {
  test(`next stamp: ${name}`, () => assert.equal(nextStamp(wall, last, actor), stamp));
}

for (const { name, last, server_now, actor, stamp } of VECTORS.raise) {
  test(`raised clock: ${name}`, () => assert.equal(raiseLast(last, server_now, actor), stamp));
}

test("stamps grow whatever the wall clock does", () => {
  let last = nextStamp(5000, null, ACTOR);
  for (const wall of [5000, 4999, 0, -1, 5001, 5001, 2 ** 60]) {
    const stamp = nextStamp(wall, last, ACTOR);
    assert.ok(stamp > last);
    last = stamp;
  }
});

test("nothing follows the last stamp there is", () => {
  assert.throws(() => nextStamp(0, `ffffffffffff-ffff-${ACTOR}`, ACTOR), StampError);
  assert.throws(() => nextStamp(0, null, "asha"), StampError);
  assert.throws(() => parseStamp("today"), StampError);
});

test("a stamp comes apart into what made it", () => {
  const stamp = nextStamp(1700000000000, null, ACTOR);

  assert.deepEqual(parseStamp(stamp), { ms: 1700000000000, counter: 0, actor: ACTOR });
  assert.equal(actorOf(stamp), ACTOR);
  assert.ok(isStamp(stamp) && !isStamp(stamp.toUpperCase()) && !isStamp(7));
});

test("only own stamps of a pull raise the clock", () => {
  const last = nextStamp(1000, null, ACTOR);
  const own = nextStamp(3000, null, ACTOR);
  const theirs = nextStamp(9000, null, OTHER);

  assert.equal(raiseByPulled(last, [theirs], ACTOR), last);
  assert.equal(raiseByPulled(last, [theirs, own, "no stamp"], ACTOR), own);
});
