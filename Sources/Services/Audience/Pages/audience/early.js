// Runs before anything is painted: the listener's own look, so that nothing flashes in a dark hall, and the two
// requests everything else waits for.
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("baton.audience.settings") ?? "{}") ?? {};
  } catch {
    // Storage may be forbidden; the page does without.
  }
  const root = document.documentElement;
  const light = kept.theme === "light"
    || (kept.theme === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.contrast = kept.contrast === "high" ? "high" : "normal";
  root.dataset.motion = kept.motion === "less" ? "less" : "full";
  if (Number.isFinite(kept.size)) root.style.setProperty("--size", String(kept.size));
  if (Number.isFinite(kept.brightness)) {
    root.style.setProperty("--veil", String(1 - (Math.max(kept.brightness, 5) / 100) ** (1 / 2.2)));
  }
  // The page that listens by itself hears no stream.
  if (location.pathname !== "/listen") {
    const stop = new AbortController();
    const response = fetch("/api/audience/events", {
      headers: { Accept: "text/event-stream" }, cache: "no-store", credentials: "same-origin", signal: stop.signal,
    });
    response.catch(() => {});
    window.batonStream = { response, stop };
  }
  window.batonConcert = fetch("/api/audience/concert", { headers: { Accept: "application/json" } });
  window.batonConcert.catch(() => {});
})();
