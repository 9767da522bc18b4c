// Words said aloud: a recording of a local speaker first, else the phone's own voice, else nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

/** @type {string[]} */
const heard = [];
globalThis.fetch = async () => /** @type {any} */ ({ json: async () => ({ en: ["buffalo", "photo"] }) });
globalThis.Audio = /** @type {any} */ (
  class {
    /** @param {string} path */
    constructor(path) {
      this.path = path;
    }

    async play() {
      heard.push(this.path);
    }
  }
);
globalThis.SpeechSynthesisUtterance = /** @type {any} */ (
  class {
    /** @param {string} text */
    constructor(text) {
      this.text = text;
    }
  }
);
/** @type {any[]} */
let voices = [];
globalThis.speechSynthesis = /** @type {any} */ ({
  getVoices: () => voices,
  cancel: () => undefined,
  speak: (/** @type {any} */ said) => heard.push(said.text),
});

const { canSay, speak } = await import("../../../fieldapi/webapp/ui/voice.js");

test("a recording on the shelf is played from its place there", async () => {
  assert.ok(await canSay("photo"));
  await speak("photo", "Show the whole animal and the place.");
  assert.match(String(heard.pop()), /\/voices\/en\/photo\.opus$/);
});

test("what nobody recorded is said by a voice of the phone that needs no network", async () => {
  voices = [{ lang: "en-IN", localService: false }];
  assert.equal(await canSay("saved"), false);
  await speak("saved", "Saved on this phone");
  assert.deepEqual(heard, []);
  voices = [{ lang: "en-IN", localService: true }];
  assert.ok(await canSay("saved"));
  await speak("saved", "Saved on this phone");
  assert.deepEqual(heard, ["Saved on this phone"]);
});
