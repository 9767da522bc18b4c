// @ts-check
/** Elements from values, never from text: what a person typed can never become markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return an element. `on…` properties are listeners, `true` is an empty attribute, `false` and
 * null leave it out.
 * @param {string} name with classes: `button.big.main`
 * @param {{[name: string]: any}} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(name, props = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  dress(element, props);
  element.append(...nodes(children));
  return element;
}

/**
 * Return a picture of the sprite; it says nothing to a screen reader, the word beside it does.
 * @param {string} id
 * @param {string} [size] a class
 * @returns {Element}
 */
export function picture(id, size = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", `picture ${size}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${new URL("../pictures.svg", import.meta.url).pathname}#${id}`);
  svg.append(use);
  return svg;
}

/**
 * Put these children in the place of what is there.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * Return the element with this id; the page is ours, so it is there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * @param {HTMLElement} element
 * @param {{[name: string]: any}} props
 */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value == null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children
    .flat()
    .filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : String(one)));
}
