// The audience page: joins the stream, loads the concert, shows the right slide. Everything else loads when asked for.
import { Awake } from "/shared/awake.js";
import { find, mark, write } from "/shared/dom.js";
import { storage } from "/shared/kept.js";
import { EventStream } from "/shared/stream.js";
import { pieceNamed } from "./concert.js";
import { Delay, longestDelay } from "./delay.js";
import { Fence } from "./fence.js";
import { Hall } from "./hall.js";
import { Heard } from "./heard.js";
import { Home } from "./home.js";
import { listenToKeys } from "./keys.js";
import { line, notice } from "./lines.js";
import { Loading } from "./loading.js";
import { Messages } from "./messages.js";
import { fillPaper } from "./print.js";
import { Settings } from "./settings.js";
import { Source } from "./source.js";
import { closeSheet, dropSheet, openSheetName, settle } from "./sheets.js";
import { Slides } from "./slides.js";
import { keptConcert, keptFolders, wantAllAgain } from "./store.js";
import { Timeline } from "./timeline.js";
import { Waiting } from "./waiting.js";
import { Where } from "./where.js";
import { sayAll, say, speak } from "./words.js";

// A page that is opening has no trouble yet, in milliseconds.
const troubleAfter = 3_000;
// After so long without a word the evening is over for this phone, and slides no longer wait for the music.
const forgottenAfter = 15 * 60_000;

const settings = new Settings();
const hall = new Hall(settings);
let fence = new Fence(storage());
const delay = new Delay();
const messages = new Messages();
const awake = new Awake(() => line(say("noAwake"), { seconds: 9 }));
const home = new Home(hall);
const slides = new Slides(hall, () => show());
const timeline = new Timeline(find("timeline"));
const source = new Source();
const waiting = new Waiting();
const heard = new Heard(storage());
const where = new Where(hall, () => goLive());
const loading = new Loading(hall, { take: takeConcert, kept: () => seeKept() });
const events = {
  snapshot,
  source: (standing) => hearOf(standing),
  live: (live) => hear(live),
  message: (message) => messages.take(message),
  content: (content) => loading.want(content, 2_000),
  title: (title) => showTitle(title),
  people: (people) => takePeople(people),
  timeline: (offer) => goByFiles(offer),
};
const present = new EventStream(() => "/api/audience/events", {
  heard: (name, value) => events[name]?.(value),
  state: streamState,
}, {
  greeting: "snapshot",
  beat: "source",
  silentAfter: 2_500, // the server beats each second
  doubtAfter: 1_200,
  probes: [1, 3],
  // The spread keeps a full hall from connecting all at once.
  retryAfter: (trials) => Math.min(100 * 2 ** trials, 500) + Math.random() * 200,
  early: window.batonStream,
});
/** @type {EventStream | import("./broadcast.js").Broadcast} */
let stream = present;

let kept = new Set();
let late = null; // gives by how many seconds the files are read later; null for the present
let announces = true; // the next joining or failing is told to the listener
let said = null; // what the stream said last of the position
let behind = false; // the server's word is older than what we know
let wasLive = false;
let wasOver = false;
let knows = false; // whether the stream has said yet if anything plays
let wantsLive = false; // the listener asked for the music while the hall was out of reach

// -- What the stream says -----------------------------------------------------------------------------------------

function snapshot({ live, message, title, people, content }) {
  source.take(null);
  hear(live ?? null);
  announce();
  messages.take(message ?? null);
  showTitle(title ?? null, 0);
  takePeople(people);
  loading.want(content, 1_000);
}

/** At /listen: the phone's own microphone, in place of the hall's stream. @type {import("./athome.js").AtHome} */
let atHome = null;

/** Takes those who perform tonight, as the console has them. */
function takePeople(people) {
  hall.people = people ?? [];
  show();
}

let titles = null; // what shows titles, loaded with the first one
let newestTitle = null;

/** Shows the title of the hall's screens; listeners at home get it later. */
async function showTitle(title, delaySeconds = late ? 0 : settings.values.delay) {
  if (title === null && !titles) return;
  if (delaySeconds > 0) return setTimeout(() => showTitle(title, 0), delaySeconds * 1000);
  newestTitle = title;
  titles ??= import("./titles.js").then(({ Titles }) => new Titles(settings));
  (await titles).show(newestTitle);
}

