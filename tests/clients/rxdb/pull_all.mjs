// @ts-check
/** Pulls everything in small pages and says how much came so far; survives a dead server. */

import { device } from "./devices.mjs";

const plain = globalThis.fetch;
let came = 0;
globalThis.fetch = async (address, init) => {
  const answer = await plain(address, init);
  if (!String(address).includes("/pull?")) return answer;
  const page = await answer.clone().json();
  came += page.documents.length;
  console.log(`came ${came}`);
  return answer;
};

const reader = await device("tablet", { batchSize: 20 });
await reader.sync();
console.log(`holds ${(await reader.records.find().exec()).length} of ${came}`);
await reader.close();
