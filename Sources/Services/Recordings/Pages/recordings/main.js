// The list of recordings: hear them, copy them, delete them; and whether this evening is recorded.
import { ask } from "/shared/api.js";
import { Dialog } from "/shared/dialog.js";
import { find, make, mark, write } from "/shared/dom.js";
import { goToSignIn } from "/shared/signin.js";
import { facts, keeping, partFacts, warnings } from "./words.js";

const readEvery = 3000; // ms

const [list, trouble] = ["recordings", "say"].map(find);
const dialog = new Dialog({ id: "deleting" });
const shown = new Map(); // name → what of a recording is on the page
let mayDelete = false;
let mayUse = false; // may make references of recordings
let mayPrepare = false; // may make pieces of recordings

function say(sentence) {
  write(trouble, sentence);
  trouble.hidden = sentence === "";
}

const address = (recording, part) =>
  `/api/recordings/${encodeURIComponent(recording.name)}${part ? `/${part.number}` : ""}`;

/** A player for one part; only one is heard at a time. */
function play(button, recording, part) {
  const row = button.closest(".part");
  let audio = row.querySelector("audio");
  if (!audio) {
    audio = make("audio", {
      controls: true, preload: "metadata", src: address(recording, part),
      onplay: () => {
        for (const other of document.querySelectorAll("audio")) if (other !== audio) other.pause();
      },
      onerror: () => say("This part cannot be played: it no longer exists, or this browser cannot play FLAC."),
    });
    row.append(audio);
  }
  audio.play().catch(() => {}); // The element's own error is told above.
}

function partRow(recording, part) {
  const texts = make("p", { class: "part-facts" });
  const warned = warnings(part).map((sentence) => make("p", { class: "warn faint", text: sentence }));
  const name = `${recording.title}, part ${part.number}`;
  const buttons = part.isDeleted || part.bytes === 0 ? null : make("div", { class: "part-buttons" },
    make("button", { type: "button", "aria-label": `Play ${name}`,
      onclick: (event) => play(event.currentTarget, recording, part), text: "Play" }),
    make("a", { class: "button", href: address(recording, part), "aria-label": `Download ${name}`,
      download: `${recording.name}-part-${part.number}.flac`, text: "Download" }));
  const row = make("div", { class: "part", "data-part": part.number },
    make("div", {}, texts, ...warned), buttons);
  return { row, texts };
}

function askToDelete(recording) {
  const remove = make("button", { type: "button", class: "danger", text: "Delete", onclick: async () => {
    remove.disabled = true;
    try {
      await ask(address(recording), { method: "DELETE", patience: 20_000 });
      say("");
    } catch (refusal) {
      say(refusal.message);
    }
    dialog.close();
    await read();
  } });
  dialog.show("Delete this recording?", make("div", { class: "confirm" },
    make("p", { text: `${recording.title}, ${facts(recording)}. It cannot be brought back.` }),
    make("div", { class: "row" },
      make("button", { type: "button", text: "Keep it", onclick: () => dialog.close() }), remove)));
}

/** The facts that decide a recording's outline; its length and size change without a new one. */
const outlineOf = (recording) => JSON.stringify([recording.title, recording.pieces, recording.isRunning, mayDelete,
  mayUse, mayPrepare, recording.parts.map((part) => [part.number, part.isDeleted, part.gapSeconds, part.isInterrupted,
    part.lostSeconds, part.bytes > 0])]);

function card(recording) {
  const facts = make("p", { class: "facts" });
  const parts = recording.parts.map((part) => partRow(recording, part));
  const remove = mayDelete && !recording.isRunning
    ? make("button", { type: "button", class: "danger", "aria-label": `Delete ${recording.title}`, text: "Delete …",
      onclick: () => askToDelete(recording) }) : null;
  const use = mayUse ? make("a", { class: "button use", text: "Use this recording as a reference",
    href: `/reference?recording=${encodeURIComponent(recording.name)}`,
    "aria-label": `Use ${recording.title} as a reference` }) : null;
  const piece = mayPrepare ? make("a", { class: "button use", text: "Make a piece of this",
    href: `/prepare?evening=${encodeURIComponent(recording.name)}`,
    "aria-label": `Make a piece of ${recording.title}` }) : null;
  const report = recording.isRunning ? null : make("a", { class: "button use", text: "Report",
    href: `/report?show=${encodeURIComponent(recording.name)}`, "aria-label": `Report on ${recording.title}` });
  const element = make("li", { class: "recording", "data-name": recording.name },
    make("div", { class: "recording-top" }, make("div", {}, make("h2", { text: recording.title }), facts), remove),
    recording.pieces.length > 0 ? make("details", {}, make("summary", { text: "Pieces" }),
      make("ul", { class: "pieces" }, ...recording.pieces.map((piece) => make("li", { text: piece })))) : null,
    ...parts.map(({ row }) => row), use, piece, report);
  return { element, facts, parts: parts.map(({ texts }) => texts), outline: outlineOf(recording) };
}

function show({ now, recordings }) {
  mark(find("now"), "data-state", now.state);
  write(find("now-sentence"), now.sentence);
  write(find("now-facts"), keeping(now));
  const names = new Set(recordings.map(({ name }) => name));
  for (const [name, { element }] of shown) {
    if (names.has(name)) continue;
    element.remove();
    shown.delete(name);
  }
  recordings.forEach((recording, place) => {
    let known = shown.get(recording.name);
    if (known?.outline !== outlineOf(recording)) {
      const fresh = card(recording);
      known?.element.remove();
      known = fresh;
      shown.set(recording.name, known);
    }
    write(known.facts, facts(recording));
    recording.parts.forEach((part, index) => write(known.parts[index], partFacts(part, recording.parts.length)));
    if (list.children[place] !== known.element) list.insertBefore(known.element, list.children[place] ?? null);
  });
  find("none").hidden = recordings.length > 0;
  list.setAttribute("aria-busy", "false");
}

let isUnread = false; // the last reading failed, and the page says so

async function read() {
  try {
    show(await ask("/api/recordings"));
    if (isUnread) say("");
    isUnread = false;
  } catch (refusal) {
    if (refusal.status === 401) goToSignIn();
    isUnread = true;
    say(refusal.message);
  }
}

try {
  const { role } = await ask("/api/me");
  mayDelete = role === "administrator";
  mayUse = role === "administrator" || role === "editor";
  mayPrepare = (await ask("/api/prepare/rights").catch(() => ({}))).evenings === true;
} catch (refusal) {
  if (refusal.status === 401) goToSignIn();
}
await read();
setInterval(() => document.visibilityState === "visible" && read(), readEvery);
