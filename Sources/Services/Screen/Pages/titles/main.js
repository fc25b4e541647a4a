// The title operator's page: the present title, the next three, and every command by a key or a foot pedal.
import { ask, newCommandID } from "/shared/api.js";
import { Awake } from "/shared/awake.js";
import { find, make, mark, write } from "/shared/dom.js";
import { acts } from "/shared/oneact.js";
import { askRights, mayRunTitles, onlyLooks } from "/shared/rights.js";
import { goToSignIn } from "/shared/signin.js";
import { EventStream } from "/shared/stream.js";
import { showTitle } from "/shared/titletext.js";
import { TitleFiles } from "./files.js";
import { dimAll, drawScreens, readScreenSettings, takeSettingsAway } from "./screens.js";
import { Script } from "./script.js";
import { automaticNumber, passedBy, passedWords, progressWords, stateOf, wantedCommand, where } from "./words.js";

let section = null; // what the server says of the titles
let position = null; // and of the music
let follower = null;
let list; // the list of the piece, read anew with each revision; null without a piece
let isReading = false;
let retry = null; // the timer of the next trial to read it
let looksOnly = false; // the person may not command
let readTrouble = null; // the sentence that says why the list could not be read

let said = ""; // what is shown there, before a browser translates it

function say(sentence) {
  said = sentence;
  write(find("say"), sentence);
  find("say").hidden = sentence === "";
}

/** Takes a sentence back, unless another one has been shown since. */
function unsay(sentence) {
  if (said === sentence) say("");
}

/** Sends a command for the titles; the server's refusal is shown until the next one. */
async function send(...words) {
  if (looksOnly) return say(onlyLooks);
  try {
    await ask("/api/command", { method: "POST", isRepeatable: true,
      json: { command: "title", arguments: words, id: newCommandID() } });
    say("");
  } catch (refusal) {
    if (refusal.status === 401) goToSignIn();
    say(refusal.message);
  }
}

const files = new TitleFiles({ say, unsay });
const script = new Script((number) => send("goto", String(number)),
  (number, isOn) => send(isOn ? "skip" : "unskip", String(number)));

const toggles = {
  hide: () => send(section?.hidden ? "reveal" : "hide"),
  black: () => send("blank", section?.blank === "black" ? "off" : "black"),
  white: () => send("blank", section?.blank === "white" ? "off" : "white"),
  auto: () => send(section?.followsMusic ? "by-hand" : "auto"),
  previous: () => send("previous"),
  next: () => (section?.number && section.number === section.count ? say("This is the last title of the piece.")
    : send("next")),
  hurry: () => send("hurry"),
  phones: () => send("phones", section?.onPhones ? "off" : "on"),
};
const presses = { ...toggles, darker: () => looksOnly || dimAll(0.8), brighter: () => looksOnly || dimAll(1.25) };
for (const [id, run] of Object.entries(presses)) {
  find(id).addEventListener("click", (event) => acts.begins(id, event) && run());
}

// Foot pedals send Page Up and Page Down.
const keys = {
  PageDown: "next", ArrowRight: "next", ArrowDown: "next", " ": "next", PageUp: "previous", ArrowLeft: "previous",
  ArrowUp: "previous", h: "hide", b: "black", w: "white", a: "auto", f: "hurry", "-": "darker", "+": "brighter",
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (find("screen-dialog").open) return;
  // After a file was chosen the cursor is in its field, where no text is written.
  const isField = event.target.closest?.("input:not([type=file]), select");
  if (isField && !event.key.startsWith("Page")) return;
  // The space bar on a button is that button's.
  if (event.key === " " && event.target.closest?.("button, a, summary, input")) return;
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (/^[0-9/]$/.test(event.key) && !isField && !looksOnly) {
    if (event.key === "/") event.preventDefault();
    find("wanted").value = "";
    return find("wanted").focus(); // A digit itself goes into the field.
  }
  if (!action) return;
  event.preventDefault();
  if (acts.beginsWithKey(event)) presses[action]();
});

find("goto").addEventListener("submit", (event) => {
  event.preventDefault();
  const words = wantedCommand(find("wanted").value, list, section);
  if (!words) return say("No title has these words. Write a number such as 12, “bar 57”, or words of a title.");
  send(...words);
  find("wanted").value = "";
  find("wanted").blur();
});

async function readList() {
  if (isReading || !section) return;
  if (section.folder === null) {
    if (list === null) return;
    list = null;
    drawList();
    draw();
    return;
  }
  if (list?.folder === section.folder && list.revision === section.revision) return;
  isReading = true;
  clearTimeout(retry);
  const { folder, revision } = section;
  if (list?.folder !== folder) {
    files.present(undefined);
    script.use(null, looksOnly);
  }
  try {
    const read = await ask(`/api/titles/@${folder}`, { patience: 10_000 });
    // The fingerprint tells at a replacement that nobody else has changed the list; the revision, when to read it.
    list = { ...read, fingerprint: read.revision, revision };
    unsay(readTrouble);
    readTrouble = null;
    drawList();
    draw();
  } catch (refusal) {
    readTrouble = refusal.message;
    say(readTrouble);
    retry = setTimeout(readList, 2_000);
    isReading = false;
    return;
  }
  isReading = false;
  readList();
}

