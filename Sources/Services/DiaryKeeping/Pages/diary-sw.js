// Keeps the diary's page on the device, so that a concert can be entered without the server.

const shell = [
  "/diary", "/diary/comparing.js", "/diary/concert.js", "/diary/curves.js", "/diary/data.js", "/diary/diary.css",
  "/diary/entering.js", "/diary/eventform.js", "/diary/events.js", "/diary/holdings.js", "/diary/main.js",
  "/diary/mine.js", "/diary/namesform.js", "/diary/outbox.js", "/diary/outside.js", "/diary/own.js", "/diary/parts.js",
  "/diary/people.js", "/diary/performers.js", "/diary/redrawing.js", "/diary/setlists.js", "/diary/videos.js",
  "/diary/statistics.js", "/diary/suggesting.js", "/diary/timeline.js", "/diary/words.js", "/shared/api.js",
  "/shared/base.css", "/shared/charts.js", "/shared/dom.js", "/shared/kept.js", "/shared/mark.svg",
  "/shared/neighbours.js", "/shared/numbers.js", "/shared/outbox.js", "/shared/probe.js", "/shared/savedwords.js",
  "/shared/signin.js", "/shared/textfile.js", "/shared/wallclock.js",
];
const name = "baton-diary";

async function load() {
  const cache = await caches.open(name);
  await cache.addAll(shell.map((path) => new Request(path, { cache: "no-cache" })));
}

/** The newest from the server, which is kept; what was kept where the server does not answer. */
async function answer(request, path) {
  const cache = await caches.open(name);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(path, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(load().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (shell.includes(address.pathname)) event.respondWith(answer(request, address.pathname));
});
