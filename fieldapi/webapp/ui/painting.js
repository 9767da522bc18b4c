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

const LATER_MS = 800;

/**
 * Return what draws, but not under the fingers of somebody who types: then once the field was left
 * for a moment.
 * @param {HTMLElement} main
 * @param {() => unknown} paint
 * @returns {() => void}
 */
export function unlessTyping(main, paint) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const isTyping = () => {
    const field = document.activeElement;
    return field !== null && main.contains(field) && field.matches("input, select, textarea");
  };
  const later = (/** @type {boolean} */ wasTyping) => {
    clearTimeout(timer);
    // The tap that leaves a field is still on its way to the button it meant.
    if (isTyping() || wasTyping) timer = setTimeout(later, LATER_MS, isTyping());
    else void paint();
  };
  return () => later(isTyping());
}
