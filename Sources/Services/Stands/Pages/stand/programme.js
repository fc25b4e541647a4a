// The programme of a room, or the setlist that is played: its pieces in order, the one that is open, and what leaders
// do with them.
import { make } from "/shared/dom.js";
import { ask } from "/shared/api.js";
import { newID } from "/shared/ids.js";
import { findIn, highlighted } from "/shared/search.js";
import { offlineRow } from "./offline.js";
import { act, closeDialog, dialogShows, notice, openDialog, refreshDialog } from "./words.js";

const title = "Programme";
let told = null; // what the server said of the programme last
let asked = ""; // the entries without a title that were asked for
let isEditing = false;

export async function openProgramme(reader) {
  const { content, onward } = reader;
  if (!content && !onward.listName) return notice("The room is not here yet: the server has not answered.");
  told = null;
  isEditing = false;
  openDialog(title, ...contents(reader));
  if (!content) return;
  told = await reader.evening.ask();
  refreshProgramme(reader);
}

export async function refreshProgramme(reader) {
  if (!dialogShows(title) || !reader.content) return;
  refreshDialog(title, ...contents(reader));
  // The titles of entries that came since are asked for, each once.
  const missing = reader.content.programme.map(({ id }) => id)
    .filter((id) => told && !told.entries.some((entry) => entry.id === id)).join();
  if (!missing || missing === asked) return;
  asked = missing;
  told = await reader.evening.ask() ?? told;
  refreshProgramme(reader);
}

function contents(reader) {
  const { content, leads, onward } = reader;
  const known = new Map((told?.entries ?? []).map((entry) => [entry.id, entry]));
  const rows = onward.entries.map((entry, index) => row(reader, entry, index, known.get(entry.id)));
  return [
    make("p", { class: "hint", text: !content ? `Your setlist “${onward.listName}”.`
      : `${content.isEvening ? "Tonight’s programme, in the order of the console. " : ""}${
        leads ? "Tap a piece to open it on all stands, each on its own part."
          : "The leader, or the music, opens the next piece on all stands. Tap a piece to look at it here."}` }),
    make("ol", { class: "programme" }, ...rows),
    leads ? make("button", { type: "button", id: "take-evening", "aria-pressed": String(content.isEvening),
      text: "Play tonight’s programme", title: "The pieces and their order are those of the console",
      onclick: () => reader.act({ evening: { isOn: !content.isEvening } }) }) : null,
    leads && !content.isEvening ? make("p", { class: "links" },
      make("button",
        { type: "button", id: "add-piece", text: "Add a piece …", onclick: () => choosePiece(reader, false) }),
      make("button", { type: "button", id: "edit-programme", text: isEditing ? "Done" : "Change the order …",
        onclick: () => {
          isEditing = !isEditing;
          refreshProgramme(reader);
        } })) : null,
    offlineRow(onward.entries.map(({ score }) => score), { user: reader.user, partName: reader.evening.partName },
      () => refreshProgramme(reader)),
  ];
}

function row(reader, entry, index, known) {
  const { content, leads, onward } = reader;
  const isHere = entry === onward.here;
  const name = known?.title || reader.evening.titleOf(entry.score)
    || (entry.score === reader.score?.id ? reader.score.title : "…");
  const facts = [known?.composer, known && !known.isThere ? "no longer in the library"
    : known && !known.isGiven ? "not given to you" : "", entry.attacca ? "attacca" : ""].filter(Boolean).join(" · ");
  const lines = make("span", { class: "lines" }, make("span", { class: "title", text: name }),
    make("span", { class: "by", text: facts }));
  const open = make("button", { type: "button", class: "entry", "data-entry": entry.id, "aria-pressed": String(isHere),
    onclick: () => {
      if (leads) reader.evening.openForAll(entry);
      else if (!isHere) entry.id === content?.open ? onward.comeBack() : onward.go(entry);
      closeDialog();
      reader.chrome.show(false);
    } }, make("span", { class: "number", text: String(index + 1) }), lines,
  entry.id === content?.open ? make("span", { class: "running", text: "Open" }) : null);
  return make("li", {}, open, leads && isEditing && !content.isEvening ? tools(reader, entry, index, name) : null);
}

function tools(reader, entry, index, name) {
  const { programme, open } = reader.content;
  const move = (text, label, before, isPossible) => act(text,
    () => reader.act({ moveScore: { entry: entry.id, ...(before ? { before } : {}) } }),
    { class: "small", "aria-label": `${label}: ${name}`, disabled: !isPossible });
  return make("span", { class: "actions" },
    move("↑", "Earlier", programme[index - 1]?.id, index > 0),
    move("↓", "Later", programme[index + 2]?.id, index < programme.length - 1),
    act("Attacca", () => reader.act({ attacca: { entry: entry.id, isAttacca: !entry.attacca } }),
      { class: "small", "aria-pressed": String(Boolean(entry.attacca)),
        title: "The next piece follows without a break", "aria-label": `The next piece follows ${name} attacca` }),
    act("Remove", () => reader.act({ dropScore: entry.id }),
      { class: "small", disabled: entry.id === open, "aria-label": `Take ${name} out of the programme` }));
}

/** Scores of this player to choose from; `isEncore` opens the chosen one at once. */
export async function choosePiece(reader, isEncore) {
  const heading = isEncore ? "Encore" : "Add a piece";
  const list = make("ul", { class: "choices" });
  const seek = make("input", { type: "search", id: "seek-piece", placeholder: "Search title, composer",
    "aria-label": "Search scores", autocomplete: "off" });
  openDialog(heading, make("p", { class: "hint", text: isEncore
    ? "The score you tap is added to the programme and opens on all stands." : "It is added at the end." }), seek,
  list);
  let home;
  try {
    home = await ask("/api/stand/home", { patience: 6_000 });
  } catch (refusal) {
    return list.replaceChildren(make("li", { class: "empty", text: refusal.message }));
  }
  const paint = () => {
    const found = home.scores.map((score) => [score, findIn(seek.value, [score.title, score.composer ?? ""])])
      .filter(([, match]) => match);
    list.replaceChildren(...found.map(([score, [name, by]]) => make("li", {},
      make("button", { type: "button", class: "entry", "data-score": score.id, onclick: () => {
        if (isEncore) {
          reader.evening.addAndOpen(score.id);
          closeDialog();
          reader.chrome.show(false);
        } else {
          reader.act({ addScore: { entry: { id: newID(), score: score.id } } });
          openProgramme(reader);
        }
      } }, make("span", { class: "lines" }, make("span", { class: "title" }, ...highlighted(name)),
        make("span", { class: "by" }, ...highlighted(by)))))));
  };
  seek.addEventListener("input", paint);
  paint();
}
