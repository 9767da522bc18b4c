import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const READER = fileURLToPath(new URL("./undeclared.cjs", import.meta.url));
/** What the language and a browser give; a name that is new here is looked at by whoever adds it. */
const GIVEN = [
  "AbortController AbortSignal Array Audio BigInt Blob Boolean BroadcastChannel CompressionStream DataView Date DOMException",
  "Error Event EventTarget HTMLElement HTMLScriptElement ImageCapture Intl JSON Map Math Node Number Object OffscreenCanvas",
  "Promise RangeError Response Set SpeechSynthesisUtterance String TextEncoder TypeError URL Uint32Array Uint8Array",
  "atob btoa caches clearInterval clearTimeout console createImageBitmap crypto decodeURIComponent document fetch globalThis",
  "history indexedDB localStorage location matchMedia navigator parseInt performance print self setInterval setTimeout",
  "speechSynthesis structuredClone undefined window",
].flatMap((line) => line.split(" "));

function undeclared(...paths) {
  const told = spawnSync(process.execPath, ["--expose-internals", READER, GIVEN.join(), ...paths], { cwd: ROOT, encoding: "utf-8" });
  assert.equal(told.status, 0, told.stderr);
  return told.stdout.split("\n").filter(Boolean);
}

test("every name in the scripts is declared where it is used, or given by the browser", () => {
  const scripts = ["fieldapi/webapp", "fieldapi/console/static"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => name.endsWith(".js"))
      .map((name) => `${folder}/${name}`),
  );
  assert.ok(scripts.length > 90);
  assert.deepEqual(undeclared(...scripts), []);
});

test("a name that is declared elsewhere only, or not at all, is found", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "names-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "one.js");
  const source = [
    'import { a as b } from "./two.js";',
    "function given({ c, d: [e = b] }, ...f) { return [arguments, c, e, f, this.g, { h: 1, c }]; }",
    "for (const i of [1]) { const j = i; }",
    "export class K { l = () => K; #m() { return given`${new.target}`; } }",
    "try { j(a); } catch { n: for (;;) break n; }",
    "switch (b) { case 1: const o = ({ p }) => p; o(i, { q }); }",
    "export { given as r }; export * from './three.js'; export { s } from './four.js';",
  ];
  writeFileSync(path, source.join("\n"));
  assert.deepEqual(undeclared(path).map((one) => one.slice(path.length + 1)), ["5: j", "5: a", "6: i", "6: q"]);
});
