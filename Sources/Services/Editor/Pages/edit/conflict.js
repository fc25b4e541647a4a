// Two editors wrote the same: both texts side by side, and a person chooses.
import { make } from "/shared/dom.js";
import { dialog } from "./dialog.js";
import { nameOf } from "./names.js";

const reasons = {
  removed: "has removed what you wrote on. Your text is kept below, to copy.",
  edited: "has worked on what you removed.",
  moved: "has moved what you moved.",
};

/** Asks for each conflict of an unsent edit; then the edit goes on as decided, or is given up. */
export function decide(book, entry, conflicts) {
  let rest = [...entry.changes];
  let decided = false;
  const cards = conflicts.map((conflict) => {
    const card = card_(book, entry, conflict, (keep, text) => {
      rest = rest.flatMap((change) => {
        if (!concerns(change, conflict)) return [change];
        if (!keep) return [];
        return conflict.reason === "field" ? [{ ...change, to: text ?? change.to }] : [change];
      });
      card.remove();
      if (!document.querySelector(".conflict")) {
        decided = true;
        shown.close();
      }
    });
    return card;
  });
  const isAlone = conflicts.every(({ author }) => author === book.me);
  const shown = dialog(isAlone ? "You changed this in two windows" : "You both changed this", [
    make("p", { class: "hint", text: "Nothing is lost yet. Choose which text stays; you can change yours first." }),
    ...cards,
  ], { wide: true, closed: () => {
    // Closed without a choice: what the other wrote stays, it is what listeners see already.
    book.decide(decided && rest.length ? { ...entry, changes: rest } : null);
  } });
}

const concerns = (change, { node, field, reason }) => {
  if (reason !== "field") return [change.set, change.remove, change.move, change.in, change.before].includes(node);
  return change.set === node
    && (change.field === field || (change.field === "played" && ["printed", "time"].includes(field)));
};

function card_(book, entry, conflict, choose) {
  const isMine = conflict.author === book.me;
  const author = isMine ? "Your other window" : conflict.author ?? "Somebody else";
  const what = nameOf(book.tree, conflict.node) || "Something removed";
  const mine = make("textarea", { rows: 6, "aria-label": "Your text" });
  mine.value = conflict.mine ?? entry.changes.find((change) => concerns(change, conflict))?.to ?? "";
  const theirs = make("textarea", { rows: 6, readonly: true, "aria-label": `Text of ${author}` });
  theirs.value = conflict.theirs ?? "";
  const button = (text, keep) =>
    make("button", { type: "button", "data-keep": keep ? "mine" : "theirs", class: keep ? "chief" : null, text,
      onclick: () => choose(keep, mine.value) });
  if (conflict.reason === "field") {
    return make("section", { class: "conflict" }, make("h3", { text: `${what} · ${conflict.field}` }),
      make("div", { class: "sides" },
        make("div", {}, make("p", { class: "whose", text: "Yours" }), mine, button("Keep mine", true)),
        make("div", {}, make("p", { class: "whose", text: author }), theirs,
          button(isMine ? "Keep the other window’s" : `Keep ${author}’s`, false))));
  }
  const isGone = conflict.reason === "removed";
  return make("section", { class: "conflict" }, make("h3", { text: what }),
    make("p", { text: `${author} ${reasons[conflict.reason] ?? "has changed the same."}` }),
    isGone && mine.value ? mine : null,
    make("div", { class: "row" }, button(isGone ? "All right" : "Leave it as it is now", false),
      isGone ? null : button("Do it all the same", true)));
}
