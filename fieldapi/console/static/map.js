// @ts-check
/** Puts a map that moves in place of the drawing, when somebody asks for it. Escape leaves it. */
(() => {
  const STYLE = {
    area: { color: "#5f7d57", weight: 2, fillOpacity: 0.06 },
    seizure: { radius: 8, color: "#fff", weight: 2, fillColor: "#8f1d1d", fillOpacity: 1 },
    pound: { radius: 8, color: "#fff", weight: 2, fillColor: "#14325c", fillOpacity: 1 },
    fix: { radius: 5, color: "#1a56a0", weight: 2, fillColor: "#fff", fillOpacity: 1 },
    photo: { radius: 6, color: "#1a56a0", weight: 2, fillColor: "#ffb81c", fillOpacity: 1 },
  };

  /** @param {string} address @param {"script"|"link"} tag */
  function load(address, tag) {
    return new Promise((done, fail) => {
      const one = document.createElement(tag);
      one.onload = done;
      one.onerror = fail;
      if (one instanceof HTMLScriptElement) one.src = address;
      else Object.assign(one, { rel: "stylesheet", href: address });
      document.head.append(one);
    });
  }

  /** @param {HTMLElement} frame @param {any} data @param {any} L */
  function draw(frame, data, L) {
    const place = /** @type {HTMLElement} */ (frame.querySelector(".live__map"));
    place.hidden = false;
    // The sheet that came with the map would paint it grey.
    place.style.background = "var(--map)";
    place.setAttribute("role", "application");
    place.setAttribute("aria-label", frame.dataset.leave || "");
    const map = L.map(place, { attributionControl: false, zoomAnimation: false, fadeAnimation: false });
    if (frame.dataset.tiles) L.tileLayer(frame.dataset.tiles, { maxZoom: 19 }).addTo(map);
    L.control.scale({ imperial: false }).addTo(map);
    // A circle knows its bounds only on a map that shows somewhere: first the view, then what is on it.
    const points = data.features.filter((/** @type {any} */ one) => one.geometry.type === "Point");
    const seen = L.geoJSON(points.length ? points : data).getBounds();
    map.fitBounds(seen.pad(0.1), { maxZoom: 16 });
    L.geoJSON(data, {
      // Asked for points, too, over what they were made with.
      style: (/** @type {any} */ one) => (one.geometry.type === "Point" ? {} : STYLE.area),
      pointToLayer: (/** @type {any} */ one, /** @type {any} */ at) => point(one.properties, at, L),
      onEachFeature: (/** @type {any} */ one, /** @type {any} */ on) => {
        if (one.properties.label) on.bindPopup(() => words(one.properties));
      },
    }).addTo(map);
    place.focus();
  }

  /** @param {any} said @param {any} at @param {any} L */
  function point(said, at, L) {
    const dot = L.circleMarker(at, /** @type {any} */ (STYLE)[said.kind] || STYLE.fix);
    if (!said.accuracy_m) return dot;
    const ring = L.circle(at, { radius: said.accuracy_m, color: "#1a56a0", weight: 1, fillOpacity: 0.12 });
    return L.featureGroup([ring, dot]);
  }

  /** @param {any} said */
  function words(said) {
    const box = document.createElement("p");
    const inner = said.href ? Object.assign(document.createElement("a"), { href: said.href }) : box;
    inner.textContent = said.label;
    if (inner !== box) box.append(inner);
    return box;
  }

  /** @param {HTMLElement} frame */
  async function open(frame) {
    const said = /** @type {HTMLElement} */ (frame.querySelector("[role=status]"));
    const button = /** @type {HTMLButtonElement} */ (frame.querySelector("button"));
    frame.setAttribute("aria-busy", "true");
    try {
      const L = () => /** @type {any} */ (window).L;
      if (!L()) {
        await load(frame.dataset.sheet || "", "link");
        await load(frame.dataset.script || "", "script");
      }
      const answer = await fetch(frame.dataset.map || "", { headers: { Accept: "application/geo+json" } });
      if (!answer.ok) throw new Error(`${answer.status}`);
      draw(frame, await answer.json(), L());
      said.textContent = frame.dataset.leave || "";
      button.remove();
    } catch {
      said.textContent = frame.dataset.fault || "";
    }
    frame.removeAttribute("aria-busy");
  }

  document.addEventListener("click", (event) => {
    const frame = /** @type {HTMLElement} */ (event.target).closest("[data-map]");
    if (frame instanceof HTMLElement && /** @type {HTMLElement} */ (event.target).matches("button")) open(frame);
  });
  document.addEventListener("keydown", (event) => {
    const map = /** @type {HTMLElement} */ (event.target).closest(".live__map");
    if (event.key !== "Escape" || !map) return;
    const next = document.querySelector(".strip a[aria-current], .list__title a");
    if (next instanceof HTMLElement) next.focus();
    else /** @type {HTMLElement} */ (map).blur();
  });

  function show() {
    for (const one of document.querySelectorAll("[data-map]")) /** @type {HTMLElement} */ (one).hidden = false;
  }
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