/** Here is no stream of the present: what comes is read from files, when the broadcast is there. */
async function goByFiles({ behind: seconds }) {
  present.stop();
  const { Broadcast, leastLate } = await import("./broadcast.js");
  if (!settings.values.delay) settings.set({ delay: seconds });
  late = () => Math.max(settings.values.delay, leastLate);
  stream = new Broadcast(late, {
    begins: () => (fence = new Fence()), // files are of one relay, which lets nothing older through
    heard: (name, value) => events[name]?.(value),
  });
  stream.start();
  let moved = null;
  settings.onChange((names) => {
    if (!names.includes("delay")) return;
    clearTimeout(moved);
    moved = setTimeout(() => stream.join(), 300);
  });
}

/** Tells the listener once how it stands. */
function announce() {
  if (!announces) return;
  if (!source.isHeard) line(say("failed"), { tone: "bad" });
  else line(say(said && said.view !== "ended" ? "connected" : "nothingLive"), { tone: "good" });
  announces = false;
}

/** Notes the state of a relay's connection to the hall, of which it tells each second. */
function hearOf(standing) {
  const was = source.isHeard;
  source.take(standing);
  if (!was && source.isHeard && !announces) line(say("connected"), { tone: "good" });
  announce();
  if (was !== source.isHeard) tick();
}

/** Takes a live position unless we know better. */
function hear(live) {
  said = live;
  announces ||= wantsLive;
  const believed = live === null || fence.admits(live);
  behind = !believed;
  if (believed) {
    knows = true;
    hall.heardBefore = heard.take(live);
    delay.hear(live, performance.now());
  }
  tick();
}

function streamState(state) {
  if (state === "lost" && announces) {
    line(say("failed"), { tone: "bad" });
    announces = false;
  }
  show();
}

/** Updates the screen to the live position of so many seconds ago. */
function tick() {
  const live = atHome ? atHome.live : delay.at(performance.now(), late ? 0 : settings.values.delay * 1000,
    (of) => pieceNamed(hall.concert, of.pieceName)?.measures);
  const isCarried = hall.take(atHome ? live : knows ? isForgotten() ? null : live : undefined);
  // The address names where the listener is now, so that a reload finds the music again.
  if (isCarried) history.replaceState(history.state, "", location.pathname + location.search);
  if (wantsLive && hall.live && hall.view.name !== "live") location.hash = "";
  if (live && hall.concert && !pieceNamed(hall.concert, live.pieceName)) {
    loading.want({ revision: `with ${live.pieceName}` }, 1_000);
  }
  const isLive = hall.live !== null;
  if (hall.joined && hall.isOver && !wasOver && hall.last) line(say("over"), { seconds: 5 });
  else if (wasLive && !isLive && hall.joined) {
    line(say(hall.phase === "during" && !hall.isBrokenOff ? "quiet" : "ended"), { seconds: 5 });
  }
  [wasLive, wasOver] = [isLive, hall.isOver];
  show();
}

const isForgotten = () => Math.max(stream.silence, source.silence()) > forgottenAfter;
// A connection that comes back at once was never away. Without a beat the lamp goes out before the connection is given
// up, which costs every listener another one.
const isJoined = () => atHome !== null || (late ? stream.joined : stream.silence < lampAfter(stream));
const lampAfter = ({ isHeldBack }) => (isHeldBack ? 2_500 : 1_500);

function joinAgain() {
  if (atHome) return;
  announces = true;
  stream.join();
}

// -- The concert's content ----------------------------------------------------------------------------------------

function takeConcert(concert) {
  hall.concert = concert;
  document.title = hall.title || "Concert";
  tick();
  atHome?.offer();
  openEarlier().catch(() => {});
  showNotice(); // nothing is waited for any more
}

async function seeKept() {
  kept = await keptFolders();
  show();
}

async function refresh() {
  const button = find("refresh");
  if (button.getAttribute("aria-busy") === "true") return;
  mark(button, "aria-busy", true);
  const least = new Promise((go) => setTimeout(go, 700));
  fence.forget();
  wantAllAgain();
  joinAgain();
  navigator.serviceWorker?.controller?.postMessage("renew");
  const done = await loading.load({ fresh: true }).then(() => true, () => false);
  await least;
  mark(button, "aria-busy", null);
  line(say(done ? "fresh" : "stale"), { tone: done ? "good" : "bad" });
}

// -- Where the listener goes --------------------------------------------------------------------------------------

