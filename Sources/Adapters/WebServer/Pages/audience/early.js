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
  const light = kept.theme === "light" || (kept.theme === "auto" && matchMedia("(prefers-color-scheme: light)").matches);
  root.dataset.theme = light ? "light" : "dark";
  root.dataset.contrast = kept.contrast === "high" ? "high" : "normal";
  root.dataset.motion = kept.motion === "less" ? "less" : "full";
  if (Number.isFinite(kept.size)) root.style.setProperty("--size", String(kept.size));
  if (Number.isFinite(kept.brightness)) root.style.setProperty("--veil", String(1 - (Math.max(kept.brightness, 5) / 100) ** (1 / 2.2)));
  // What the stream says before anybody listens is noted down.
  const stream = { source: new EventSource("/api/audience/events"), words: [] };
  for (const name of ["snapshot", "live", "message", "content", "source"]) {
    stream.source.addEventListener(name, (event) => stream.words?.push([name, event.data]));
  }
  // Left open it would wait for seconds before it tried again.
  stream.source.onerror = () => stream.source.close();
  window.batonStream = stream;
  window.batonConcert = fetch("/api/audience/concert", { headers: { Accept: "application/json" } });
  window.batonConcert.catch(() => {});
})();
