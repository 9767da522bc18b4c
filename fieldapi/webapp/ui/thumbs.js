// @ts-check
/** Small pictures of photos. Their addresses are given back when the screen is left. */

import * as phone from "../device/phone.js";
import { h, picture } from "./dom.js";
import { button } from "./parts.js";
import { _ } from "./words.js";

/** The pictures of one screen. */
export class Thumbs {
  constructor() {
    /** @type {Map<string, Promise<string | null>>} */
    this.urls = new Map();
  }

  /**
   * Return a picture that fills when it is ready; until then, and if there is none or one that this
   * browser cannot draw, a hollow.
   * @param {string} id of the photo
   * @param {string} alt
   */
  picture(id, alt) {
    const hollow = h("span.hollow", { role: "img", "aria-label": alt }, picture("gallery"));
    const place = h("span", {}, hollow);
    const empty = () => place.replaceChildren(hollow);
    void this.#url(id).then((url) => {
      if (url !== null) place.replaceChildren(h("img", { src: url, alt, width: 84, height: 84, onerror: empty }));
    });
    return place;
  }

  /**
   * Return a row of pictures, each with a way to take it out if `remove` is given.
   * @param {string[]} ids
   * @param {((id: string) => unknown) | null} remove
   */
  row(ids, remove) {
    const items = ids.map((id, at) => {
      const alt = _("Photo {number} of {all}", { number: at + 1, all: ids.length });
      const out = remove && button(".button--quiet", "cross", "", () => remove(id), { "aria-label": _("Remove photo {number}", { number: at + 1 }) });
      return h("li.thumb", {}, this.picture(id, alt), out);
    });
    return h("ul.thumbs", {}, items);
  }

  /** Give the memory back. */
  async release() {
    for (const url of await Promise.all(this.urls.values())) if (url !== null) URL.revokeObjectURL(url);
  }

  /** @param {string} id */
  #url(id) {
    const known = this.urls.get(id);
    if (known) return known;
    const made = read(id);
    this.urls.set(id, made);
    return made;
  }
}

/** @param {string} id */
async function read(id) {
  const kept = (await phone.previewOf(id)) ?? (await phone.photoBytes(id));
  return kept === null ? null : URL.createObjectURL(kept);
}
