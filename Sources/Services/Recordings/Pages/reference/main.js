// Makes recorded evenings references: choose an evening and its pieces, follow the work, hear the doubtful bars.
import { ask } from "/shared/api.js";
import { find, make, mark, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { goToSignIn } from "/shared/signin.js";
import { barName, doubtSentence, eveningFacts, eveningLine, pieceFacts, stateOf } from "./words.js";

const readEvery = 1000; // ms
const leadSeconds = 2; // heard before a doubtful bar

const [form, evenings, pieces, others, start, trouble, jobs] = ["choice", "recording", "pieces", "other-pieces",
  "start", "say", "jobs"].map(find);
const shown = new Map(); // id → { element, outline, stage, bar }
let choices = { recordings: [], pieces: [] };
let mayHear = false;

function say(sentence) {
  write(trouble, sentence);
  trouble.hidden = sentence === "";
}

function refused(refusal) {
  if (refusal.status === 401) goToSignIn();
  say(refusal.message);
}

const chosen = () => choices.recordings.find(({ name }) => name === evenings.value);

function pieceRow(piece, evening, isChecked) {
  const isUsed = piece.references.includes(evening);
  const box = make("input", { type: "checkbox", name: "piece", value: piece.folder, disabled: isUsed,
    checked: isChecked && !isUsed });
  return make("li", {}, make("label", {}, box, make("span", {}, make("span", { text: piece.name }),
    make("span", { class: "faint", text: pieceFacts(piece, evening) }))));
}

function showPieces() {
  const evening = chosen();
  find("recording-facts").textContent = evening ? eveningFacts(evening) : "There are no recordings with sound.";
  const played = new Set(evening?.pieces ?? []);
  const own = choices.pieces.filter(({ folder }) => played.has(folder));
  const rest = choices.pieces.filter(({ folder }) => !played.has(folder));
  pieces.replaceChildren(...own.map((piece) => pieceRow(piece, evening?.name, true)));
  if (own.length === 0) {
    pieces.append(make("li", { class: "faint", text: choices.pieces.length > 0
      ? "The recording does not say which prepared pieces were played: choose them below."
      : "No piece is prepared on this server." }));
  }
  others.replaceChildren(...rest.map((piece) => pieceRow(piece, evening?.name, false)));
  find("others").hidden = rest.length === 0;
  if (own.length === 0) find("others").open = true;
  enable();
}

function enable() {
  start.disabled = !chosen() || form.querySelectorAll('input[name="piece"]:checked').length === 0;
}

async function readChoices() {
  try {
    choices = await ask("/api/references", { patience: 20_000 });
  } catch (refusal) {
    refused(refusal);
    return;
  }
  const wanted = evenings.value || new URLSearchParams(location.search).get("recording");
  evenings.replaceChildren(...choices.recordings.map((each) =>
    make("option", { value: each.name, text: eveningLine(each) })));
  if (choices.recordings.some(({ name }) => name === wanted)) evenings.value = wanted;
  showPieces();
  form.setAttribute("aria-busy", "false");
}

/** Plays a doubtful bar from a little before; only one player is on the page. */
function play(job, place, row) {
  document.querySelector("audio")?.remove();
  const audio = make("audio", { controls: true, preload: "metadata",
    src: `/api/recordings/${encodeURIComponent(job.recording)}/${place.part}`,
    onerror: () => say("This part cannot be played: it no longer exists, or this browser cannot play FLAC.") });
  audio.addEventListener("loadedmetadata", () => {
    audio.currentTime = Math.max(0, place.seconds - leadSeconds);
    audio.play().catch(() => {}); // The element's own error is told above.
  }, { once: true });
  row.append(audio);
}

function barRow(job, bar) {
  const name = barName(bar);
  const row = make("li", {}, make("span", {}, make("span", { text: `${name[0].toUpperCase()}${name.slice(1)} ` }),
    make("span", { class: "faint", text: `${duration(bar.place.seconds)} in part ${bar.place.part}: ${
      bar.reasons.join(", ")}` })));
  if (mayHear) {
    row.append(make("button", { type: "button", "aria-label": `Hear ${name}`, text: "Hear",
      onclick: () => play(job, bar.place, row) }));
  }
  return row;
}

function resultPart(job, result) {
  const bars = result.doubtful.length === 0 ? null : make("details", { class: "doubts" },
    make("summary", { text: doubtSentence(result) }),
    mayHear ? null : make("p", { class: "faint", text: "Technicians and administrators may hear them." }),
    make("ul", {}, ...result.doubtful.map((bar) => barRow(job, bar))));
  return make("section", { class: "result", "data-piece": result.piece }, make("h3", { text: result.name }),
    ...result.sentences.map((sentence) => make("p", { class: "soft", text: sentence })),
    bars ?? make("p", { class: "soft", text: doubtSentence(result) }));
}

const nameOf = (folder) => choices.pieces.find((piece) => piece.folder === folder)?.name ?? folder;

async function end(job, button) {
  button.disabled = true;
  try {
    await ask(`/api/references/jobs/${job.id}`, { method: "DELETE" });
    say("");
  } catch (refusal) {
    refused(refusal);
  }
  await readJobs();
}

const outlineOf = (job) => JSON.stringify([job.state, job.sentence, job.results.length, job.refusals, mayHear,
  choices.pieces.length]);
const isOver = ({ state }) => state !== "waiting" && state !== "running";

function card(job) {
  const stage = make("p", { class: "state", role: "status" });
  const bar = job.state === "running" ? make("progress", { max: "1", "aria-label": "Progress" }) : null;
  const button = make("button", { type: "button", class: isOver(job) ? "plain" : "danger",
    "aria-label": `${isOver(job) ? "Remove" : "Interrupt"} the work on ${job.title}`,
    text: isOver(job) ? "Remove" : "Interrupt", onclick: () => end(job, button) });
  const asked = new Date(job.requestedAt).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const element = make("li", { class: "job", "data-job": job.id, "data-state": job.state },
    make("div", { class: "job-top" },
      make("div", {}, make("h3", { text: job.title }),
        make("p", { class: "faint", text: `${asked}, ${job.requestedBy}` })), button),
    stage, bar, ...job.results.map((result) => resultPart(job, result)),
    ...job.refusals.map(({ piece, sentence }) => make("section", { class: "result", "data-piece": piece },
      make("h3", { text: nameOf(piece) }), make("p", { class: "warn", text: sentence }))));
  return { element, stage, bar, outline: outlineOf(job) };
}

function showJobs(list) {
  const ids = new Set(list.map(({ id }) => id));
  for (const [id, { element }] of shown) {
    if (ids.has(id)) continue;
    element.remove();
    shown.delete(id);
  }
  [...list].reverse().forEach((job, place) => {
    let known = shown.get(job.id);
    if (known?.outline !== outlineOf(job)) {
      const fresh = card(job);
      known?.element.replaceWith(fresh.element);
      if (known && isOver(job)) readChoices();
      known = fresh;
      shown.set(job.id, known);
    }
    write(known.stage, stateOf(job));
    if (known.bar) mark(known.bar, "value", job.share ?? null);
    if (jobs.children[place] !== known.element) jobs.insertBefore(known.element, jobs.children[place] ?? null);
  });
  find("none").hidden = list.length > 0;
}

let isUnread = false; // the last reading failed, and the page says so

async function readJobs() {
  try {
    showJobs(await ask("/api/references/jobs"));
    if (isUnread) say("");
    isUnread = false;
  } catch (refusal) {
    isUnread = true;
    refused(refusal);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  start.disabled = true;
  const folders = [...form.querySelectorAll('input[name="piece"]:checked')].map(({ value }) => value);
  try {
    await ask("/api/references/jobs", { method: "POST", json: { recording: evenings.value, pieces: folders } });
    say("");
    find("work-title").scrollIntoView();
  } catch (refusal) {
    refused(refusal);
  }
  enable();
  await readJobs();
});
form.addEventListener("change", (event) => (event.target === evenings ? showPieces() : enable()));

try {
  const { role } = await ask("/api/me");
  mayHear = role === "administrator" || role === "technician";
  find("to-recordings").hidden = !mayHear;
} catch (refusal) {
  refused(refusal);
}
await readChoices();
await readJobs();
setInterval(() => document.visibilityState === "visible" && readJobs(), readEvery);
