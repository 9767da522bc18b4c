// @ts-check
/**
 * One sync: everything that waits goes out, everything that is new comes in, page by page. Every
 * answer is saved before the next request; batches shrink on a bad line and grow on a good one.
 * Twin of `sync/client/exchange.py`; called under the lock of `sending.js`.
 */

import { canonical } from "../sync/canonical.js";
import { readAnswer } from "./answer.js";
import { read, write } from "./database.js";
import { Fault } from "./faults.js";
import { toSend } from "./heads.js";
import { facts, syncLimits } from "./identity.js";
import { startOver, take } from "./inbox.js";
import { ready, refuse, signAll, takeBatch } from "./outbox.js";
import { post } from "./transport.js";

/** @typedef {import("./records.js").OpRow} OpRow */

const PROTOCOL = 1;
const ENVELOPE = 4096; // bytes left free for what surrounds the ops
const MOST_TRIES = 3; // of one request, before the sync gives up until later

/** How much goes into one request. It halves on a fault and doubles on an answer. */
class Pace {
  /** @param {{ops: number, wire_bytes: number, pull_records: number}} limits */
  constructor(limits) {
    this.limits = limits;
    this.ops = 100;
    this.bytes = 128 << 10;
    this.records = 200;
  }

  /** @param {number} carried how many ops were too much */
  slower(carried) {
    this.ops = Math.max(Math.min(this.ops, carried) >> 1, 1);
    this.bytes = Math.max(this.bytes >> 1, 4096);
    this.records = Math.max(this.records >> 1, 10);
  }

  faster() {
    this.ops = Math.min(this.ops * 2, this.limits.ops);
    this.bytes = Math.min(this.bytes * 2, this.limits.wire_bytes - ENVELOPE);
    this.records = Math.min(this.records * 2, this.limits.pull_records);
  }
}

/** The rounds of one sync of one identity. */
export class Exchange {
  /**
   * @param {string} name of the database
   * @param {(ms: number) => Promise<void>} pause
   */
  constructor(name, pause) {
    this.name = name;
    this.pause = pause;
    /** @type {Set<string>} answered `retry`: not again in this sync */
    this.later = new Set();
    this.failed = 0;
    this.hasStartedOver = false;
    /** @type {{[status: string]: number}} */
    this.answers = {};
    this.changes = 0;
    this.serverNowMs = 0;
  }

  /** Go on until nothing waits and nothing is new. Raises Fault; what was reached is saved. */
  async run() {
    const known = await read(this.name, ["facts"], (stores) => facts(stores, "limits", "token", "schema"));
    this.pace = new Pace(syncLimits(known.limits));
    this.token = known.token;
    this.schema = known.schema?.schema ?? 1;
    let more = true;
    while (more || (await this.hasMore())) more = await this.round();
  }

  async hasMore() {
    const rows = await read(this.name, ["op"], (stores) => ready(stores, Date.now()));
    return rows.some((row) => !this.later.has(row.id));
  }

  /** Make one request; returns whether there is more to pull. */
  async round() {
    await signAll(this.name);
    const { ops: most, bytes: mostBytes } = /** @type {Pace} */ (this.pace);
    const batch = await takeBatch(this.name, { most, mostBytes, skip: this.later, nowMs: Date.now() });
    try {
      return await this.ask(batch);
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      await this.cope(fault, batch);
      return true;
    }
  }

  /** @param {OpRow[]} batch */
  async ask(batch) {
    const known = await read(this.name, ["facts", "head"], async (stores) => ({
      ...(await facts(stores, "cursor")),
      heads: await stores.all("head"),
    }));
    const cursor = known.cursor?.cursor ?? null;
    const { json } = await post("/api/v1/sync", this.envelope(batch, cursor, known.heads), this.token);
    const answer = readAnswer(json, batch.map((row) => row.id));
    if (answer.more && batch.length === 0 && answer.cursor === cursor) {
      throw new Fault("not-ours", "the pull does not move");
    }
    await take(this.name, answer);
    this.note(answer);
    return answer.more;
  }

  /**
   * Return the request: the ops go in as they were signed.
   * @param {OpRow[]} batch
   * @param {string | null} cursor
   * @param {import("./heads.js").Seen[]} heads
   */
  envelope(batch, cursor, heads) {
    const members = {
      protocol: PROTOCOL,
      schema: this.schema,
      device_now: new Date().toISOString(),
      cursor,
      limit: /** @type {Pace} */ (this.pace).records,
      tree_heads: toSend(heads),
    };
    return `${canonical(members).slice(0, -1)},"ops":[${batch.map((row) => `{"jws":"${row.jws}"}`)}]}`;
  }

  /**
   * Make the next request differ from the one that failed, or raise the fault.
   * @param {Fault} fault
   * @param {OpRow[]} batch
   */
  async cope(fault, batch) {
    const pace = /** @type {Pace} */ (this.pace);
    this.failed += 1;
    if (fault.code === "epoch-changed" && !this.hasStartedOver) {
      this.hasStartedOver = true;
      await startOver(this.name);
    } else if (fault.code === "too-much" && batch.length) {
      if (batch.length === 1) await refuse(this.name, batch[0].stamp);
      pace.slower(batch.length);
    } else if (isPassing(fault) && this.failed < MOST_TRIES) {
      pace.slower(batch.length);
      await this.pause(500 * 2 ** this.failed * Math.random());
    } else if (fault.code === "refused" && fault.status === 400 && (await this.dropCursor())) {
      pace.slower(batch.length); // a cursor that the server cannot read: pulling again is safe
    } else throw fault;
  }

  async dropCursor() {
    return write(this.name, ["facts"], async (stores) => {
      const { cursor } = await facts(stores, "cursor");
      if (!cursor?.cursor) return false;
      await stores.put("facts", { ...cursor, cursor: null }, "cursor");
      return true;
    });
  }

  /** @param {import("./answer.js").Answer} answer */
  note(answer) {
    this.failed = 0;
    this.pace?.faster();
    this.changes += answer.changes.length;
    this.serverNowMs = answer.serverNowMs;
    for (const { op, outcome } of answer.results) {
      const status = outcome?.status ?? "retry";
      this.answers[status] = (this.answers[status] ?? 0) + 1;
      if (!outcome) this.later.add(op);
    }
  }
}

/**
 * Say whether the same request may go through a moment later; a server that names a time is taken
 * at its word.
 * @param {Fault} fault
 */
function isPassing(fault) {
  return fault.code === "link-down" || (fault.code === "busy" && (fault.waitS ?? 0) < 5);
}
