// @ts-check
/** How a screen is drawn again when something changed: what was looked up last wins. */

/**
 * Return what looks anew and draws. Two looks may come back in the other order: the older one is
 * dropped. Listen for changes before the first: what changes during it would never be shown.
 * @template T
 * @param {() => Promise<T>} look
 * @param {(found: T) => void} show
 * @returns {() => Promise<void>}
 */
export function painter(look, show) {
  let turn = 0;
  return async () => {
    const mine = (turn += 1);
    const found = await look();
    if (mine === turn) show(found);
  };
}
