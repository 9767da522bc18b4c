// @ts-check
/**
 * Words said aloud, for who does not read. A recording by a local speaker, where the shelf has one for
 * this language; else the phone's own voice, if it has one that needs no network.
 */

import { language } from "./words.js";

/** Recordings of this build: language → names. @type {Promise<{[language: string]: string[]}> | undefined} */
let shelf;

function recordings() {
  shelf ??= fetch(new URL("../voices.json", import.meta.url))
    .then((answer) => answer.json())
    .catch(() => ({}));
  return shelf;
}

/** The phone's voice for the language, one that works without a network. */
function ownVoice() {
  const voices = globalThis.speechSynthesis?.getVoices() ?? [];
  return voices.find((one) => one.localService && one.lang.slice(0, 2) === language());
}

/**
 * Say whether a word can be said aloud.
 * @param {string} name of the recording, e.g. a kind of animal
 */
export async function canSay(name) {
  const known = await recordings();
  return Boolean(known[language()]?.includes(name)) || ownVoice() !== undefined;
}

/**
 * Say a word aloud.
 * @param {string} name
 * @param {string} word
 */
export async function speak(name, word) {
  const known = await recordings();
  if (known[language()]?.includes(name)) {
    return new Audio(new URL(`../voices/${language()}/${name}.opus`, import.meta.url).pathname).play().catch(() => undefined);
  }
  const voice = ownVoice();
  if (voice === undefined) return undefined;
  const said = new SpeechSynthesisUtterance(word);
  said.voice = voice;
  speechSynthesis.cancel();
  return speechSynthesis.speak(said);
}
