// @ts-check
/**
 * Devices of a test: each an RxDB of its own in memory, replicated by the app of the guide
 * (`app.mjs`, cut out of docs/protocol/rxdb.md). The server and who asks come by the environment.
 */

import { readFileSync } from "node:fs";

import { LOT, open, replicate } from "./app.mjs";

export { randomUUID as newId } from "node:crypto";

let opened = 0;

/** Return where the server is now: it may have been started anew, elsewhere. */
export function server() {
  return readFileSync(String(process.env.ADDRESS_FILE), "utf8");
}

/**
 * Return what one person's device holds: its collection, and how it gets in step.
 * @param {string} name whose token to use: `TOKEN_<NAME>`
 * @param {{kind?: string, schema?: object, batchSize?: number}} [how]
 */
export async function device(name, { kind = "animal", schema = LOT, batchSize = 100 } = {}) {
  const records = await open(`device${(opened += 1)}`, schema);
  /** @type {any} */
  let running = null;
  const errors = /** @type {unknown[]} */ ([]);
  return {
    records,
    errors,
    /** Go online until both sides hold the same. */
    async sync() {
      if (running) running.reSync();
      else {
        const token = process.env[`TOKEN_${name.toUpperCase()}`];
        running = replicate(records, { server, token, kind, batchSize });
        running.error$.subscribe((/** @type {unknown} */ error) => errors.push(error));
      }
      await running.awaitInSync();
    },
    /** Go offline: what is written from now on waits. */
    async leave() {
      await running?.cancel();
      running = null;
    },
    /** @param {string} id */
    async read(id) {
      return (await records.findOne(id).exec())?.toMutableJSON() ?? null;
    },
    /**
     * @param {string} id
     * @param {object} values
     */
    async edit(id, values) {
      const found = await records.findOne(id).exec();
      await found.getLatest().incrementalPatch(values);
    },
    async close() {
      await running?.cancel();
      await records.database.close();
    },
  };
}
