// The page of a speaker: the floor, the own slides with the next one and notes, pen and pointer, and handing on.
import { Awake } from "/shared/awake.js";
import { find, mark, write } from "/shared/dom.js";
import { DrawingsStream, Ink } from "/shared/ink.js";
import { keep, readKept } from "/shared/kept.js";
import { notice } from "/shared/notice.js";
import { acts } from "/shared/oneact.js";
import { withShownNames } from "/shared/shownnames.js";
import { goToSignIn } from "/shared/signin.js";
import { wallClock } from "/shared/wallclock.js";
import { Notes } from "./notes.js";
import { Pen } from "./pen.js";
import { Session } from "./session.js";
import { buildPeople, buildThumbnails } from "./lists.js";
import { Videos, lengthOf } from "./videos.js";
import { nameOf, ownEntry, stateOf, turnWords } from "./words.js";

let me = null; // the own number
let floor = null; // the newest state
let showClock = null; // { now, at }: the show's time, and the page's clock when it came
let heldSince = null; // ms of the page's clock, since when the own turn lasts; below zero before the page was opened
let heldTurn = null; // the turn to which that belongs

const session = new Session({
  heard(name, value) {
    if (name === "you") me = value.id;
    if (name === "floor") floor = { ...value, presenters: withShownNames(value.presenters) };
    if (name === "clock") showClock = { now: value.now, at: performance.now() };
    if (name !== "clock") paint();
  },
  state(state) {
    if (state === "joined") {
      drawings.start();
      videos.reread().then(paint);
    }
    paint();
  },
  ended(sentence) {
    [me, floor] = [null, null];
    showJoin(sentence);
  },
});

const ink = new Ink();
const videos = new Videos(find("videos"), session, (action, more) => act(action, more));
const notes = new Notes(find("notes"), find("notes-title"));
const pen = new Pen(find("now"), find("now-picture"), ink, session, { failed: complain, step: (name) => act(name) });
const drawings = {
  stream: null,
  start() {
    if (this.stream) return;
    this.stream = new DrawingsStream({
      shown: () => showInk(),
      added: (stroke) => isShown(this.stream.known) && ink.add(stroke),
      pointed: (place) => ink.point(place),
    });
    this.stream.start();
  },
};
find("now").append(ink.element);

const isShown = ({ document, page }) => floor?.screen.document === document && floor?.screen.page === page;

function showInk() {
  const known = drawings.stream?.known;
  ink.show(known && isShown(known) ? known.strokes : []);
}

function say(sentence, place = find("say")) {
  write(place, sentence);
  place.hidden = sentence === "";
}

function complain(refusal) {
  say(refusal.message);
}

// The actions that pass the floor on: while one is on its way, a second click was meant for it.
const passing = new Set(["request", "withdraw-request", "hand-over", "lend", "recall", "return"]);
const onTheirWay = new Set();

async function act(action, more) {
  const order = JSON.stringify([action, more]);
  if (passing.has(action) && onTheirWay.has(order)) return;
  onTheirWay.add(order);
  try {
    await session.act(action, more);
    say("");
  } catch (refusal) {
    complain(refusal);
  } finally {
    onTheirWay.delete(order);
  }
}

// -- Joining ----------------------------------------------------------------------------------------------------

function showJoin(sentence = "") {
  const { name = "", code = "" } = session.kept;
  find("name").value ||= name;
  // The moderator's QR code has the code after the address.
  find("code").value ||= new URLSearchParams(location.hash.slice(1)).get("code") ?? code;
  find("join").hidden = false;
  find("desk").hidden = find("leave").hidden = true;
  write(find("me"), "Speak");
  say(sentence, find("join-say"));
}

async function join(isAccount) {
  const name = find("name").value.trim();
  const place = find("join-say");
  if (name === "") {
    find("name").focus();
    return say("Write the name under which the moderator sees you.", place);
  }
  for (const button of find("join").querySelectorAll("button")) button.disabled = true;
  say("", place);
  try {
    await session.join(name, find("code").value.trim(), isAccount, (sentence) => say(sentence, place));
    showDesk();
  } catch (refusal) {
    if (isAccount && refusal.status === 401) return goToSignIn();
    say(refusal.message, place);
  } finally {
    for (const button of find("join").querySelectorAll("button")) button.disabled = false;
  }
}

function showDesk() {
  find("join").hidden = true;
  find("desk").hidden = find("leave").hidden = false;
  write(find("me"), session.kept.name ?? "Speak");
  paint();
}

find("join").addEventListener("submit", (event) => {
  event.preventDefault();
  join(false);
});
find("account").addEventListener("click", () => join(true));

// -- The desk ---------------------------------------------------------------------------------------------------

