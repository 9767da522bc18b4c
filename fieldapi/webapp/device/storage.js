// @ts-check
/** How much room the browser gives us, and whether it promised to keep what is in it. */

/**
 * Return bytes used, allowed and free (null where the browser does not say).
 * @returns {Promise<{usage: number | null, quota: number | null, free: number | null}>}
 */
export async function estimate() {
  const { usage = null, quota = null } = (await navigator.storage?.estimate?.()) ?? {};
  return { usage, quota, free: usage === null || quota === null ? null : quota - usage };
}

/** Say whether the browser keeps our data until a person deletes it. */
export async function isPersisted() {
  return (await navigator.storage?.persisted?.()) ?? false;
}

/** Ask it to; returns whether it does. */
export async function persist() {
  return (await isPersisted()) || ((await navigator.storage?.persist?.()) ?? false);
}
