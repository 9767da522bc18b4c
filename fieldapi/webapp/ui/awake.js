// @ts-check
/** Keeps the screen on while a picture is lined up or photos go out: a phone that sleeps stops both. */

/** Keep awake from now on, where the browser can. Returns what ends it. */
export function keepAwake() {
  const held = navigator.wakeLock?.request("screen").catch(() => null);
  return () => void held?.then((lock) => lock?.release());
}

/** @type {(() => void) | null} */
let end = null;

/** Keep awake as long as this holds. @param {boolean} isWanted */
export function awakeWhile(isWanted) {
  if (isWanted === (end !== null)) return;
  if (isWanted) end = keepAwake();
  else {
    end?.();
    end = null;
  }
}