function route() {
  wantsLive = false;
  const [name, argument = ""] = decodeURIComponent(location.hash.slice(2)).split("/");
  if (openSheetName() && !history.state?.sheet) dropSheet();
  if (name === "programme") hall.go({ name: "home" });
  else if (name === "piece") hall.go({ name: "piece", folder: argument });
  else if (name === "notes") hall.go({ name: "notes" });
  else if (name === "words") hall.go({ name: "words", word: argument === "" ? null : Number(argument) });
  else hall.go({ name: "live" });
  openEarlier().catch(() => {});
  show();
}

/** A piece of another evening is read as this phone kept it. */
async function openEarlier() {
  const { name, folder } = hall.view;
  if (name !== "piece" || !hall.concert || hall.piece) return;
  const answer = "caches" in window ? await caches.match(`/kept/${folder}/data.json`) : null;
  if (!answer) return;
  const { piece, glossary } = await answer.json();
  hall.earlier = { folder, piece, glossary };
  show();
}

function goLive() {
  joinAgain();
  // Without the hall there is nothing to go to: what is read stays, and the music takes over when it is heard.
  if (!hall.live && !hall.joined) {
    announces = false;
    wantsLive = true;
    line(say("noStream"), { tone: "bad", seconds: 5 });
    return show();
  }
  if (hall.view.name !== "live") goTo("");
  else hall.page = null;
  tick();
}

/** Goes to another place of the page; also from one whose address already says so. */
function goTo(hash) {
  if (location.hash === hash || location.hash === "#" && hash === "") route();
  else location.hash = hash;
}

const sheets = {
  help: async () => (await import("./guide.js")).openHelp(hall),
  info: async () => (await import("./guide.js")).openInfo(hall),
  look: async () => (await import("./looksheet.js")).openLook(hall, settings),
  kept: async () => (await import("./keptsheet.js")).openKept(hall, seeKept),
  tracks: async () => (await import("./tracksheet.js")).openTracks(hall, settings),
  form: async () => (await import("./form.js")).openForm(hall, () => show()),
};

function changeSize(by) {
  settings.set({ size: Math.min(2.2, Math.max(0.8, Math.round((settings.values.size + by) * 10) / 10)) });
}

// -- What is shown ------------------------------------------------------------------------------------------------

let toldFirst = false;

function show() {
  hall.joined = isJoined() && source.isHeard;
  const screen = hall.concert ? hall.screen : "wait";
  const { piece, live } = hall;
  mark(find("app"), "data-screen", screen);
  mark(document.body, "data-joined", hall.joined);
  for (const name of ["slides", "home", "words", "notes"]) find(name).hidden = screen !== name;
  find("deck").hidden = screen !== "slides" || !piece;
  find("back").hidden = screen === "home" || screen === "wait";
  find("refresh").hidden = screen !== "home";
  const alone = piece && (piece.work === piece.movement || !piece.movement);
  write(find("heading-work"), screen !== "slides" || !piece ? ""
    : [piece.composer, alone ? "" : `${piece.work}:`].filter(Boolean).join(", "));
  const names = { slides: piece?.movement || piece?.name || live?.pieceName || "", words: say("glossary"),
    notes: say("programmeNotes") };
  write(find("heading-name"), names[screen] ?? hall.title);
  // On the programme the title stands below, large.
  mark(find("heading-name"), "class", screen === "home" ? "spoken" : null);
  showLive(live);
  where.show(screen);
  if (screen !== "slides") find("goes-on").hidden = true;
  if (screen === "slides") {
    slides.show();
    timeline.show(hall);
    if (!toldFirst && hall.atLive) tellFirst();
  } else if (screen === "home") home.show(kept);
  else if (screen === "notes") import("./notes.js").then(({ showNotes }) => showNotes(hall.concert));
  else if (screen === "words") {
    import("./wording.js").then(({ showWords }) => hall.view.name === "words" && showWords(hall));
  }
  const dark = live?.view === "black";
  if (find("black").hidden === dark) {
    find("black").hidden = !dark;
    settle();
  }
  awake.want(settings.values.awake && isJoined());
}

function showLive(live) {
  const green = hall.atLive && !behind;
  // Red is for trouble alone: reading elsewhere, and a hall in which nothing plays, are none.
  const trouble = behind || !hall.joined && performance.now() > troubleAfter;
  mark(find("live"), "data-live", green);
  mark(find("live"), "data-trouble", trouble);
  const isGone = trouble && !behind && (!live || isForgotten());
  const seconds = atHome ? 0 : late?.() ?? settings.values.delay;
  mark(find("live"), "aria-label", say(green && seconds ? "liveLate" : green ? "liveOn" : isGone ? "liveGone"
    : trouble ? "liveTrouble" : live ? "liveOff" : hall.isOver ? "liveOver" : "liveQuiet", { n: seconds }));
  write(find("live-text"), say(isGone ? "noLive" : live && seconds ? "late" : "live", { n: seconds }));
}

