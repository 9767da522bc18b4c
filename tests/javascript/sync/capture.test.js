// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { addsOf } from "../../../fieldapi/webapp/sync/base.js";
import { NotJson } from "../../../fieldapi/webapp/sync/canonical.js";
import { draft, parts, seal } from "../../../fieldapi/webapp/sync/capture.js";
import { newId, newSalt } from "../../../fieldapi/webapp/sync/ids.js";
import { KIND, RECORD, editOf, groundOf, schemaOf, ticketOf } from "./cases.js";
import { read } from "./vectors.js";

const BASE = read("client-base");
const PARTS = read("client-parts");
const NOWHERE = groundOf({ pulled: null, own: [] });

/** Return what an op says, without what the moment of capture adds. */
function said(/** @type {any} */ part, ground = NOWHERE) {
  const moment = { ground, ticket: ticketOf(BASE.actor) };
  const { op, kind, id, by, t, at, n, ...rest } = draft(part, KIND, RECORD, moment);
  return rest;
}

/** @param {{[name: string]: string[]}} [bases] */
function inOrder(bases = {}) {
  return Object.fromEntries(Object.entries(bases).map(([name, ops]) => [name, [...ops].sort()]));
}

for (const { name, ground, edit, expect } of BASE.vectors) {
  test(`base: ${name}`, () => {
    const schema = schemaOf(BASE.schema);
    if (edit.strike) {
      const [[field, key]] = Object.entries(edit.strike);
      const named = addsOf(field, key, groundOf(ground), schema);
      assert.deepEqual(inOrder({ [field]: named }), inOrder(expect.strike));
      return;
    }
    const [part, ...others] = parts(editOf(edit), schema);

    assert.deepEqual(others, []);
    assert.deepEqual(inOrder(said(part, groundOf(ground)).base), inOrder(expect.base));
  });
}

for (const { name, edit, expect } of PARTS.vectors) {
  test(`parts: ${name}`, () => {
    const ops = parts(editOf(edit), schemaOf(PARTS.schema)).map((part) => {
      const { base, salt, ...rest } = said(part);
      return salt === undefined ? rest : { ...rest, salt: salt.length === 22 };
    });

    assert.deepEqual(ops, expect);
  });
}

test("what is sent says who, when and what, in this order", () => {
  const [part] = parts({ set: { count: 5 }, isNew: true }, schemaOf(BASE.schema));
  const ticket = { ...ticketOf(BASE.actor), head: { size: 3, root: "ab" } };
  const text = seal(draft(part, KIND, RECORD, { ground: NOWHERE, ticket }));

  assert.equal(
    text,
    `{"op":"${ticket.op}","kind":"animal","id":"${RECORD}","by":"${ticket.by}",` +
      `"t":"${ticket.stamp}","at":0,"n":1,"new":true,"set":{"count":5},"base":{"count":[]},` +
      `"head":{"size":3,"root":"ab"}}`,
  );
});

test("what a server could not read is refused at capture", () => {
  /** @type {any} */
  let deep = 1;
  for (let level = 0; level < 20; level += 1) deep = [deep];
  for (const value of ["\ud83d", "a\0b", NaN, 2 ** 53, deep]) {
    const [part] = parts({ set: { count: value } }, schemaOf(BASE.schema));
    const op = draft(part, KIND, RECORD, { ground: NOWHERE, ticket: ticketOf(BASE.actor) });

    assert.throws(() => seal(op), NotJson);
  }
});

test("an id is a UUIDv7 of its moment", () => {
  assert.equal(newId(1764493923120, new Uint8Array(10)), "019ad408-9330-7000-8000-000000000000");
  assert.match(newId(0), /^00000000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(newId(0), newId(0));
});

test("a salt is 16 random bytes in base64url", () => {
  assert.equal(newSalt(new Uint8Array(16).fill(0xfb)), "-_v7-_v7-_v7-_v7-_v7-w");
  assert.match(newSalt(), /^[A-Za-z0-9_-]{22}$/);
  assert.notEqual(newSalt(), newSalt());
});
