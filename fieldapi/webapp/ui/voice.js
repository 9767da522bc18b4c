// @ts-check
/**
 * Words said aloud, for who does not read. A recording by a local speaker, where the shelf has one for
 * this language; else the phone's own voice, if it has one that needs no network.
 */

import { h } from "./dom.js";
import { button } from "./parts.js";
import { _, language } from "./words.js";

const SPOKEN = "kinds are spoken";

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
 * Return a place for a button that says a sentence of the screen aloud; it stays empty where there is
 * neither a recording nor a voice.
 * @param {string} name of the recording
 * @param {string} words
 */
export function hear(name, words) {
  const place = h("div");
  void canSay(name).then((can) => {
    if (can) place.replaceChildren(button(".button--quiet", "voice", _("Hear it"), () => speak(name, words), { "data-hear": name }));
  });
  return place;
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

/** Say whether the pictures say their names aloud when they are tapped. */
export function isSpoken() {
  return localStorage.getItem(SPOKEN) === "yes";
}

/**
 * Return a place for the button that lets pictures say their names; empty where nothing can be said.
 * @param {string} name of the first, which is said when it is turned on
 * @param {() => string} words
 */
export function voiceSwitch(name, words) {
  const place = h("div");
  void canSay(name).then((can) => {
    if (can) place.replaceChildren(h("div.stack", {}, turn(name, words)));
  });
  return place;
}

/** @param {string} name @param {() => string} words */
function turn(name, words) {
  const press = () => {
    localStorage.setItem(SPOKEN, isSpoken() ? "no" : "yes");
    element.setAttribute("aria-pressed", String(isSpoken()));
    if (isSpoken()) void speak(name, words());
  };
  const element = button(".button--quiet", "voice", _("Say the names aloud"), press, { id: "voice", "aria-pressed": String(isSpoken()) });
  return element;
}
