import assert from "node:assert/strict";
import test from "node:test";

import { readAnswer } from "../../../fieldapi/webapp/device/answer.js";
import { judge } from "../../../fieldapi/webapp/device/heads.js";
import { MOST_UNDO_MS, isAhead } from "../../../fieldapi/webapp/device/moments.js";
import { ready } from "../../../fieldapi/webapp/device/outbox.js";
import { checkLetter, isReference, mint, monthOf } from "../../../fieldapi/webapp/device/references.js";
import { waitMs } from "../../../fieldapi/webapp/device/sending.js";
import { standingOf } from "../../../fieldapi/webapp/device/views.js";
import { crc32 } from "../../../fieldapi/webapp/device/zip.js";
import { hex, leafHash, nodeHash } from "../../../fieldapi/webapp/sync/tree.js";

const NOVEMBER = Date.parse("2026-11-30T06:00:00Z");
const WHOLE = { epoch: "A", cursor: "c", more: false, server_now: "2026-11-30T06:00:00.000Z", changes: [], results: [] };

test("a reference is the one that the server would mint", () => {
  assert.equal(checkLetter("RJK-07-2611-0042"), "G");
  assert.equal(mint("RJK", 7, { atMs: NOVEMBER, counter: 42 }), "RJK-07-2611-0042-G");
  assert.ok(isReference("RJK-07-2611-0042-G"));
  assert.ok(!isReference("RJK-07-2611-0043-G"));
  assert.throws(() => mint("R", 7, { atMs: NOVEMBER, counter: 42 }), RangeError);
});

test("the month of a reference begins at midnight in India", () => {
  assert.equal(monthOf(Date.parse("2026-11-30T18:29:59Z")), "2611");
  assert.equal(monthOf(Date.parse("2026-11-30T18:30:00Z")), "2612");
});

test("an answer that does not fit what was sent is no answer", () => {
  const result = { i: 0, op: "a", status: "applied", seq: 7, fields: { ground: { code: "invalid-value" } } };
  const read = readAnswer({ ...WHOLE, results: [result] }, ["a"]);
  assert.deepEqual(read.results[0].outcome?.parked, ["ground"]);
  for (const bad of [
    null,
    { ...WHOLE, results: [] },
    { ...WHOLE, results: [{ ...result, op: "b" }] },
    { ...WHOLE, results: [{ ...result, i: 1 }] },
    { ...WHOLE, more: "no", results: [result] },
    { ...WHOLE, server_now: "soon", results: [result] },
  ]) {
    assert.throws(() => readAnswer(bad, ["a"]), { code: "not-ours" });
  }
});

test("an op that the server could not store stays with the phone", () => {
  const retry = { i: 0, op: "a", status: "retry", retry_after_ms: 5000 };
  assert.equal(readAnswer({ ...WHOLE, results: [retry] }, ["a"]).results[0].outcome, null);
});

test("a tree head that does not continue the last one is an alarm", async () => {
  const leaves = await Promise.all([1, 2].map((one) => leafHash(Uint8Array.of(one))));
  const root = hex(await nodeHash(leaves[0], leaves[1]));
  const names = { authority: "a", epoch: "A" };
  const seen = [{ ...names, size: 1, root: hex(leaves[0]) }];
  const head = { ...names, size: 2, root, consistency: [hex(leaves[1])], fits: true };
  const verdictOn = async (news) => (await judge([{ ...head, ...news }], seen))[0].verdict;
  assert.equal(await verdictOn({}), "keep");
  assert.equal(await verdictOn({ root: hex(leaves[1]) }), "alarm");
  assert.equal(await verdictOn({ size: 1, consistency: [] }), "alarm");
  assert.equal(await verdictOn({ consistency: [] }), "pass");
  assert.equal(await verdictOn({ fits: false }), "alarm");
  assert.equal(await verdictOn({ epoch: "B", size: 1, consistency: [] }), "keep");
});

test("waits grow from five seconds to a quarter of an hour, and a server's word is kept", () => {
  const down = { code: "link-down" };
  assert.equal(waitMs(1, down, 1), 5000);
  assert.equal(waitMs(1, down, 0), 2500);
  assert.equal(waitMs(3, down, 1), 20_000);
  assert.equal(waitMs(30, down, 1), 15 * 60_000);
  assert.equal(waitMs(1, { code: "busy", waitS: 60 }, 1), 60_000);
  assert.equal(waitMs(1, { code: "not-signed-in" }, 1), 15 * 60_000);
});

test("what waits to be undone waits for seconds, also when the clock is put back", async () => {
  const row = { text: "{}", holdUntil: NOVEMBER + 10_000 };
  const stores = /** @type {any} */ ({ all: async () => [row] });
  const readyAt = async (/** @type {number} */ nowMs) => (await ready(stores, nowMs)).length;
  assert.equal(await readyAt(NOVEMBER), 0);
  assert.equal(await readyAt(NOVEMBER + 10_000), 1);
  assert.equal(await readyAt(NOVEMBER - 365 * 24 * 3_600_000), 1);
  assert.ok(isAhead(NOVEMBER + MOST_UNDO_MS, { most: MOST_UNDO_MS, nowMs: NOVEMBER }));
});

test("a report comes from ready to complete, or is parked", () => {
  const op = (status, sends = 0) => ({ status, sends, code: status === "quarantined" ? "invalid-value" : null });
  const photo = (state) => ({ state, code: null, previewSent: false });
  const state = (ops, photos, isSending = false) => standingOf(ops, photos, isSending).state;
  assert.equal(state([op("waiting")], []), "ready");
  assert.equal(state([op("waiting", 1)], [], true), "sending");
  assert.equal(state([op("waiting", 1)], []), "ready");
  assert.equal(state([op("applied"), op("held")], [photo("waiting")]), "stored");
  assert.equal(state([op("applied")], [photo("stored")]), "complete");
  assert.equal(state([op("quarantined"), op("waiting")], []), "parked");
  assert.equal(state([op("applied")], [photo("refused")]), "parked");
  assert.equal(standingOf([op("quarantined")], [], false).reason, "invalid-value");
});

test("the checksum of a zip is the one that everybody reckons", () => {
  assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
});
