// @ts-check
/**
 * What can go wrong on a phone, each with a code that a screen has a sentence for. Whatever it is,
 * the outbox stays as it was.
 */

/**
 * `code`: `link-down busy not-ours not-signed-in epoch-changed too-much upgrade-needed refused
 * code-refused no-device no-storage not-kept storage-full photo-unsound no-photo unknown invalid`.
 */
export class Fault extends Error {
  /**
   * @param {string} code
   * @param {string} [detail]
   * @param {{status?: number, slug?: string, waitS?: number | null, headers?: Headers, errors?: object, problem?: any}} [more]
   */
  constructor(code, detail = "", more = {}) {
    super(detail ? `${code}: ${detail}` : code);
    this.code = code;
    this.detail = detail;
    this.status = more.status ?? 0;
    this.slug = more.slug ?? "";
    this.waitS = more.waitS ?? null;
    this.headers = more.headers ?? null;
    this.errors = more.errors ?? {};
    this.problem = more.problem ?? {};
  }
}

const FULL = "QuotaExceededError";
const BROKEN = ["InvalidStateError", "UnknownError", "SecurityError", "VersionError"];

/**
 * Return what a failure of the browser's storage means: it cannot be opened or read, or did not keep
 * what was to be written.
 * @param {unknown} error
 * @param {{isWriting?: boolean}} [how]
 * @returns {unknown} a Fault, or the error itself if it is something else
 */
export function storageFault(error, { isWriting = false } = {}) {
  const name = error instanceof DOMException ? error.name : "";
  if (isWriting && [FULL, "AbortError", ...BROKEN].includes(name)) return new Fault("not-kept", name);
  return BROKEN.includes(name) ? new Fault("no-storage", name) : error;
}

/**
 * Return the fault of a photo that was not kept: where only room is short, a report may still fit.
 * @param {unknown} fault
 */
export function photoFault(fault) {
  const isFull = fault instanceof Fault && fault.code === "not-kept" && fault.detail === FULL;
  return isFull ? new Fault("storage-full") : fault;
}
