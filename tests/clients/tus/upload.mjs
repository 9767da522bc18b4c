// @ts-check
/**
 * Uploads the photos that a file names with tus-js-client, so many at once, and says what became of
 * each: `{"photo", "sent", "retries"}` or `{"photo", "failed"}`, one line of JSON each.
 *
 *     node upload.mjs plan.json
 *     {"endpoint", "headers", "at_once", "photos": [{"id", "sha256", "path"}], "options": {…}}
 */

import { readFile } from "node:fs/promises";
import * as tus from "tus-js-client";

const plan = JSON.parse(await readFile(process.argv[2], "utf-8"));
const waiting = [...plan.photos];
const began = performance.now();

/** @param {{id: string, sha256: string, path: string}} photo */
async function upload(photo) {
  const content = await readFile(photo.path);
  let retries = 0;
  await new Promise((resolve) => {
    const upload = new tus.Upload(content, {
      endpoint: plan.endpoint,
      headers: plan.headers,
      metadata: { photo: photo.id, sha256: photo.sha256, filename: "IMG 1.jpg" },
      storeFingerprintForResuming: false,
      ...plan.options,
      onShouldRetry: (error, attempt, options) => {
        retries += 1;
        const status = error.originalResponse?.getStatus() ?? 0;
        return status === 0 || status >= 500 || status === 409 || status === 423;
      },
      onError: (error) => {
        console.log(JSON.stringify({ photo: photo.id, failed: String(error), retries }));
        resolve(undefined);
      },
      onSuccess: () => {
        console.log(JSON.stringify({ photo: photo.id, sent: content.length, retries }));
        resolve(undefined);
      },
    });
    upload.start();
  });
}

async function work() {
  for (let photo = waiting.shift(); photo; photo = waiting.shift()) await upload(photo);
}

await Promise.all(Array.from({ length: plan.at_once ?? 1 }, work));
const { user, system } = process.cpuUsage();
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, cpu_s: (user + system) / 1e6 }));