/** Shows a picture, or words in its place; the picture before stays until the new one is there. */
function showPicture(id, address, words) {
  const picture = find(`${id}-picture`);
  write(find(`${id}-words`), words);
  mark(picture, "alt", words);
  picture.parentElement.dataset.words = String(!address);
  picture.hidden = !address;
  if (address && picture.getAttribute("src") !== address) picture.src = address;
}

find("now-picture").addEventListener("load", ({ target }) => ink.fit(target.naturalWidth, target.naturalHeight));

/**
 * Since when the own turn lasts; a page that was loaded anew knows it still. Another show counts its epochs from the
 * beginning again, so the turn is the session's too.
 */
function noteTurn(holdsFloor) {
  if (!holdsFloor) return void ([heldSince, heldTurn] = [null, null]);
  const turn = `${session.kept.token} ${floor.epoch}`;
  const kept = readKept("baton.present.turn");
  const since = kept?.turn === turn ? kept.since : wallClock();
  if (kept?.turn !== turn) keep("baton.present.turn", { turn, since });
  if (heldTurn !== turn) heldSince = performance.now() - Math.max(0, wallClock() - since);
  heldTurn = turn;
}

const screenWords = { none: "", black: "The screen is black.", white: "The screen is white." };

function paint() {
  const state = stateOf(floor, me, session.joined, session.isHeldBack);
  mark(find("state"), "data-state", state.name);
  write(find("sentence"), state.sentence);
  write(find("queue"), state.queue);
  if (!floor) return;
  const own = ownEntry(floor, me);
  if (own) write(find("me"), own.name);
  const holds = floor.holder === me && me !== null;
  const isOwnShown = holds && floor.screen.kind === "page" && floor.screen.document === own?.document;
  noteTurn(holds);
  pen.isAllowed = isOwnShown;
  const blank = screenWords[floor.screen.blank];
  const page = floor.screen.page ? `Slide ${floor.screen.page}. ` : "";
  const shown = isOwnShown ? session.picture(own.document, own.page) : floor.screen.image;
  const nothing = floor.screen.kind === "video" ? `The video ${floor.screen.video.name}` : "Nothing is shown.";
  mark(find("now"), "data-cover", blank ? floor.screen.blank : null);
  showPicture("now", shown, floor.screen.kind === "page" ? page + blank : blank || nothing);
  const others = floor.screen.presenter === me || floor.screen.presenter === null ? ""
    : ` · ${nameOf(floor, floor.screen.presenter)}`;
  const whose = isOwnShown ? ` of ${own.pages}` : others;
  const cover = blank ? ` · ${floor.screen.blank}${floor.screen.blankedByModerator ? ", by the moderator" : ""}` : "";
  write(find("shown-title"),
    `On the screen${floor.screen.page ? ` · slide ${floor.screen.page}` : ""}${whose}${cover}`);
  paintNext(own, isOwnShown);
  paintButtons(own, holds, isOwnShown);
  notes.show(own?.document ?? null, own?.page ?? 0);
  buildThumbnails(find("thumbnails"), own, holds, session, (number) => act("go-to", { page: number }));
  // Without a connection it is not known who has the floor by now.
  buildPeople(find("people"), session.joined ? floor : { ...floor, holder: null }, me,
    (action, more) => act(action, more));
  paintVideos();
  showInk();
}

/** The show's time at a time of the page's clock, in ms; null if it is not known. */
const showTime = (now) => (showClock ? showClock.now + now - showClock.at : null);

function paintVideos() {
  if (!floor) return;
  const isOwn = floor.screen.kind === "video" && floor.screen.presenter === me && me !== null;
  videos.paint(isOwn ? floor.screen : null, floor.holder === me && me !== null, showTime(performance.now()));
}

function paintNext(own, isOwnShown) {
  const next = !own?.document ? null : !isOwnShown ? own.page : own.page < own.pages ? own.page + 1 : null;
  write(find("coming-title"), isOwnShown ? "Next" : "Yours, when you get the floor");
  const words = next ? `Slide ${next} of ${own.pages}` : own?.document ? "This is the last slide." : "No slides yet.";
  showPicture("next", next ? session.picture(own.document, next) : null, words);
}