function drawList() {
  write(find("piece"), list?.name ?? "Titles");
  files.present(list);
  script.use(list, looksOnly);
}

/** The list of the piece on the screens; null until it is read, so that the page says nothing of an earlier one. */
const presentList = () => (list && list.folder === section?.folder ? list : null);

function drawProgress() {
  const now = presentList();
  write(find("progress"), stream.joined ? progressWords(now, section, position, follower) : "");
  const state = stateOf(section, stream.joined, automaticNumber(now, position, section?.skipped), now,
    follower?.state === "lost");
  mark(find("state"), "data-state", state.name);
  write(find("sentence"), state.sentence);
}

/** Titles that the music passed by are called out until the next one comes by itself. */
function callOut(passed) {
  write(find("passed"), passed.length > 0 ? passedWords(passed, presentList()) : "");
  find("passed").hidden = passed.length === 0;
}

function draw() {
  find("network").hidden = !stream.isHeldBack;
  drawProgress();
  const now = presentList();
  const title = now ? now.titles[(section.number ?? 0) - 1] : null;
  const place = title && (title.label || `${title.number} of ${section.count}`);
  write(find("number"), title ? `${place} · ${where(title) || "no bar"}` : "No title yet");
  drawText(title, now?.languages ?? []);
  write(find("note"), title?.note ?? "");
  mark(find("present"), "data-hidden", section?.hidden === true);
  const pressed = { hide: section?.hidden, black: section?.blank === "black", white: section?.blank === "white",
    auto: section?.followsMusic, phones: section?.onPhones };
  for (const [id, on] of Object.entries(pressed)) mark(find(id), "aria-pressed", on === true ? "true" : "false");
}

/** The present title in its box, which keeps its height: a long one in smaller letters, a longer one to scroll. */
function drawText(title, languages) {
  const box = find("text");
  const shows = JSON.stringify([title?.texts ?? {}, languages]);
  if (shows === box.dataset.shows) return;
  box.dataset.shows = shows;
  mark(box, "data-long", null);
  box.replaceChildren(...languages.filter((language) => title?.texts[language])
    .map((language) => showTitle(make("p"), title.texts[language], language)));
  mark(box, "data-long", box.scrollHeight > box.clientHeight);
  box.scrollTop = 0;
}

/** Lists of titles that could not be used when their pieces were put on: each a sentence that says what to do. */
function drawUnusable(faults) {
  const standing = faults.filter(({ id, over }) => id.startsWith("title-") && !over);
  const sentences = standing.map(({ sentence }) => sentence);
  if (JSON.stringify(sentences) === find("unusable").dataset.says) return;
  find("unusable").dataset.says = JSON.stringify(sentences);
  find("unusable").replaceChildren(...sentences.map((text) => make("li", { text })));
  find("unusable").hidden = sentences.length === 0;
}

function heard(name, value) {
  if (name === "snapshot") {
    drawUnusable(value.faults ?? []);
    for (const each of ["position", "follower", "titles", "screens"]) {
      heard(each, value[each] ?? (each === "screens" ? [] : null));
    }
    return;
  }
  if (name === "position" || name === "follower") {
    if (name === "position") position = value;
    else follower = value;
    return drawProgress();
  }
  if (name === "screens") drawScreens(value);
  if (name === "faults") drawUnusable(value);
  if (name !== "titles") return;
  const passed = passedBy(section, value);
  if (section?.number !== value?.number) callOut(passed);
  section = value;
  script.show(section?.number ?? null, passed, section?.skipped ?? []);
  readList();
  draw();
}

const stream = new EventStream(() => "/api/events", {
  heard,
  state: () => draw(),
  closed: (refusal) => refusal?.status === 401 && goToSignIn(),
}, { greeting: "snapshot", silentAfter: 3_500, retryAfter: (trials) => Math.min(250 * (trials + 1), 1_500) });
stream.start();
readScreenSettings();

/** Whoever may only look gets a sign and no commands; the lists stay theirs to load. */
async function showRights() {
  looksOnly = !(await askRights(mayRunTitles));
  if (!looksOnly) return;
  write(find("rights"), `${onlyLooks} You may load and save the lists of titles.`);
  find("rights").hidden = false;
  find("buttons").disabled = true;
  script.use(list, true);
  find("dimmers").hidden = true;
  takeSettingsAway();
}
showRights();
new Awake((sentence) => {
  write(find("dark"), sentence);
  find("dark").hidden = false;
}).want(true);
