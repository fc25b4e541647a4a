// Shows the content that this phone keeps, and deletes it.
import { make } from "/shared/dom.js";
import { pieceInFolder } from "./concert.js";
import { line } from "./lines.js";
import { dropSheet, openSheet } from "./sheets.js";
import { sign } from "./sign.js";
import { canKeep, keep, keepPictures, keptPieces, remove, removeAll, wantAllAgain } from "./store.js";
import { say } from "./words.js";

/** `changed` is called when something was deleted or kept again. */
export function openKept(hall, changed) {
  const fill = async (body) => {
    const pieces = await keptPieces();
    const after = async () => {
      await changed();
      await fill(body);
      body.querySelector("button")?.focus();
    };
    body.replaceChildren(make("p", { class: "about", text: say(canKeep() ? "keptHint" : "keptCannot") }));
    if (!canKeep()) return;
    const now = pieces.filter((piece) => pieceInFolder(hall.concert, piece.folder));
    const earlier = pieces.filter((piece) => !now.includes(piece));
    body.append(list(now, after));
    if (earlier.length) body.append(make("h3", { text: say("earlier") }), list(earlier, after));
    if (!pieces.length) body.append(make("p", { class: "none", text: say("keptNone") }));
    body.append(make("div", { class: "buttons" },
      make("button", { type: "button", text: say("keepAgain"), onclick: async () => {
        wantAllAgain();
        await keep(hall.concert);
        await after();
        keepPictures(hall.concert);
      } }),
      pieces.length ? make("button",
        { type: "button", class: "grave", text: say("removeAll"), onclick: ({ currentTarget }) =>
          ask(currentTarget.parentElement, say("removeAllAsk"), async () => {
            await removeAll();
            line(say("removedAll"));
            await after();
          }) }) : null));
  };
  openSheet("kept", say("kept"), fill);
}

const list = (pieces, after) => make("ul", { class: "folders" }, ...pieces.map((piece) => make("li", {},
  make("a", { href: `#/piece/${piece.folder}`, class: "folder", onclick: dropSheet },
    make("span", { class: "name", text: piece.name }),
    make("span", { class: "about", text: say("bytes", { n: Math.max(1, Math.round(piece.bytes / 1024)) }) })),
  make("button", { type: "button", class: "quiet", "aria-label": say("removeSpoken", { name: piece.name }),
    onclick: ({ currentTarget }) =>
    ask(currentTarget.parentElement, say("removeAsk", { name: piece.name }), async () => {
      await remove(piece.folder);
      line(say("removed", { name: piece.name }));
      await after();
    }) }, sign("delete")))));

/** Asks in the place of a row, once: outside the hall, what is deleted cannot be had again. */
function ask(row, question, act) {
  const before = [...row.children];
  const pressed = document.activeElement;
  const keep = make("button", { type: "button", text: say("keepIt"), onclick: () => {
    row.classList.remove("asks");
    row.replaceChildren(...before);
    pressed?.focus();
  } });
  const go = make("button", { type: "button", class: "grave", text: say("remove"), onclick: () => {
    go.disabled = true; // a second tap asks for nothing more
    return act();
  } });
  row.classList.add("asks");
  row.replaceChildren(make("p", { class: "question", role: "alert", text: question }),
    make("div", { class: "answers" }, keep, go));
  keep.focus();
}
