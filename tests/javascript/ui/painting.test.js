// A screen that is drawn again shows what was looked up last.

import assert from "node:assert/strict";
import { test } from "node:test";

import { painter } from "../../../fieldapi/webapp/ui/painting.js";

test("an older look that comes back later is not drawn", async () => {
  const answers = [];
  const drawn = [];
  const paint = painter(() => new Promise((resolve) => answers.push(resolve)), (found) => drawn.push(found));
  const older = paint();
  const newer = paint();

  answers[1]("new");
  answers[0]("old");
  await Promise.all([older, newer]);

  assert.deepEqual(drawn, ["new"]);
});

test("each look by itself is drawn", async () => {
  const drawn = [];
  const paint = painter(async () => "seen", (found) => drawn.push(found));

  await paint();
  await paint();

  assert.deepEqual(drawn, ["seen", "seen"]);
});
