import assert from "node:assert/strict";
import test from "node:test";

import { changed } from "../../../fieldapi/webapp/device/drafts.js";
import { mediaTypeOf } from "../../../fieldapi/webapp/ui/pictures.js";

/** A file of boxes whose first lists these brands. */
function boxes(...brands) {
  const size = String.fromCharCode(16 + 4 * (brands.length - 1));
  return `\0\0\0${size}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join("")}`;
}

async function told(text) {
  return mediaTypeOf(new Blob([Uint8Array.from(text, (one) => one.charCodeAt(0))], { type: "image/jpeg" }));
}

test("what a picture is stands in its first bytes, not in its name", async () => {
  assert.equal(await told("\xff\xd8\xff\xe1Exif"), "image/jpeg");
  assert.equal(await told("\x89PNG\r\n\x1a\n"), "image/png");
  assert.equal(await told("RIFF\0\0\0\0WEBPVP8 "), "image/webp");
  for (const brands of [["heic", "mif1"], ["mif1", "heic"], ["msf1"]]) assert.equal(await told(boxes(...brands)), "image/heic");
  for (const other of ["", "%PDF-1.7", "GIF89a", "<svg>", "RIFF\0\0\0\0WAVE", boxes("isom", "mp42"), boxes("mif1", "avif"), boxes("avif")]) {
    assert.equal(await told(other), null, other);
  }
});

test("a change says what it is about, and leaves what another tab said", () => {
  const draft = { id: "d", step: "photo", values: { remarks: "By the well", counts: { cow: 1 } } };
  const one = changed(draft, { step: "count", values: { place: "Ratanpar" }, by: { cow: 2, buffalo: 1 } });
  assert.deepEqual(one, { id: "d", step: "count", values: { remarks: "By the well", place: "Ratanpar", counts: { cow: 3, buffalo: 1 } } });
  assert.deepEqual(changed(one, { by: { cow: -9 } }).values.counts, { cow: 0, buffalo: 1 });
  assert.equal(draft.values.counts.cow, 1);
});
