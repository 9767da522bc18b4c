// @ts-check
/** Keys for the list of reports, and what is marked in it. All of it works without, by clicking. */
(() => {
  const KEPT = "console-keys";
  const dialog = /** @type {HTMLDialogElement|null} */ (document.querySelector("[data-keys-dialog]"));
  const isOn = () => localStorage.getItem(KEPT) !== "off";
  const rows = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-row]")]);
  const link = (/** @type {HTMLElement} */ row) =>
    /** @type {HTMLElement} */ (row.querySelector(".list__title a"));
  const marks = () =>
    /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("input[name=case]")]);

  function count() {
    const said = /** @type {HTMLElement|null} */ (document.querySelector("[data-marked]"));
    const number = marks().filter((one) => one.checked).length;
    if (said) said.textContent = number ? (said.dataset.marked || "").replace("{number}", `${number}`) : "";
  }

  /** @param {number} by */
  function step(by) {
    const all = rows();
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
    if (next) {
      link(next).focus();
      next.scrollIntoView({ block: "nearest" });
    }
  }

  function mark() {
    const row = rows().find((one) => one.contains(document.activeElement));
    const box = /** @type {HTMLInputElement|null|undefined} */ (row?.querySelector("input[name=case]"));
    if (box) {
      box.checked = !box.checked;
      count();
    }
  }

  const KEYS = /** @type {Record<string, () => void>} */ ({
    j: () => step(1),
    k: () => step(-1),
    x: mark,
    "?": () => dialog?.showModal(),
  });

  document.addEventListener("keydown", (event) => {
    const at = /** @type {HTMLElement} */ (event.target);
    const isWriting = at.matches("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (!isOn() || isWriting || dialog?.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!rows().length || at.closest("[data-map]")) return;
    const does = KEYS[event.key];
    if (does) {
      event.preventDefault();
      does();
    }
  });

  function arrange() {
    for (const one of document.querySelectorAll("[data-open-keys], [data-all], [data-keys]")) {
      /** @type {HTMLElement} */ (one).hidden = false;
    }
    count();
  }

  document.addEventListener("change", (event) => {
    const at = /** @type {HTMLInputElement} */ (event.target);
    if (at.closest("[data-all]")) for (const one of marks()) one.checked = at.checked;
    if (at.closest("[data-keys]")) localStorage.setItem(KEPT, at.checked ? "on" : "off");
    count();
  });
  document.addEventListener("click", (event) => {
    if (/** @type {HTMLElement} */ (event.target).closest("[data-open-keys]")) dialog?.showModal();
  });
  document.addEventListener("htmx:beforeRequest", () =>
    document.getElementById("found")?.setAttribute("aria-busy", "true"),
  );
  document.addEventListener("htmx:afterRequest", () =>
    document.getElementById("found")?.removeAttribute("aria-busy"),
  );
  document.addEventListener("htmx:afterSettle", arrange);
  for (const box of document.querySelectorAll("[data-keys] input")) {
    /** @type {HTMLInputElement} */ (box).checked = isOn();
  }
  arrange();
})();
