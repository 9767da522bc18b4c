// @ts-check
/**
 * What can go wrong on a phone, each with a code that a screen has a sentence for. Whatever it is,
 * the outbox stays as it was.
 */

/**
 * `code`: `link-down busy not-ours not-signed-in epoch-changed too-much upgrade-needed refused
 * code-refused no-device no-storage storage-full photo-unsound unknown invalid`.
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

/**
 * Return what a failure of the browser's storage means.
 * @param {unknown} error
 * @returns {unknown} a Fault, or the error itself if it is something else
 */
export function storageFault(error) {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "QuotaExceededError") return new Fault("storage-full");
  if (["InvalidStateError", "UnknownError", "SecurityError", "VersionError"].includes(name)) {
    return new Fault("no-storage", name);
  }
  return error;
}