function paintButtons(own, holds, isOwnShown) {
  const asks = floor.requests.includes(me);
  find("ask").hidden = holds || asks;
  find("unask").hidden = holds || !asks;
  find("return").hidden = !holds;
  find("recall").hidden = holds || floor.lender !== me;
  // Without a connection nothing of this reaches the hall.
  const turns = holds && session.joined && Boolean(own?.document);
  find("previous").disabled = !turns || (isOwnShown && own.page <= 1);
  find("next").disabled = !turns || (isOwnShown && own.page >= own.pages);
  for (const field of find("goto").elements) field.disabled = !turns;
  find("wanted").placeholder = own?.document ? `Slide 1 to ${own.pages}` : "Slide number";
  mark(find("desk"), "data-empty", !own?.document || null);
  for (const colour of ["black", "white"]) {
    find(colour).disabled = !holds || !session.joined || floor.screen.blankedByModerator;
    mark(find(colour), "aria-pressed", String(floor.screen.blank === colour));
  }
  mark(find("quiet"), "aria-pressed", String(own?.doNotDisturb === true));
  find("tools").hidden = !isOwnShown;
}

const buttons = {
  ask: () => act("request"), unask: () => act("withdraw-request"), return: () => act("return"),
  recall: () => act("recall"), quiet: () => act("do-not-disturb", { on: !ownEntry(floor, me)?.doNotDisturb }),
  previous: () => act("previous"), next: () => act("next"),
  black: () => act("blank", { colour: floor?.screen.blank === "black" ? "none" : "black" }),
  white: () => act("blank", { colour: floor?.screen.blank === "white" ? "none" : "white" }),
  leave: () => act("leave"), clear: () => pen.clear(),
};
for (const [id, run] of Object.entries(buttons)) {
  find(id).addEventListener("click", (event) => acts.begins(id, event) && run());
}

find("goto").addEventListener("submit", (event) => {
  event.preventDefault();
  const page = Number(find("wanted").value.trim());
  const { pages = 0 } = ownEntry(floor, me) ?? {};
  if (!Number.isInteger(page) || page < 1 || page > pages) return say(`Write the number of a slide, 1 to ${pages}.`);
  act("go-to", { page });
  find("wanted").value = "";
  find("wanted").blur();
});

for (const button of find("tools").querySelectorAll("[data-tool]")) {
  button.addEventListener("click", () => {
    pen.choose(pen.tool === button.dataset.tool ? null : button.dataset.tool);
    for (const each of find("tools").querySelectorAll("[data-tool]")) {
      mark(each, "aria-pressed", String(each.dataset.tool === pen.tool));
    }
  });
}
find("colour").addEventListener("change", ({ target }) => (pen.colour = target.value));

// Presenters for the hand send Page Up and Page Down.
const keys = { PageDown: "next", ArrowRight: "next", " ": "next", PageUp: "previous", ArrowLeft: "previous",
  b: "black", w: "white", ".": "black" };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || find("desk").hidden) return;
  // A presenter for the hand works wherever the cursor is. After a file was chosen the cursor is in its field.
  const isField = event.target.closest?.("input:not([type=file]), textarea, select");
  if (isField && !event.key.startsWith("Page")) return;
  if (event.key === " " && event.target.closest?.("button, a, label, input")) return;
  const id = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!id || find(id).disabled) return;
  event.preventDefault();
  if (acts.beginsWithKey(event)) buttons[id]();
});

// -- Slides -----------------------------------------------------------------------------------------------------

find("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  target.value = "";
  if (!file) return;
  find("upload").hidden = false;
  find("file-label").setAttribute("aria-disabled", "true");
  const isVideo = file.type.startsWith("video/") || /\.(mp4|m4v|webm|ogv)$/i.test(file.name);
  try {
    const { document, pages } = await session.upload(file, (share, isChecked) => {
      find("progress").value = share;
      write(find("upload-say"), isChecked ? `${file.name}: being checked …`
        : `${file.name}: ${Math.floor(100 * share)} %`);
    }, isVideo);
    find("progress").value = 1;
    say("");
    if (isVideo) {
      videos.remember(document, await lengthOf(file));
      await videos.reread();
      write(find("upload-say"), `${file.name}: ready.`);
      notice(`Your video ${file.name} is ready.`);
    } else {
      notes.name(document, file.name);
      write(find("upload-say"), `${file.name}: ${pages} ${pages === 1 ? "slide" : "slides"}, ready.`);
      notice(`Your slides are ready: ${pages} pages.`);
    }
    paint();
  } catch (refusal) {
    find("upload").hidden = true;
    say(`${file.name}: ${refusal.message}`);
  }
  find("file-label").removeAttribute("aria-disabled");
});

setInterval(() => {
  const now = performance.now();
  write(find("clock"), new Date(wallClock()).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }));
  const showNow = showTime(now);
  const turn = turnWords(floor, me, heldSince, now, showNow);
  find("elapsed").hidden = turn === null;
  if (turn !== null) write(find("elapsed"), turn);
  paintVideos();
}, 250);

if (session.resume()) showDesk();
else showJoin();
new Awake((sentence) => notice(sentence, { seconds: 15 })).want(true);
