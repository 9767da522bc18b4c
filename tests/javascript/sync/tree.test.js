// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hex,
  leafHash,
  nodeHash,
  rootOf,
  unhex,
  verifyConsistency,
  verifyInclusion,
} from "../../../fieldapi/webapp/sync/tree.js";
import { read } from "./vectors.js";

const VECTORS = read("tree");
/** @type {Uint8Array[]} */
const ENTRIES = VECTORS.leaves.map(unhex);
const LEAVES = await Promise.all(ENTRIES.map(leafHash));
const ROOTS = VECTORS.roots.map(unhex);

/** @param {Uint8Array} bytes */
function flipped(bytes) {
  const changed = Uint8Array.from(bytes);
  changed[changed.length - 1] ^= 1;
  return changed;
}

/**
 * Return a proof with one step changed, one too many and one too few.
 * @param {Uint8Array[]} proof
 */
function tampered(proof) {
  const changed = proof.map((_, at) => proof.map((step, i) => (i === at ? flipped(step) : step)));
  return [...changed, [...proof, LEAVES[0]], ...(proof.length ? [proof.slice(1)] : [])];
}

test("the heads are the known ones", async () => {
  for (const [size, root] of ROOTS.entries()) {
    assert.equal(hex(await rootOf(LEAVES.slice(0, size))), hex(root));
  }
});

for (const { index, size, proof } of VECTORS.inclusion) {
  test(`leaf ${index} of ${size} is proven, and nothing else is`, async () => {
    const [leaf, root, path] = [LEAVES[index], ROOTS[size], proof.map(unhex)];

    assert.ok(await verifyInclusion(leaf, index, size, { proof: path, root }));
    assert.ok(!(await verifyInclusion(flipped(leaf), index, size, { proof: path, root })));
    assert.ok(!(await verifyInclusion(leaf, index, size, { proof: path, root: flipped(root) })));
    for (const bad of tampered(path)) {
      assert.ok(!(await verifyInclusion(leaf, index, size, { proof: bad, root })));
    }
  });
}

for (const { old, size, proof } of VECTORS.consistency) {
  test(`the head of ${size} continues that of ${old}, and no other`, async () => {
    const [older, root, path] = [ROOTS[old], ROOTS[size], proof.map(unhex)];

    assert.ok(await verifyConsistency(old, older, size, { proof: path, root }));
    assert.ok(!(await verifyConsistency(old, flipped(older), size, { proof: path, root })));
    assert.ok(!(await verifyConsistency(old, older, size, { proof: path, root: flipped(root) })));
    for (const bad of tampered(path)) {
      assert.ok(!(await verifyConsistency(old, older, size, { proof: bad, root })));
    }
  });
}

test("an empty tree continues into any, without a proof", async () => {
  assert.ok(await verifyConsistency(0, ROOTS[0], 5, { proof: [], root: ROOTS[5] }));
  assert.ok(!(await verifyConsistency(0, ROOTS[1], 5, { proof: [], root: ROOTS[5] })));
  assert.ok(!(await verifyConsistency(0, ROOTS[0], 5, { proof: [LEAVES[0]], root: ROOTS[5] })));
});

test("places and hashes that cannot be prove nothing", async () => {
  const claim = { proof: [], root: ROOTS[1] };

  assert.ok(!(await verifyInclusion(LEAVES[0], 1, 1, claim)));
  assert.ok(!(await verifyInclusion(LEAVES[0], -1, 1, claim)));
  assert.ok(!(await verifyInclusion(new Uint8Array(31), 0, 1, claim)));
  assert.ok(!(await verifyConsistency(2, ROOTS[2], 1, claim)));
  assert.ok(!(await verifyConsistency(2, ROOTS[2], 5, { proof: [], root: ROOTS[5] })));
});

test("sizes beyond 32 bits are climbed as well", async () => {
  const size = 2 ** 33;
  let root = LEAVES[0];
  for (let level = 0; level < 33; level += 1) root = await nodeHash(LEAVES[1], root);
  const proof = Array(33).fill(LEAVES[1]);

  assert.ok(await verifyInclusion(LEAVES[0], size - 1, size, { proof, root }));
  assert.ok(!(await verifyInclusion(LEAVES[0], size - 2, size, { proof, root })));
});

test("hex that is none is refused", () => {
  for (const text of ["0", "0g", "zz"]) assert.throws(() => unhex(text), RangeError);
});
