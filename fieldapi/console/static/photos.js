// @ts-check
/** Looks closer at a photo: larger, brighter on this screen, the next one by arrow keys. */
(() => {
  /** @param {HTMLElement} viewer */
  function arrange(viewer) {
    const tools = /** @type {HTMLElement} */ (viewer.querySelector(".viewer__tools"));
    const frame = /** @type {HTMLElement} */ (viewer.querySelector(".viewer__frame"));
    const image = /** @type {HTMLImageElement} */ (viewer.querySelector("img"));
    tools.hidden = false;

    tools.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      if (!button) return;
      for (const one of tools.querySelectorAll("button")) one.setAttribute("aria-pressed", `${one === button}`);
      const zoom = button.dataset.zoom || "fit";
      const middle = [(frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth, (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight];
      viewer.classList.toggle("viewer--close", zoom !== "fit");
      image.style.width = zoom === "fit" ? "" : `${image.naturalWidth * Number(zoom)}px`;
      frame.scrollLeft = middle[0] * frame.scrollWidth - frame.clientWidth / 2;
      frame.scrollTop = middle[1] * frame.scrollHeight - frame.clientHeight / 2;
    });
    tools.querySelector("input")?.addEventListener("input", (event) => {
      image.style.filter = `brightness(${/** @type {HTMLInputElement} */ (event.target).value}%)`;
    });
    frame.addEventListener("click", (event) => event.preventDefault());
  }

  let isMoving = false;
  document.addEventListener("keydown", (event) => {
    const at = /** @type {HTMLElement} */ (event.target);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || !at.closest(".strip, .viewer__frame") || at.closest(".viewer--close")) return;
    const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".strip a")]);
    const next = all[all.findIndex((one) => one.hasAttribute("aria-current")) + by];
    if (!next) return;
    event.preventDefault();
    isMoving = true;
    next.click();
  });

  /** What belongs to one photo shows itself together: in the strip, on the map, in the history. */
  function link(/** @type {Event} */ event) {
    const at = /** @type {Element} */ (event.target).closest?.("[data-photo]");
    const id = event.type === "mouseover" || event.type === "focusin" ? at?.getAttribute("data-photo") : null;
    for (const one of document.querySelectorAll("[data-photo]")) one.classList.toggle("is-linked", one.getAttribute("data-photo") === id);
  }
  for (const name of ["mouseover", "mouseout", "focusin", "focusout"]) document.addEventListener(name, link);

  function all() {
    for (const one of document.querySelectorAll("[data-viewer]:not([data-ready])")) {
      one.setAttribute("data-ready", "");
      arrange(/** @type {HTMLElement} */ (one));
    }
    if (isMoving) /** @type {HTMLElement|null} */ (document.querySelector(".strip a[aria-current]"))?.focus();
    isMoving = false;
  }
  document.addEventListener("htmx:afterSettle", all);
  all();
})();
