// The form of a piece: sections with their bars, colours and keys, against the recording.
import { make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { colourOf } from "/shared/slides.js";
import { findingsOf } from "./checking.js";
import { colourField } from "./colours.js";
import { field } from "./fields.js";
import { keyed } from "./keyed.js";
import { heading, nothing, pageLink, sign } from "./layout.js";
import { preparedMarksButton } from "./preparedmarks.js";
import { placeSection, sectionColour } from "./sections.js";
import { leaveBar, playedOf, refuseBar } from "./slidemoves.js";
import { openPiece, stripOf, waveformOf } from "./sound.js";
import { Strip } from "./strip.js";
import { newID } from "./tree.js";

export function formView(desk, id, at) {
  const { book, checking, player } = desk;
  const strip = new Strip(player, (section, played) => placeSection(book, section, played));
  const list = make("ol", { class: "sections", "aria-label": "Sections" });
  const here = make("button", { type: "button", class: "chief", "data-does": "section-here" });
  const empty = nothing("No sections yet",
    "Go to the bar where a part begins and press the button. Parts that sound alike get the same name and colour.");
  const end = make("button", { type: "button", "data-does": "end" });
  const sections = () => book.tree.children(id, "section");
  const endChanges = (played) => [
    { set: id, field: "endPrinted", to: String(player.measures[played].printed) },
    { set: id, field: "endTime", to: String(player.measures[played + 1]?.time ?? player.length) }];
  const element = make("div", { class: "page" }, heading(pageLink(`#/${book.concert}/piece/${id}`, ""), "Form"),
    strip.element,
    make("div", { class: "row" }, here, end, preparedMarksButton(desk, id, endChanges)), findingsOf(checking, id),
    list, empty);

  function add() {
    if (!player.measures.length) {
      notice("The piece has no bars yet. Choose its recording first.", { tone: "bad" });
      return;
    }
    const played = Math.max(player.played, 0);
    const later = sections().find((section) => section.played > played);
    const section = newID();
    /** @type {any[]} */
    const changes = [{ insert: "section", in: id, ...(later ? { before: later.id } : {}), id: section,
      fields: { played: String(played), label: String.fromCharCode(65 + (sections().length % 26)),
        colour: sectionColour(sections().length) } }];
    // The format needs an END after the last section.
    if (!book.tree.text(id, "endPrinted")) changes.push(...endChanges(player.measures.length - 1));
    book.edit(changes, "new section");
    focusName(section);
  }

  function focusName(section) {
    const name = list.querySelector(`[data-node="${section}"] [data-field=label]`);
    name?.scrollIntoView({ block: "nearest" });
    name?.focus({ preventScroll: true });
    name?.select();
  }

  here.addEventListener("click", add);
  end.addEventListener("click", () => {
    if (player.measures.length) book.edit(endChanges(Math.max(player.played, 0)), "end of the form");
  });

  function row({ id: section }) {
    const bar = make("input",
      { type: "text", inputmode: "numeric", class: "bar-input", maxlength: 6, "aria-label": "Bar" });
    const colour = colourField(book, section);
    const found = findingsOf(checking, section);
    const node = () => book.tree.get(section);
    const nudge = (by, icon, text) => sign(icon, text, () => placeSection(book, section, node().played + by),
      { "data-does": by < 0 ? "nudge-back" : "nudge-on" });
    const item = make("li", { class: "card section-card", "data-node": section, "data-row": true });
    item.append(
      make("div", { class: "card-top" }, make("label", { class: "bar-label" }, make("span", { text: "Bar" }), bar),
        nudge(-1, "back", "One bar earlier"), nudge(1, "on", "One bar later"), make("span", { class: "grow" }),
        sign("goto", "Go there", () => player.goTo(node().played)),
        sign("trash", "Remove", () => {
          book.edit([{ remove: section }], "section removed");
          notice("Section removed.", { action: "Undo", act: () => desk.undo() });
        }, { "data-does": "remove" })),
      make("div", { class: "grid three" }, field(book, section, "label", { label: "Name", what: "section name" }),
        colour, field(book, section, "key", { label: "Key", what: "key", list: "keys", placeholder: "D major" })),
      field(book, section, "labels",
        { label: "Name in other languages", kind: "text", what: "section name in other languages",
          placeholder: "de: Zweiter Teil" }), found);
    bar.addEventListener("change", () => {
      const to = playedOf(player.measures, bar.value, node().played ?? 0);
      if (to === null) refuseBar(book, section, bar.value);
      else if (to === node().played) leaveBar(book, section);
      else placeSection(book, section, to);
    });
    return {
      element: item,
      update({ fields }) {
        const refused = book.refusal(section, "played");
        mark(bar, "aria-invalid", refused ? "true" : null);
        if (document.activeElement !== bar) bar.value = refused?.to ?? fields.printed ?? "";
        item.style.setProperty("--section", colourOf(fields.colour));
        colour.show();
        found.show();
      },
    };
  }

  function update() {
    const piece = book.tree.get(id);
    if (!piece) return desk.gone();
    openPiece(desk, id);
    write(element.querySelector(".page-link"), piece.fields.name || "Untitled piece");
    keyed(list, sections(), (node) => node.id, row);
    empty.hidden = sections().length > 0;
    strip.show({ ...stripOf(book, id), waveform: waveformOf(piece),
      slides: sections()
        .map((node, index) => ({ id: node.id, played: node.played,
          number: String.fromCharCode(65 + (index % 26)) })) });
    showBar();
  }

  function showBar() {
    const bar = player.measures[Math.max(player.played, 0)]?.printed;
    write(here, bar === undefined ? "New section" : `New section at bar ${bar}`);
    write(end, `Let the form end after bar ${bar ?? "–"}`);
  }
  const stops = [player.onChange((_, isNew) => isNew && showBar()),
    checking.onChange(() => keyed(list, sections(), (node) => node.id, row))];
  update();
  if (at) setTimeout(() => focusName(at));
  return {
    element, update,
    keys: { n: add, " ": () => player.toggle(), ArrowLeft: () => player.goTo(player.played - 1),
      ArrowRight: () => player.goTo(player.played + 1), Home: () => player.goTo(0),
      End: () => player.goTo(player.measures.length - 1) },
    gone: () => {
      player.stop();
      for (const stop of stops) stop();
    },
  };
}
