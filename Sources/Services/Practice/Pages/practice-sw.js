// Keeps the files of the pages /practice and /practice/follow on the device, so that they open without the server.
// Tabs and pieces are kept by the pages.

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
const followPage = "/practice/follow"; // which the server gives to people who are signed in
const engine = "/shared/engine.wasm"; // which a server may lack
const followed = [
  followPage,
  ...[
    "follower-worker.js", "follower.js", "heardblocks.js", "numbers.js", "practicesession.js", "signin.js",
    "takereport.js",
  ].map((name) => `/shared/${name}`),
  ...[
    "chart.js", "comparison.js", "follow.css", "followerworker.js", "main.js", "map.js", "offer.js", "ownreport.js",
    "partner/bartimes.js", "partner/held.js", "partner/holding.js", "partner/leak.js", "partner/panel.js",
    "partner/partner-worklet.js", "partner/partner.js", "partner/partnersound.js", "partner/stretch.js",
    "partner/student.js", "playedsound.js", "report.js", "reportwords.js", "reportworker.js", "sheet.js",
    "tabsheet.js", "takes.js", "versions.js", "words.js",
  ].map((name) => `/practice-follow/${name}`),
];
const prefix = "baton-practice-page-";
const complete = "/practice/complete";
/** A page that was loaded within this time, in milliseconds, is not loaded anew. */
const lasting = 60_000;
const wallClock = () => Date.now(); // eslint-disable-line no-restricted-syntax
let newest = null; // the name of the cache that answers: the prefix and the time at which it was loaded

/** The files that the server gives this person. */
async function files() {
  const answer = await fetch(followPage, { cache: "no-cache", redirect: "manual" });
  return answer.ok ? [...shell, ...followed] : shell;
}

/** Loads the pages again into a cache of its own, which is used only if no file is missing in it. */
async function load() {
  const stamps = (await caches.keys()).filter((each) => each.startsWith(prefix))
    .map((each) => Number(each.slice(prefix.length)));
  // The newest has the highest number, also after the device's clock was set back.
  const name = prefix + Math.max(wallClock(), ...stamps.map((each) => each + 1));
  const cache = await caches.open(name);
  try {
    await cache.addAll((await files()).map((path) => new Request(path, { cache: "no-cache" })));
    const module = await fetch(engine, { cache: "no-cache" });
    if (module.ok) await cache.put(engine, module);
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
  const isKept = shell.includes(pathname) || followed.includes(pathname) || pathname === engine;
  if (request.method !== "GET" || origin !== location.origin || !isKept) return;
  event.respondWith(current().then((cache) => cache?.match(pathname)).then((kept) => kept ?? fetch(request)));
});
