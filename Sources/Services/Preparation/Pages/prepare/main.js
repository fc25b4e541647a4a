// Puts the page together: which view is shown, the tools at the top, and what the server announces.
import { listenToChanges } from "/shared/changes.js";
import { find, make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { showSaved, tellUnsent } from "/shared/saved.js";
import { goToSignIn } from "/shared/signin.js";
import { wireTheme } from "/shared/themebutton.js";
import { pieceNameOf } from "./drops.js";
import { showHelp } from "./help.js";
import { listenToKeys } from "./keys.js";
import { ListView } from "./listview.js";
import { peopleWithChanges } from "./piece.js";
import { PiecePage } from "./pieceoverview.js";
import { PieceView } from "./pieceview.js";
import { deleteUnused, eventsAddress, person as fetchPerson, pieces as fetchPieces } from "./server.js";
import { sign } from "./transport.js";

const main = find("main");
let view = null;
let turn = 0;
let chosenSounds = {}; // files, or a range of an evening, for the piece that is being opened
let refused = null; // for the list: {name, isNamed, sentences} of a piece that was taken away, its files being refused
const takenAway = new Set(); // ids of such pieces

async function show() {
  const mine = (turn += 1);
  const id = decodeURIComponent(location.hash.replace(/^#\/?/, ""));
  view?.close();
  view = null;
  const sounds = chosenSounds;
  chosenSounds = {};
  showSaved("saved");
  const [, folder = null] = /^piece\/(.+)$/.exec(id) ?? [];
  for (const tool of document.querySelectorAll(".in-piece")) tool.hidden = id === "" || folder !== null;
  if (id === "") {
    view = new ListView((piece, its) => {
      chosenSounds = its;
      location.hash = `#/${encodeURIComponent(piece)}`;
    }, refused);
    refused = null;
    put(view);
    view.shown();
    return;
  }
  let next = null;
  try {
    if (folder !== null) {
      const overview = new PiecePage(folder);
      await overview.open();
      if (mine === turn) put((view = overview));
      return;
    }
    const { name: me } = await fetchPerson();
    if (mine !== turn) return;
    next = new PieceView(id, me, { state: showSaved, titled: () => next === view && showTitle(), refused: takeAway });
    await next.open(sounds);
    if (mine !== turn) return void next.close();
    view = next;
    put(next);
    next.shown();
    peopleWithChanges(id, me).forEach(tellUnsent);
  } catch (refusal) {
    next?.close();
    if (mine !== turn) return;
    if (refusal.status === 401) goToSignIn();
    put({ element: make("div", { class: "page" }, make("h1", { text: "This piece cannot be opened" }),
      make("p", { class: "lead", text: refusal.message }),
      make("a", { class: "button", href: "#/", text: "All pieces" })) });
  }
}

function put({ element }) {
  main.replaceChildren(element);
  mark(main, "aria-busy", null);
  scrollTo(0, 0);
  showTitle();
}

function showTitle() {
  const name = view?.name ?? view?.piece?.draft?.name ?? "";
  write(find("crumb"), name);
  mark(find("crumb"), "title", name ? `Rename “${name}”` : null);
  document.title = `${name || "Pieces"} · Baton`;
  const { undoLabel = null, redoLabel = null } = view?.piece ?? {};
  for (const [id, word, label] of [["undo", "Undo", undoLabel], ["redo", "Redo", redoLabel]]) {
    mark(find(id), "aria-disabled", label === null);
    mark(find(id), "aria-label", label ? `${word}: ${label}` : `Nothing to ${word.toLowerCase()}`);
    mark(find(id), "title", label ? `${word}: ${label}` : word);
  }
}

/** Files were refused: a piece that was made for them and holds nothing is deleted, and the list says why. */
async function takeAway({ id, draft, main: sound }, uploads) {
  if (sound || draft.score || draft.bars.length > 0) return;
  takenAway.add(id);
  try {
    await deleteUnused(id);
  } catch {
    takenAway.delete(id);
    return; // It holds something, or was not made for a file: the row of the file says why it was refused.
  }
  const sentences = uploads.map(({ sentence }) => sentence);
  if (view?.piece?.id === id) {
    const isNamed = uploads.every(({ chosen }) => pieceNameOf(chosen) !== draft.name);
    refused = { name: draft.name, isNamed, sentences };
    location.replace("#/");
  } else for (const sentence of sentences) notice(sentence, { tone: "bad", seconds: 30 });
}

/** The list of pieces has changed: an open piece that somebody deleted cannot be worked on any more. */
async function leaveDeleted() {
  const { piece } = view ?? {};
  if (!piece) return;
  const kept = await fetchPieces().catch(() => null);
  if (!kept || view?.piece !== piece || takenAway.has(piece.id) || kept.some(({ id }) => id === piece.id)) return;
  notice(`Somebody deleted “${piece.draft.name}”. What was prepared of it can still be played.`,
    { tone: "bad", seconds: 30 });
  for (const question of document.querySelectorAll("dialog[open]")) question.close();
  location.hash = "#/";
}

const common = {
  undo: () => view?.piece?.undo(),
  redo: () => view?.piece?.redo(),
  help: showHelp,
  close: () => view?.escape?.(),
};
find("crumb").addEventListener("click", () => view?.rename?.());
for (const id of ["undo", "redo"]) find(id).append(sign(id));
for (const id of ["undo", "redo", "help"]) find(id).addEventListener("click", common[id]);
wireTheme("baton.prepare.theme", () => view?.editor?.recolour());
listenToKeys(() => view?.editor ?? null, common);

listenToChanges(eventsAddress, (name, value) => {
  if (name === "piece" && value.id === view?.piece?.id) view.piece.heard(value);
  if (name === "pieces") leaveDeleted();
  if (name === "job") view?.piece?.heardJob(value);
  if (["pieces", "piece", "job"].includes(name)) view?.update?.();
}, () => {
  leaveDeleted();
  view?.piece?.load().catch(() => {});
  view?.piece?.flush();
  view?.update?.();
});

addEventListener("hashchange", show);
// A file that misses its place must not replace the page.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
show();
