// @ts-check
/** What an app with the unmodified RxDB may rely on; run by `tests/clients/test_rxdb.py`. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { device, newId, server } from "./devices.mjs";

const text = { type: "string" };
const SEIZURE = {
  version: 0,
  primaryKey: "id",
  type: "object",
  properties: {
    id: { type: "string", maxLength: 36 },
    ground: text,
    remarks: text,
    reference: text,
    owner: { type: "object", properties: { name: text, mobile: text } },
    sync_rev: text,
    sync_state: text,
  },
  required: ["id"],
};

/** @type {Awaited<ReturnType<typeof device>>} */
let phone;
/** @type {Awaited<ReturnType<typeof device>>} */
let tablet;

before(async () => {
  [phone, tablet] = [await device("phone"), await device("tablet")];
});

after(async () => {
  await Promise.all([phone.close(), tablet.close()]);
});

/** Return a lot that both devices hold. */
async function shared(values = {}) {
  const id = newId();
  const lot = { id, seizure_id: process.env.REPORT, kind: "cow", count: 5 };
  await phone.records.insert({ ...lot, ...values });
  await phone.sync();
  await tablet.sync();
  return id;
}

/**
 * Let both devices edit one document offline, then get in step, the phone first.
 * @param {string} id
 * @param {object} here
 * @param {object} there
 */
async function apart(id, here, there) {
  await Promise.all([phone.leave(), tablet.leave()]);
  await Promise.all([phone.edit(id, here), tablet.edit(id, there)]);
  for (const one of [phone, tablet, phone]) await one.sync();
}

test("what one device creates the other reads", async () => {
  const id = await shared({ ear_tags: ["340123456789"] });

  const { sync_rev: rev, ...lot } = await tablet.read(id);
  assert.deepEqual(lot, {
    id,
    seizure_id: process.env.REPORT,
    kind: "cow",
    count: 5,
    ear_tags: ["340123456789"],
  });
  assert.match(rev, /^[A-Z]+\.\d+$/);
});

test("edits of different fields merge on both", async () => {
  const id = await shared({ ear_tags: ["340123456789"] });

  await apart(
    id,
    { colour: "white", ear_tags: ["340123456780"] },
    { condition: "lame", ear_tags: ["340123456789", "340123456700"] },
  );

  const { colour, condition, ear_tags: tags, sync_state: state } = await phone.read(id);
  assert.deepEqual([colour, condition, state], ["white", "lame", undefined]);
  assert.deepEqual(tags.sort(), ["340123456700", "340123456780"]);
  assert.deepEqual(await tablet.read(id), await phone.read(id));
});

test("two values of one fact stand until somebody decides", async () => {
  const id = await shared();

  await apart(id, { kind: "bull" }, { kind: "buffalo" });

  assert.equal((await phone.read(id)).sync_state, "conflict");
  assert.deepEqual(await tablet.read(id), await phone.read(id));
  console.log(`open: ${id}`);
});

test("many edits of one's own, back and forth, are no conflict", async () => {
  const id = await shared();
  for (const count of [6, 5, 6, 5, 7]) {
    await phone.edit(id, { count });
    await phone.sync();
  }
  for (const milch of [4, 9, 4]) await phone.edit(id, { count: milch });
  await phone.sync();
  await tablet.sync();

  assert.equal((await tablet.read(id)).count, 4);
  assert.equal((await tablet.read(id)).sync_state, undefined);
});

test("what one device deletes is gone from the other, and withdrawn", async () => {
  const id = await shared();
  await (await phone.records.findOne(id).exec()).remove();
  await phone.sync();
  await tablet.sync();

  assert.equal(await tablet.read(id), null);
  assert.equal(await phone.read(id), null);
  console.log(`withdrawn: ${id}`);
});

test("poison blocks nothing behind it, and is kept here", async () => {
  const [bad, half, good] = [newId(), newId(), newId()];
  const lot = { seizure_id: process.env.REPORT, kind: "cow" };
  await phone.records.bulkInsert([
    { id: bad, ...lot, count: -5 },
    { id: half, ...lot, count: 1, condition: "\ud83d" },
    { id: good, ...lot, count: 5 },
  ]);
  await phone.sync();
  await tablet.sync();

  assert.equal((await tablet.read(good)).count, 5);
  assert.equal((await phone.read(half)).sync_state, "quarantined");
  assert.equal((await phone.read(bad)).sync_state, "quarantined");
  assert.equal(await tablet.read(half), null);
  assert.deepEqual(phone.errors, []);
});

test("a mended document goes through", async () => {
  const id = newId();
  await phone.records.insert({ id, seizure_id: process.env.REPORT, kind: "cow", count: -5 });
  await phone.sync();
  await phone.edit(id, { count: 5 });
  await phone.sync();
  await tablet.sync();

  assert.equal((await tablet.read(id)).count, 5);
});

test("a name in a group travels under its dotted name", async () => {
  const [here, there] = [
    await device("phone", { kind: "seizure", schema: SEIZURE }),
    await device("tablet", { kind: "seizure", schema: SEIZURE }),
  ];
  const id = newId();
  await here.records.insert({ id, ground: "straying", owner: { name: "Ramesh" }, remarks: "well" });
  await here.sync();
  await here.edit(id, { owner: { name: "Ramesh", mobile: "9876543210" } });
  await here.sync();
  await there.sync();

  const seen = await there.read(id);
  assert.deepEqual(seen.owner, { name: "Ramesh", mobile: "9876543210" });
  assert.match(seen.reference, /^RJK-00-/);
  assert.equal(seen.sync_state, undefined);
  await Promise.all([here.close(), there.close()]);
});

test("3,000 documents go out and come in, page by page", async () => {
  const [writer, reader] = [
    await device("phone", { batchSize: 500 }),
    await device("tablet", { batchSize: 100 }),
  ];
  const ids = Array.from({ length: 3000 }, newId);
  const asked = countingRequests();
  await writer.records.bulkInsert(
    ids.map((id, at) => ({ id, seizure_id: process.env.REPORT, kind: "cow", count: 1 + (at % 9) })),
  );
  await writer.sync();
  asked.clear();
  await reader.sync();

  const found = new Set((await reader.records.find().exec()).map((one) => one.id));
  assert.deepEqual(ids.filter((id) => !found.has(id)), []);
  assert.ok(asked.pulls <= found.size / 100 + 4, `${asked.pulls} pulls`);
  assert.equal(asked.pushes, 0);
  asked.end();
  await Promise.all([writer.close(), reader.close()]);
});

/** Count what is asked of the server, by looking over the shoulder of `fetch`. */
function countingRequests() {
  const plain = globalThis.fetch;
  const counts = {
    pulls: 0,
    pushes: 0,
    clear() {
      this.pulls = this.pushes = 0;
    },
    end() {
      globalThis.fetch = plain;
    },
  };
  globalThis.fetch = (address, init) => {
    if (String(address).startsWith(server())) {
      if (String(address).includes("/pull?")) counts.pulls += 1;
      else counts.pushes += 1;
    }
    return plain(address, init);
  };
  return counts;
}
