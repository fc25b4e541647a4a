// Keeps the music stand's own files on the device, so that it opens without the server. Scores are kept by the page.

const shell = [
  "/stand",
  ...[
    "acting.js", "api.js", "awake.js", "base.css", "changes.js", "cropframe.css", "cropframe.js", "dialog.js", "dom.js",
    "follower-worker.js", "follower.js", "heardblocks.js", "ids.js", "intervals.js", "kept.js", "lastaccount.js",
    "locked.js", "mark.svg", "microphone-worklet.js", "microphone.js", "neighbours.js", "oneact.js", "outbox.js",
    "pageform.js", "practicesession.js", "probe.js", "savedwords.js", "search.js", "secure.js", "showmicrophone.js",
    "signin.js", "stream.js", "streamsharing.js", "textfile.js", "undo.js", "wallclock.js",
  ].map((name) => `/shared/${name}`),
  ...[
    "actions.js", "bartap.js", "beat.js", "beatpanel.js", "chrome.js", "content.js", "copy.js", "covers.js",
    "cropping.js", "cuts.js", "device.js", "dock.js", "evening.js", "followerworker.js", "frombar.js", "gotobar.js",
    "hands.js", "hearing.js", "home.css", "home.js", "layout.js", "leaf.js", "lens.js", "link.js", "links.js",
    "listen.js", "live.js", "look.js", "main.js", "marks.js", "metronome.js", "neighbour.js", "offline.js",
    "onward.js", "ownink.js", "paper.js", "partname.js", "pinch.js", "pinpoint.js", "pitch.js", "places.js",
    "played.js", "practise.js", "preferences.js", "programme.css", "programme.js", "reader.css", "reader.js",
    "references.js",
    "remarking.js", "rests.js", "roll.js", "roomdialog.js", "roomwire.js", "setlists.js", "settings.js",
    "sheets.js", "shelf.js", "signin.js", "start.js", "store.js", "strip.js", "systems.js", "thumbnail.js",
    "tools.css", "tools.js", "tour.js", "tuner.js", "turner.js", "turning.js", "unsentacts.js", "whereabouts.js",
    "words.js", "written.js", "zoom.js",
  ].map((name) => `/stand/${name}`),
  ...[
    "acts.js", "bar.js", "book.js", "bookmarks.js", "everypart.js", "found.js", "geometry.js", "gestures.js",
    "gifts.js", "glyphs.js", "grid.js", "hand.js", "importing.js", "ink.js", "keys.js", "layers.js", "leaders.js",
    "live.js", "misplaced.js", "picture.js", "printing.js", "remarks.css", "remarks.js", "scorestate.js",
    "scorewire.js", "sections.js", "stamps.js", "surface.js", "ticks.js", "toolbar.js", "tools.js", "wetink.js",
    "words.js", "writing.js",
  ].map((name) => `/stand/remarks/${name}`),
];
const kept = "baton-stand-page";

async function fill() {
  const cache = await caches.open(kept);
  await cache.addAll(shell.map((path) => new Request(path, { cache: "no-cache" })));
}

/** The server's file where it answers soon, for files must fit each other; else the one that is kept. */
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
// Whatever the page has loaded of its own belongs to it, also what this list has not heard of.
addEventListener("message", (event) => {
  const more = (event.data?.keep ?? []).filter((path) => !shell.includes(path));
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(more)).catch(() => {}));
});
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (shell.includes(pathname) || pathname.startsWith("/stand/") || pathname.startsWith("/shared/")) {
    event.respondWith(answer(pathname));
  }
});
