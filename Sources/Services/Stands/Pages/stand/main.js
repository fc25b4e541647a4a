// The music stand: the user, and the screen that is shown. Reopening the page restores the place.
import { ask } from "/shared/api.js";
import { find } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { tellWhyLocked } from "/shared/locked.js";
import { sentenceOf } from "/shared/savedwords.js";
import { Device } from "./device.js";
import { Home } from "./home.js";
import { Reader } from "./reader.js";
import { FoundRemarks } from "./remarks/found.js";
import { showSignIn } from "./signin.js";
import { deliverWaiting } from "./unsentacts.js";
import { Whereabouts } from "./whereabouts.js";
import { notice } from "./words.js";

const deliverEvery = 15_000; // ms between two looks at what waits to be delivered
const device = new Device();
const whereabouts = new Whereabouts();
let shown = null; // the room or score that was opened last
const reader = new Reader(device, {
  left: (sentence) => {
    remember(null);
    if (sentence) notice(sentence);
    // The step that brought the music up is taken back, so that the next Back does not bring it again.
    if (history.state?.screen === "reader") history.back();
    showHome();
    deliver();
  },
  where: (where) => remember(where),
  signedOut: () => settle(),
});
const home = new Home(device, {
  openRoom: (room, score) => openReader({ room, score }),
  openScore: (score, within = {}) => openReader({ room: null, score, ...within }),
  signedOut: () => {
    device.doubt();
    settle();
  },
  signOut: async () => {
    await device.signOut();
    signIn();
  },
});

new FoundRemarks(device, home, async (where, remark) => {
  await openReader(where);
  if (remark && reader.isOpen) reader.remarking.seek(remark);
});

function show(screen) {
  document.body.dataset.screen = screen;
  for (const name of ["sign-in", "home", "reader"]) find(name).hidden = name !== screen;
}

/** Keeps this user's place on every turn; reopening the page goes back to it. */
function remember(where) {
  if (device.currentID) whereabouts.keep(device.currentID, where ?? { room: null, score: null });
}

function signIn(sentence = "") {
  // Forward must not bring one person's music to the next one.
  shown = null;
  reader.close();
  show("sign-in");
  showSignIn(device, (fresh) => enter(fresh), sentence);
}

/** Whether the address asks for the evening's own room. */
const asksTonight = () => new URLSearchParams(location.search).has("tonight");

/** Joins and opens the evening's own room; false where there is none for this player. */
async function openTonight() {
  const { rooms } = await ask("/api/stand/home", { patience: 6_000 }).catch(() => ({ rooms: {} }));
  const lists = [rooms.owned, rooms.joined, rooms.notJoined].map((list) => list ?? []);
  const tonight = lists.flat().find((room) => room.isTonight);
  if (!tonight) return false;
  if (lists[2].includes(tonight)) {
    await ask(`/api/rooms/${tonight.id}/join`,
      { method: "POST", json: { event: newID(), membership: newID(), passkey: null }, patience: 12_000 });
  }
  history.replaceState(history.state, "", location.pathname);
  await openReader({ room: tonight.id, score: tonight.score });
  return true;
}

/** Somebody is in: back to where they were. Gives what this device had kept of that, or null. */
async function enter(fresh) {
  if (asksTonight()) {
    const isOpen = await openTonight().catch((refusal) => notice(refusal.message));
    if (isOpen) return null;
    if (isOpen === false) notice("Tonight’s stands are not open yet, or you were not given the music.");
  }
  const where = await whereabouts.read(device.currentID);
  const kept = where ?? (fresh?.whereabouts ? { ...fresh.whereabouts } : null);
  if (kept && (kept.room || kept.score)) await openReader(kept);
  else showHome(fresh);
  return where;
}

async function showHome(fresh = null) {
  show("home");
  const state = find("home-state");
  state.hidden = true;
  try {
    await home.open(fresh);
  } catch (refusal) {
    if (refusal.status === 401) return settle();
    state.textContent = refusal.status === 0
      ? "The server does not answer. What is on this device can be played." : refusal.message;
    state.hidden = false;
  }
}

async function openReader(where) {
  shown = where;
  if (history.state?.screen !== "reader") history.pushState({ screen: "reader" }, "");
  show("reader");
  try {
    await reader.open(where);
  } catch (refusal) {
    remember(null);
    notice(refusal.message);
    showHome();
  }
}

/** Back leads from the music to the list, and Forward to the music again. */
function followHistory({ state }) {
  const isMusic = state?.screen === "reader";
  if (!isMusic && reader.isOpen) reader.leave();
  else if (isMusic && !reader.isOpen && shown && device.current) openReader(shown);
}

/** The server does not know this user: signs in again, or asks the user to. */
async function settle() {
  const owed = device.owes;
  try {
    await device.vouch();
    if (owed) reader.rejoin();
  } catch (refusal) {
    if (refusal.status === 0 || refusal.status >= 500) return;
    if (refusal.code === "other-user" && !reader.isOpen) return settleOther(refusal.value);
    // In the middle of the music nothing is put in the way: the page stays, and a sentence says why it has no server.
    if (!reader.isOpen) return signIn("Please sign in again.");
    reader.standAlone(refusal.code === "other-user"
      ? sentenceOf("other", refusal) : sentenceOf("out"));
  }
}

/** Delivers what was made without a network in rooms and scores that are not open. */
const deliver = () => deliverWaiting(device, reader.stand, [reader.wire, reader.remarking.wire], notice);

async function start() {
  keepPage();
  addEventListener("popstate", followHistory);
  addEventListener("online", () => settle());
  addEventListener("online", deliver);
  setInterval(deliver, deliverEvery);
  if (device.current) {
    // The server's sign-in and page are checked while the music is shown already.
    const asked = device.owes ? Promise.resolve(null)
      : ask(`/api/stand/home?stand=${reader.stand}`, { patience: 6_000 }).catch((refusal) => refusal);
    const entered = enter(null);
    // Until it is known which of the two pages is the newer one, the server does not get the page of this stand.
    const user = device.currentID;
    reader.settled = Promise.all([asked, entered]).then(
      ([fresh, kept]) => fresh?.user?.id === user && device.currentID === user && reader.comeBack(fresh, kept),
      () => {});
    if (device.owes) return settle();
    const fresh = await asked;
    if (fresh?.user && fresh.user.id === device.currentID) device.admit(fresh.user);
    else if (fresh?.user) settleOther(fresh);
    else if (fresh?.status === 401) settle();
    if (fresh?.user?.id === device.currentID && !reader.isOpen && fresh.whereabouts && (await entered) === null) {
      enter(fresh);
    }
    return;
  }
  await device.settleSignOut();
  // The server must hear of a sign-out before anybody is let in.
  if (device.owes) return signIn();
  try {
    // If no sign-in is needed, or one is still valid, there is nothing to press.
    const fresh = await ask("/api/stand/home", { patience: 4_000 });
    device.admit(fresh.user);
    enter(fresh);
  } catch {
    signIn();
  }
}

/** Keeps the page itself on the device, where its address allows it. */
async function keepPage() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/stand-sw.js", { scope: "/stand" });
    const ready = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname);
    ready.active.postMessage(
      { keep: loaded.filter((path) => path.startsWith("/stand/") || path.startsWith("/shared/")) });
  } catch {
    // Then the page needs the server to open, and goes on without it once it is open.
  }
}

/** The server holds the sign-in of another user of this device. */
function settleOther(fresh) {
  device.admit(fresh.user);
  reader.close();
  enter(fresh);
}

tellWhyLocked(notice);
start();
