// @ts-check
/**
 * The seizures that this phone was told of: own ones, those at the pounds that a keeper keeps, and
 * those of others in short. Everything from the phone; nothing is asked. Called by `phone.js`.
 */

import { read } from "./database.js";
import { SCREEN, screenOf } from "./records.js";

/**
 * @typedef {object} CaseRow
 * @property {string} id
 * @property {string | null} reference
 * @property {any} shown of the seizure
 * @property {boolean} isWhole false for what is seen in short
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
    const [ops, pulled] = await Promise.all(["op", "pulled"].map((store) => stores.all(store)));
    const puts = pulled.filter((one) => one.change);
    const whole = new Set(puts.filter((one) => one.kind === "seizure" && one.change.record.trust).map((one) => one.id));
    const named = [...ops.map(({ kind, record }) => ({ kind, id: record })), ...puts];
    const touched = new Set(ops.map((op) => `${op.kind}/${op.record}`));
    const known = new Map(puts.map((one) => [`${one.kind}/${one.id}`, one.change.record]));
    const shownOf = async (/** @type {string} */ kind, /** @type {string} */ record) => {
      const key = `${kind}/${record}`;
      // Most records were never touched here: what was pulled is what is shown.
      if (!touched.has(key)) return known.get(key) ?? {};
      const { shown, aside, isWithdrawn } = await screenOf(stores, { kind, id: record });
      return { ...Object.assign({}, ...aside.map((one) => one.values), shown), withdrawn: isWithdrawn };
    };
    const rows = new Map();
    for (const one of new Set(named.filter((each) => each.kind === "seizure").map((each) => each.id))) {
      if (id === undefined || one === id) rows.set(one, rowOf(one, await shownOf("seizure", one), { isWhole: whole.has(one) || touched.has(`seizure/${one}`) }));
    }
    for (const kind of ["animal", "intake"]) {
      for (const one of new Set(named.filter((each) => each.kind === kind).map((each) => each.id))) {
        const shown = await shownOf(kind, one);
        const row = rows.get(shown.seizure_id);
        if (row === undefined || shown.withdrawn) continue;
        if (kind === "intake") row.intakes.push({ id: one, shown });
        else row.animals.push({ id: one, kind: shown.kind, count: shown.count, shown });
      }
    }
    return [...rows.values()].sort((a, b) => String(b.shown.seized_at).localeCompare(String(a.shown.seized_at)));
  });
}

/**
 * @param {string} id
 * @param {any} shown
 * @param {{isWhole: boolean}} how
 * @returns {CaseRow}
 */
function rowOf(id, shown, { isWhole }) {
  return { id, reference: shown.reference ?? null, shown, isWhole, isWithdrawn: shown.withdrawn === true, animals: [], intakes: [] };
}
