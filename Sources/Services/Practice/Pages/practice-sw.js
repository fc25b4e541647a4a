// Keeps the files of the page /practice on the device, so that it opens without the server. Tabs are kept by the page.

const shell = [
  "/practice",
  ...[
    "api.js", "awake.js", "base.css", "dialog.js", "dom.js", "kept.js", "mark.svg", "notice.css", "notice.js",
  ].map((name) => `/shared/${name}`),
  ...[
    "band.js", "drawing.js", "editor.js", "edits.js", "files.js", "history.js", "instruments.js", "keeping.js",
    "keys.js", "layout.js", "main.js", "marks.js", "model.js", "notation.js", "palette.js", "plan.js", "player.js",
    "playing.js", "plucked.js", "practice.css", "practice.webmanifest", "sheet.js", "shelf.js", "signs.js",
    "store.js", "sync.js", "tabdialog.js", "timeline.js",
  ].map((name) => `/practice/${name}`),
];
const kept = "baton-practice-page";

async function fill() {
  const cache = await caches.open(kept);
  await cache.addAll(shell.map((path) => new Request(path, { cache: "no-cache" })));
}

/** The server's file if it answers soon, because files must fit each other; else the kept one. */
async function answer(path) {
  const cache = await caches.open(kept);
  const mine = await cache.match(path);
  try {
    const fresh = await fetch(path,
      { cache: "no-cache", credentials: "same-origin", signal: mine ? AbortSignal.timeout(1_500) : undefined });
    if (fresh.ok) cache.put(path, fresh.clone());
    return fresh.ok || !mine ? fresh : mine;
  } catch (error) {
    if (mine) return mine;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !shell.includes(pathname)) return;
  event.respondWith(answer(pathname));
});
