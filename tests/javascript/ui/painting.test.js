// A screen that is drawn again shows what was looked up last.

import assert from "node:assert/strict";
import { test } from "node:test";

import { painter, unlessTyping } from "../../../fieldapi/webapp/ui/painting.js";

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

test("nothing is drawn under the fingers of somebody who types, and all of it afterwards", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const field = { matches: () => true };
  let drawn = 0;
  Object.assign(globalThis, { document: { activeElement: field } });
  const paint = unlessTyping({ contains: (one) => one === field }, () => (drawn += 1));

  paint();
  t.mock.timers.tick(5000);
  assert.equal(drawn, 0);

  globalThis.document.activeElement = null;
  for (let step = 0; step < 3; step += 1) t.mock.timers.tick(800);
  assert.equal(drawn, 1);

  paint();
  assert.equal(drawn, 2);
});
