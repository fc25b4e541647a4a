// The page that follows a student: chooses a piece, hears the microphone, and shows the bar that is played.
import { Awake } from "/shared/awake.js";
import { find, make, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { knownProblem, listMicrophones, openMicrophone } from "/shared/microphone.js";
import { beginSession, listPieces, loadPiece, readNotes } from "/shared/practicesession.js";
import { goToSignIn } from "/shared/signin.js";
import { PieceMap } from "./map.js";
import { TakeOffer } from "./offer.js";
import { forgetReport, ownTake } from "./ownreport.js";
import { PartnerPanel } from "./partner/panel.js";
import { PlayedSound } from "./playedsound.js";
import { offerEarlier, showReport } from "./report.js";
import { Sheet } from "./sheet.js";
import { drawTab, markBar, readTab } from "./tabsheet.js";
import { readSharedTakes, readTakes } from "./takes.js";
import { levelWords, stateWords, summary, troubleWords } from "./words.js";

const [form, pieces, devices, start] = ["choice", "piece", "device", "start"].map(find);
const settingsKept = "baton-practice"; // in this browser: piece, device

let microphone = null;
let session = null;
let newest = null; // the follower's last position
let sound = null; // what was played
let followed = null; // the piece, with the engine, its model and the notes of its score
let lastTake = null; // as the list has those that are kept
let startedAt = 0; // of the take, by the page's clock
let shownTab = null; // the tab that is practised
/** @type {any} */
let tabView = null; // as it is drawn
const awake = new Awake(say); // A screen that locks ends the sound; the page says so when it is back.
const sheet = new Sheet();
const map = new PieceMap((played) => beginAt(played));
const partner = new PartnerPanel((played) => session?.beginAt(played));
const offer = new TakeOffer(kept);

function say(sentence) {
  write(find("say"), sentence);
  find("say").hidden = sentence === "";
}

const silent = "The server does not answer. You can practise the pieces that were practised on this device, and get "
  + "the report; the takes that you kept are there when the server answers again.";

function refused(refusal) {
  if (refusal.status === 401) goToSignIn();
  say(refusal.message);
}

async function readPieces() {
  const { pieces: list, isOld } = await listPieces();
  pieces.replaceChildren(...list.map(({ folder, name }) => make("option", { value: folder, text: name })));
  const asked = new URLSearchParams(location.search).get("piece");
  const wanted = asked ?? readKept(settingsKept)?.piece;
  const isThere = list.some(({ folder }) => folder === wanted);
  if (isThere) pieces.value = wanted;
  if (isOld) say(silent);
  else if (asked !== null && !isThere) {
    say("The piece of this link no longer exists here. Choose another one; a tab of yours is learned again if you open "
      + "it on the page Practice and choose “Practise it”.");
  }
  if (list.length === 0 && !isOld) say("No piece is prepared on this server. Prepare one on the page /prepare.");
  start.disabled = list.length === 0 || knownProblem() !== null;
  if (list.length > 0) await partner.offer(pieces.value);
  mark(form, "aria-busy", "false");
}

/** Browsers name the microphones only after one was allowed. */
async function readDevices() {
  const list = (await listMicrophones()).filter(({ name }) => name !== "");
  find("device-row").hidden = list.length < 2;
  devices.replaceChildren(...list.map(({ id, name }) => make("option", { value: id, text: name })));
  const wanted = readKept(settingsKept)?.device;
  if (list.some(({ id }) => id === wanted)) devices.value = wanted;
}

function show(position) {
  newest = position;
  partner.heard(position);
  write(find("bar"), position.bar ?? "–");
  write(find("state"), stateWords(position.state));
  mark(find("place"), "data-state", position.state);
  mark(find("place"), "data-heard", position.heard);
  map.move(position);
  if (position.state !== "lost") {
    sheet.move(position);
    if (tabView && position.bar) markBar(tabView, position.bar - 1);
  }
  write(find("link"), troubleWords(position, microphone?.rate ?? 1));
}

/** The student says at which played bar to begin. */
function beginAt(played) {
  partner.beganAt(played);
  session?.beginAt(played);
}

function showLevel(level) {
  partner.level(level);
  find("level").value = Math.max(-60, level.power);
  write(find("level-words"), levelWords(level));
}

async function begin() {
  say("");
  start.disabled = true;
  const folder = pieces.value;
  try {
    const loading = loadPiece(folder);
    loading.catch(() => {}); // told below, once the microphone is there
    const early = []; // blocks that are captured before the session exists
    sound = new PlayedSound();
    offer.forget();
    forgetReport();
    startedAt = performance.now();
    microphone = await openMicrophone({
      device: devices.value || undefined, level: showLevel,
      block: (block) => {
        partner.block(block);
        sound.add(block);
        if (session) session.hear(block);
        else early.push(block);
      },
      halted: say, ended: (problem) => finish(problem.message),
    });
    const { piece, engine, model } = await loading;
    await partner.open(microphone);
    session = await beginSession({ engine, model, rate: microphone.rate, position: show,
      script: "/practice-follow/followerworker.js", ended: (problem) => finish(problem.message) });
    for (const block of early) session.hear(block);
    followed = { piece, engine, model, notes: readNotes(folder) };
    keep(settingsKept, { piece: folder, device: devices.value });
    open(piece);
  } catch (problem) {
    await release();
    refused(problem);
  }
  start.disabled = false;
  readDevices();
}

function open(piece) {
  newest = null;
  write(find("piece-name"), piece.name);
  find("warnings").replaceChildren(...microphone.warnings.map((text) => make("li", { text })));
  write(find("bar"), "–");
  write(find("state"), stateWords("waiting"));
  map.open(piece);
  form.hidden = true;
  find("done").hidden = true;
  find("report").hidden = true;
  for (const id of ["takes", "shared"]) find(id).hidden = true;
  find("playing").hidden = false;
  sheet.open(piece);
  showTab(piece);
  awake.want(true);
  find("stop").focus();
}

/** Shows the tab of a piece that is one, with string and fret, in place of its notes. */
async function showTab(piece) {
  const place = find("tab");
  tabView = null;
  place.hidden = true;
  shownTab = await readTab(piece.tab);
  if (!shownTab || find("playing").hidden) return;
  place.hidden = false;
  find("sheet").hidden = true;
  fitTab();
}

/** Draws the tab as wide as its place is. */
function fitTab() {
  const place = find("tab");
  const width = place.clientWidth;
  if (!shownTab || place.hidden || width === 0 || width === tabView?.width) return;
  tabView = { ...drawTab(shownTab, width), width };
  place.replaceChildren(tabView.element);
  if (newest?.bar) markBar(tabView, newest.bar - 1);
}

new ResizeObserver(fitTab).observe(find("tab"));

async function release() {
  partner.close();
  await microphone?.stop();
  microphone = null;
}

/** Ends the take. `sentence` says why, if not because the student wanted it. */
async function finish(sentence = "") {
  if (!session) return;
  session.end();
  session = null; // A second press of Stop ends nothing.
  const { rate, settings } = microphone;
  await release();
  if (sentence !== "") say(sentence);
  awake.want(false);
  find("playing").hidden = true;
  find("takes").hidden = false;
  form.hidden = false;
  write(find("piece-name"), "");
  find("done").hidden = newest === null;
  if (newest) {
    write(find("summary"), summary(newest, rate));
    const take = { sound, piece: followed.piece.folder, rate, settings, startedAt };
    offer.show(take);
    lastTake = ownTake(followed, take);
    showReport(lastTake, []);
  }
  start.focus();
  offerEarlier(await readTakes().catch(ignored) ?? []);
  readSharedTakes().catch(ignored);
}

/** The take was kept, under this name. */
async function kept(name) {
  if (lastTake) lastTake.name = name;
  await readTakes().catch(refused);
}

/** The lists stay as they were if the server does not answer: practising needs no server. */
function ignored(refusal) {
  if (refusal.status !== 0) refused(refusal);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  begin();
});
find("stop").addEventListener("click", () => finish());
find("again").addEventListener("click", () => beginAt(0));
pieces.addEventListener("change", () => partner.offer(pieces.value));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // The microphone ended with the page.
addEventListener("beforeunload", (event) => offer.isSending && event.preventDefault());

// It keeps what each start loads, so that the next one needs no network.
navigator.serviceWorker?.register("/practice-sw.js", { scope: "/practice" }).catch(() => {});
setTimeout(() => navigator.serviceWorker?.controller?.postMessage("renew"), 3_000);

const problem = knownProblem();
if (problem) say(problem.message);
try {
  await readPieces();
} catch (refusal) {
  refused(refusal);
}
await readDevices();
await readTakes().catch(ignored);
await readSharedTakes().catch(ignored);
