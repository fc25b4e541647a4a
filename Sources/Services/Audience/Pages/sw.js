// Keeps the page itself on the phone, so that it opens without the hall. What was read is kept by audience/store.js.

const shell = [
  "/", "/manifest.webmanifest", "/shared/api.js", "/shared/awake.js", "/shared/dom.js", "/shared/epoch.js",
  "/shared/kept.js", "/shared/languages.js", "/shared/oneact.js", "/shared/probe.js", "/shared/slideparts.js",
  "/shared/slides.js", "/shared/stream.js", "/shared/streamsharing.js", "/shared/theme.js", "/shared/titletext.js",
  "/shared/wallclock.js",
  "/audience/broadcast.js", "/audience/concert.js", "/audience/delay.js", "/audience/early.js", "/audience/fence.js",
  "/audience/form.js", "/audience/guide.js", "/audience/hall.js", "/audience/heard.js", "/audience/home.js",
  "/audience/icon-192.png", "/audience/icon.svg", "/audience/keptsheet.js", "/audience/keys.js", "/audience/lines.js",
  "/audience/loading.js", "/audience/look.css", "/audience/looksheet.js", "/audience/main.js", "/audience/messages.js",
  "/audience/notes.js", "/audience/plain.js", "/audience/print.css", "/audience/print.js", "/audience/settings.js",
  "/audience/sheets.js", "/audience/sign.js", "/audience/signs.svg", "/audience/slides.js", "/audience/source.js",
  "/audience/store.js", "/audience/there.js", "/audience/timeline.js", "/audience/titles.js",
  "/audience/tracksheet.js", "/audience/views.css", "/audience/waiting.js", "/audience/where.js",
  "/audience/wording.js", "/audience/words.js", "/audience/wordsheet.js",
];
const prefix = "baton-page-";
const complete = "/audience/complete";
const wallClock = () => Date.now(); // eslint-disable-line no-restricted-syntax
let newest = null; // the cache that answers

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
  await clear();
}

async function clear() {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== newest) await caches.delete(name);
  }
}

async function current() {
  if (newest) return caches.open(newest);
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix)).sort().reverse();
  for (const name of names) {
    const cache = await caches.open(name);
    if (await cache.match(complete)) {
      newest = name;
      return cache;
    }
  }
  return null;
}

async function page(request, path) {
  const kept = await (await current())?.match(path);
  return kept ?? fetch(request);
}

async function picture(request) {
  const { pathname, search } = new URL(request.url);
  const cache = await caches.open("baton-kept");
  // An address that tells its version is only answered by that version.
  const kept = request.headers.get("X-Keep") ? null
    : search ? await cache.match(`${pathname}${search}&kept=concert`) : await cache.match(pathname,
      { ignoreSearch: true });
  return kept ?? fetch(request);
}

addEventListener("install", (event) => {
  event.waitUntil(load().then(() => skipWaiting()));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => {
  // A page that has been open for a while asks for the newest; its next opening has it.
  if (event.data === "renew") event.waitUntil(load().catch(() => {}));
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (address.pathname.startsWith("/images/")) event.respondWith(picture(request));
  else if (shell.includes(address.pathname)) event.respondWith(page(request, address.pathname));
});
