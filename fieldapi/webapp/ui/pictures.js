// @ts-check
/**
 * What a picture is, by its first bytes: a file's name and the type that the browser makes of it
 * can be wrong. Twin of `fieldapi/imaging/sniff.py` for the kinds that are taken as photos.
 */

const HEAD = 64;
const FTYP = 8;
/** High-efficiency pictures of phones: few browsers can draw them, the server can. */
const HEIF = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
const FAMILY = new Set(["mif1", "msf1", "mif2", "mif3", "1pic"]);
const AVIF = new Set(["avif", "avis", "avio"]);

/**
 * Return the media type of a photo; null for a file that is none.
 * @param {Blob} file
 * @returns {Promise<string | null>}
 */
export async function mediaTypeOf(file) {
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("RIFF") && head.startsWith("WEBP", FTYP)) return "image/webp";
  return head.startsWith("ftyp", 4) && isHeif(head) ? "image/heic" : null;
}

/** @param {string} head of a file of boxes, the first of which lists brands */
function isHeif(head) {
  const size = head.charCodeAt(2) * 256 + head.charCodeAt(3);
  const brands = (head.slice(FTYP, FTYP + 4) + head.slice(FTYP + 8, size)).match(/.{4}/gs) ?? [];
  if (brands.some((one) => AVIF.has(one))) return false;
  return FAMILY.has(brands[0]) || brands.some((one) => HEIF.has(one));
}
