// @ts-check
/**
 * The seizures that this phone was told of: own ones, those at the pounds that a keeper keeps, and
 * those of others in short. Everything from the phone; nothing is asked. Called by `phone.js`.
 */

import { read } from "./database.js";
import { SCREEN, screenOf } from "./records.js";

/**
 * `shown`: of the seizure. `isWhole`: false for what is seen in short.
 * @typedef {object} CaseRow
 * @property {string} id
 * @property {string | null} reference
 * @property {any} shown
 * @property {boolean} isWhole
 * @property {boolean} isWithdrawn
 * @property {{id: string, kind: string, count: number, shown: any}[]} animals
 * @property {{id: string, shown: any}[]} intakes
 */

/**
 * Return the seizures that were pulled or made here, the newest first; `id`: only this one.
 * @param {string} name
 * @param {string} [id]
 * @returns {Promise<CaseRow[]>}
 */
export function cases(name, id) {
  return read(name, SCREEN, async (stores) => {
    const known = await Known.of(stores);
    /** @type {Map<string, CaseRow>} */
    const rows = new Map();
    for (const one of known.ids("seizure")) {
      if (id === undefined || one === id) rows.set(one, rowOf(one, await known.shown("seizure", one), known.isWhole(one)));
    }
    for (const kind of ["animal", "intake"]) {
      for (const one of known.ids(kind)) place(rows, kind, one, await known.shown(kind, one));
    }
    return [...rows.values()].sort((a, b) => String(b.shown.seized_at).localeCompare(String(a.shown.seized_at)));
  });
}

/** The records of one moment: as pulled, or with own ops on top where there are any. */
class Known {
  /**
   * @param {import("./database.js").Stores} stores
   * @param {any[]} ops
   * @param {any[]} pulled
   */
  constructor(stores, ops, pulled) {
    const [puts, gone] = [pulled.filter((one) => one.change), pulled.filter((one) => !one.change)];
    this.stores = stores;
    this.pulled = new Map(puts.map((one) => [`${one.kind}/${one.id}`, one.change.record]));
    this.touched = new Set(ops.map((op) => `${op.kind}/${op.record}`));
    this.keys = new Set([...this.pulled.keys(), ...this.touched]);
    // What left, or was closed, is not shown by what was once written here about it.
    for (const { kind, id } of gone) this.keys.delete(`${kind}/${id}`);
  }

  /** @param {import("./database.js").Stores} stores */
  static async of(stores) {
    const [ops, pulled] = await Promise.all(["op", "pulled"].map((store) => stores.all(store)));
    return new Known(stores, ops, pulled);
  }

  /** @param {string} kind */
  ids(kind) {
    return [...this.keys].filter((key) => key.startsWith(`${kind}/`)).map((key) => key.slice(kind.length + 1));
  }

  /** Only whole records say how far they are to be trusted. @param {string} seizure */
  isWhole(seizure) {
    const key = `seizure/${seizure}`;
    return this.touched.has(key) || Boolean(this.pulled.get(key)?.trust);
  }

  /**
   * Most records were never touched here: what was pulled is what is shown.
   * @param {string} kind
   * @param {string} id
   * @returns {Promise<any>}
   */
  async shown(kind, id) {
    const key = `${kind}/${id}`;
    if (!this.touched.has(key)) return this.pulled.get(key) ?? {};
    const screen = await screenOf(this.stores, { kind, id }).catch(() => null); // its ops cannot be read
    if (screen === null) return {};
    const { shown, aside, isWithdrawn } = screen;
    return { ...Object.assign({}, ...aside.map((one) => one.values), shown), withdrawn: isWithdrawn };
  }
}

/**
 * @param {string} id
 * @param {any} shown
 * @param {boolean} isWhole
 * @returns {CaseRow}
 */
function rowOf(id, shown, isWhole) {
  return { id, reference: shown.reference ?? null, shown, isWhole, isWithdrawn: shown.withdrawn === true, animals: [], intakes: [] };
}

/**
 * Put a record into the row of its seizure, if that is asked for.
 * @param {Map<string, CaseRow>} rows
 * @param {string} kind
 * @param {string} id
 * @param {any} shown
 */
function place(rows, kind, id, shown) {
  const row = rows.get(shown.seizure_id);
  if (row === undefined || shown.withdrawn) return;
  if (kind === "intake") row.intakes.push({ id, shown });
  else row.animals.push({ id, kind: shown.kind, count: shown.count, shown });
}