/** For measuring: when the first right slide was painted. */
function tellFirst() {
  toldFirst = true;
  requestAnimationFrame(() => setTimeout(() => performance.mark("baton-first-slide")));
}

/** A connection that comes back at once deserves no words; one that stays away does. */
function showNotice() {
  const away = !stream.joined && stream.silence > 3_000 && performance.now() > 3_000;
  const isOutside = (stream.silence === Infinity || stream.silence > 20_000) && !stream.reachesServer;
  const words = atHome ? null : stream.isHeldBack ? say("heldBack") : away ? say(isOutside ? "offline" : "reconnecting")
    : source.silence() > 1_000 ? say("notHeard") : behind ? say("behind") : null;
  notice(words);
  waiting.show(!hall.concert, words ?? say("waiting"));
  showLive(hall.live);
  if (hall.joined !== (isJoined() && source.isHeard)) show();
}

function inOtherWords() {
  const changed = speak(settings.values.language);
  if (changed || document.body.dataset.spoken === undefined) sayAll();
  document.body.dataset.spoken = document.documentElement.lang;
  return changed;
}

// -- Beginning ----------------------------------------------------------------------------------------------------

inOtherWords();
settings.onChange((names) => {
  if (names.includes("language") && inOtherWords() && hall.view.name === "words") find("word").dataset.name = "";
  tick();
  slides.fit();
});
for (const button of document.querySelectorAll("[data-opens]")) {
  button.addEventListener("click", sheets[button.dataset.opens]);
}
find("tracks").addEventListener("click", sheets.tracks);
find("timeline").addEventListener("click", sheets.form);
find("live").addEventListener("click", goLive);
find("now").addEventListener("click", goLive);
find("refresh").addEventListener("click", refresh);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  find("main").focus();
});
addEventListener("hashchange", route);
addEventListener("popstate", route);
addEventListener("beforeprint", () => fillPaper(hall));
listenToKeys({
  previous: () => hall.screen === "slides" && !openSheetName() ? slides.turn(-1) : false,
  next: () => hall.screen === "slides" && !openSheetName() ? slides.turn(1) : false,
  live: goLive, home: () => (location.hash = "#/programme"), words: () => (location.hash = "#/words"),
  tracks: () => hall.screen === "slides" ? sheets.tracks() : false, form: () => hall.screen === "slides"
    ? sheets.form() : false,
  look: sheets.look, help: sheets.help, larger: () => changeSize(0.1), smaller: () => changeSize(-0.1),
  close: () => messages.dismiss() || (openSheetName() ? closeSheet() : false),
});

if (history.state?.sheet) history.replaceState(null, "", location.href);
const asked = new URLSearchParams(location.search).get("behind");
if (asked !== null) {
  // Said once, by a broadcaster's link; from now on the listener's own setting.
  settings.set({ delay: Math.min(Math.max(Math.round(Number(asked)) || 0, 0), longestDelay) });
  history.replaceState(history.state, "", location.pathname + location.hash);
}
route();
if (location.pathname === "/listen") {
  const { AtHome } = await import("./athome.js");
  atHome = new AtHome(hall, tick);
} else stream.start();
setInterval(showNotice, 200);
setInterval(() => (settings.values.delay || isForgotten()) && tick(), 200);
keptConcert().then((concert) => concert && !hall.concert && takeConcert(concert)).catch(() => {});
seeKept().catch(() => {}); // the marks stand also where the hall is out of reach
const first = window.batonConcert;
loading.load({ first }).then(seeKept, () => tryAgain());

/** The hall was out of reach when the page opened: ask again each time the stream has come back. */
function tryAgain() {
  let asks = false;
  const timer = setInterval(async () => {
    if (asks || !stream.joined) return;
    asks = true;
    await loading.load().then(() => clearInterval(timer), () => {});
    asks = false;
  }, 700);
}

if ("serviceWorker" in navigator) {
  // After the first slide: until then every byte is for it.
  setTimeout(() => navigator.serviceWorker.register("/sw.js").catch(() => {}), 1_500);
  setTimeout(() => navigator.serviceWorker.controller?.postMessage("renew"), 15_000 + Math.random() * 45_000);
}
