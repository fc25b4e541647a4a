// Keeps the files of the page /practice on the device, so that it opens without the server, and what /practice/follow
// loads at each start. Tabs and pieces are kept by the pages.

const shell = [
  "/practice",
  ...[
    "api.js", "awake.js", "base.css", "dialog.js", "dom.js", "ids.js", "kept.js", "lastaccount.js", "latency.js",
    "mark.svg", "microphone-worklet.js", "microphone.js", "neighbours.js", "notice.css", "notice.js", "outbox.js",
    "pitch.js", "probe.js", "savedwords.js", "tab.css", "tabdrawing.js", "tablayout.js", "tabmarks.js", "tabmodel.js",
    "tabnotation.js", "tabsigns.js", "textfile.js", "undo.js", "wallclock.js",
  ].map((name) => `/shared/${name}`),
  ...[
    "band.js", "copytitle.js", "ear.js", "editor.js", "edits.js", "fault.js", "files.js", "following.js", "foot.js",
    "instruments.js", "keeping.js", "keys.js", "library.js", "main.js", "palette.js", "plan.js",
    "player.js", "playing.js", "plucked.js", "practice.css", "practice.webmanifest", "preview.js", "readers.js",
    "sheet.js", "shelf.js", "store.js", "sync.js", "tabdialog.js", "timeline.js",
  ].map((name) => `/practice/${name}`),
];
const prefix = "baton-practice-page-";
const complete = "/practice/complete";
/** A page that was loaded within this time, in milliseconds, is not loaded anew. */
const lasting = 60_000;
const wallClock = () => Date.now(); // eslint-disable-line no-restricted-syntax
let newest = null; // the name of the cache that answers: the prefix and the time at which it was loaded

/** Loads the whole page again into a cache of its own, which is used only if no file is missing in it. */
async function load() {
  const stamps = (await caches.keys()).filter((each) => each.startsWith(prefix))
    .map((each) => Number(each.slice(prefix.length)));
  // The newest has the highest number, also after the device's clock was set back.
  const name = prefix + Math.max(wallClock(), ...stamps.map((each) => each + 1));
  const cache = await caches.open(name);
  try {
    await cache.addAll(shell.map((path) => new Request(path, { cache: "no-cache" })));
    await cache.put(complete, new Response("complete"));
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
  newest = name;
  for (const each of await caches.keys()) if (each.startsWith(prefix) && each !== name) await caches.delete(each);
}

/** The newest complete cache; null if there is none. */
async function current() {
  if (newest) return caches.open(newest);
  for (const name of (await caches.keys()).filter((each) => each.startsWith(prefix)).sort().reverse()) {
    const cache = await caches.open(name);
    if (!await cache.match(complete)) continue;
    newest = name;
    return cache;
  }
  return null;
}

/** A page that is open asks for the newest one, which its next opening has. */
async function renew() {
  await current();
  const age = newest ? wallClock() - Number(newest.slice(prefix.length)) : Infinity;
  if (age > lasting || age < 0) await load().catch(() => {});
}

addEventListener("install", (event) => event.waitUntil(load().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.data === "renew" && event.waitUntil(renew()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || !shell.includes(pathname)) return;
  event.respondWith(current().then((cache) => cache?.match(pathname)).then((kept) => kept ?? fetch(request)));
});
