// @ts-check
/**
 * Moments that are waited for, on a phone whose clock somebody may put back meanwhile: what was to
 * wait for seconds must not wait for a year. Pure.
 */

/** No report can be undone for longer than this. */
export const MOST_UNDO_MS = 60_000;

/**
 * Say whether a moment is still to come. One further off than anything waits was set under a clock
 * that ran ahead: it is over.
 * @param {number} until
 * @param {{most: number, nowMs?: number}} from `most`: how long this kind of wait can be, in ms
 */
export function isAhead(until, { most, nowMs = Date.now() }) {
  return until > nowMs && until - nowMs <= most;
}
