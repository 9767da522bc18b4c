// @ts-check
/** Says that the server was not reached, and keeps forms from being sent into the void; says that an
 * answer takes its time, where a page waits for one. */
(() => {
  const banner = /** @type {HTMLElement|null} */ (document.querySelector("[data-offline]"));
  if (!banner) return;
  const time = new Date().toLocaleTimeString("en-IN", { hour: "numeric", minute: "2-digit" });

  /** @param {boolean} isAway */
  function show(isAway) {
    const text = /** @type {HTMLElement} */ (banner).querySelector("p");
    if (text) text.textContent = (banner?.dataset.said || "").replace("{time}", time);
    if (banner) banner.hidden = !isAway;
    for (const one of document.querySelectorAll("form[method=post] button")) {
      one.toggleAttribute("disabled", isAway);
    }
  }

  banner.querySelector("button")?.addEventListener("click", () => location.reload());
  window.addEventListener("offline", () => show(true));
  window.addEventListener("online", () => show(false));
  const loading = /** @type {HTMLElement|null} */ (document.querySelector("[data-loading]"));
  let due = 0;
  document.addEventListener("htmx:beforeRequest", () => {
    window.clearTimeout(due);
    due = window.setTimeout(() => loading && (loading.textContent = loading.dataset.loading || ""), 300);
  });
  document.addEventListener("htmx:afterRequest", () => {
    window.clearTimeout(due);
    if (loading) loading.textContent = "";
  });

  document.addEventListener("htmx:sendError", () => show(true));
  document.addEventListener("htmx:responseError", () => show(true));
  document.addEventListener("htmx:afterOnLoad", () => show(!navigator.onLine));
})();
