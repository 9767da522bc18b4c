// @ts-check
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { clientFiles } from "./vectors.js";

const HERE = new URL("./", import.meta.url);

test("every file of vectors for phones is run here", () => {
  const tests = readdirSync(HERE).filter((name) => name.endsWith(".test.js"));
  const text = tests.map((name) => readFileSync(new URL(name, HERE), "utf8")).join("");

  assert.deepEqual(
    clientFiles().filter((name) => !text.includes(`read("${name}")`)),
    [],
  );
});
