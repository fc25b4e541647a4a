// One piece: its name, its recording, its tracks in order, and the way to its form.
import { icon, make, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { findingsOf } from "./checking.js";
import { field } from "./fields.js";
import { keyed } from "./keyed.js";
import { heading, nothing, pageLink, section, sign } from "./layout.js";
import { counted, languageName } from "./names.js";
import { moveChange, orderTools } from "./ordering.js";
import { changeRecording } from "./recordings.js";
import { newID } from "./tree.js";

export function pieceView(desk, id) {
  const { book, checking } = desk;
  const list = make("ol", { class: "cards tracks", "aria-label": "Tracks" });
  const empty = nothing("No tracks yet",
    "A track is one way to read the piece: for newcomers, about its history, in another " +
      "language. Listeners choose one.");
  const recording = make("p", { class: "recording" });
  const found = findingsOf(checking, id);
  const add = make("button",
    { type: "button", class: "chief", "data-does": "add-track", text: "Add a track", onclick: () => {
      const track = newID();
      const names = new Set(book.tree.children(id, "track").map(({ fields }) => fields.name));
      const name = ["The Music", "History", "Composer’s Notes"].find((one) => !names.has(one)) ?? "New track";
      book.edit([{ insert: "track", in: id, id: track,
        fields: { name, language: book.tree.children(id, "track")[0]?.fields.language ?? "en" } }],
        `new track ${name}`);
      location.hash = `#/${book.concert}/track/${track}`;
    } });
  const form = make("a", { class: "card link-card", href: `#/${book.concert}/form/${id}` }, icon("osc"),
    make("span", { class: "card-main" }, make("span", { class: "card-title", text: "Form" }),
      make("span", { class: "hint" })));
  const titles = make("a", { class: "card link-card", href: `#/${book.concert}/titles/${id}`, "data-does": "titles" },
    icon("note"), make("span", { class: "card-main" }, make("span", { class: "card-title", text: "Titles" }),
      make("span", { class: "hint", text: "What the screens show at its bars, such as surtitles" })));
  const element = make("div", { class: "page" }, heading(pageLink(`#/${book.concert}`, "All pieces"), ""), found,
    section("Tracks", list, empty, make("div", { class: "row" }, add)),
    section("Form of the piece", form),
    section("On the screens", titles),
    section("Piece", field(book, id, "name", { label: "Name", what: "piece name", hint: "Composer, Piece: Movement" }),
      recording,
      make("div", { class: "row" },
        make("button", { type: "button", "data-does": "recording", text: "Choose the recording …",
          onclick: () => changeRecording(desk, id) }),
        make("a", { class: "button", href: `/api/edit/concerts/${book.concert}/export/${id}.xml`, download: "",
          text: "Export this piece" })),
      make("details", { class: "details" }, make("summary", { text: "Bars and times" }),
        field(book, id, "measures",
          { label: "Bars as they are played", kind: "text", what: "bars",
            hint: "One a line: its printed number and the second at which it starts, as in 12 34.5" }),
        make("div", { class: "grid" }, field(book, id, "endTime", { label: "The music ends at second", what: "end" }),
          field(book, id, "endPrinted", { label: "in bar", kind: "number", what: "end" }),
          field(book, id, "measureCount", { label: "Bars claimed", kind: "number", what: "number of bars" })))));
  const title = element.querySelector("h1");

  function row({ id: track }) {
    const name = make("a", { class: "card-title", href: `#/${book.concert}/track/${track}` });
    const about = make("p", { class: "hint" });
    const troubles = findingsOf(checking, track);
    const copy = sign("note", "Copy as a track in another language", () => copyTrack(track), { "data-does": "copy" });
    const remove = sign("trash", "Remove", () => {
      const label = book.tree.text(track, "name");
      book.edit([{ remove: track }], `removed track ${label}`);
      notice(`“${label}” removed.`, { action: "Undo", act: () => desk.undo(), seconds: 9 });
    }, { "data-does": "remove" });
    const item = make("li", { class: "card", "data-node": track, "data-row": true });
    const order = orderTools({ row: () => item, list: () => list, name: () => book.tree.text(track, "name"),
      move: (from, to) => book.edit([moveChange(book.tree.children(id, "track"), from, to, id)],
        "tracks in another order") });
    item.append(make("div", { class: "card-top" }, order.handle, make("div", { class: "card-main" }, name, about),
      make("div", { class: "card-tools" }, copy, order.up, order.down, remove)), troubles);
    return {
      element: item,
      update({ fields }) {
        write(name, fields.name || "Untitled track");
        write(about, [fields.language && languageName(fields.language), fields.level, fields.subject,
          counted(book.tree.children(track, "slide").length, "slide")].filter(Boolean).join(" · "));
        order.say();
        troubles.show();
      },
    };
  }

  /** All slides on their bars with their texts, ready to be translated. */
  function copyTrack(track) {
    const copy = newID();
    const { fields } = book.tree.get(track);
    const slides = book.tree.children(track, "slide").filter((slide) => Number.isInteger(slide.played)).slice(0, 1_900);
    const changes = [{ insert: "track", in: id, id: copy, fields: { ...fields, language: "" } },
      ...slides.map((slide) => ({ insert: "slide", in: copy, id: newID(),
        fields: { played: String(slide.played), text: slide.fields.text ?? "" } }))];
    book.edit(changes, `copy of track ${fields.name}`);
    location.hash = `#/${book.concert}/track/${copy}`;
    notice("Copied. Choose the language, then translate slide by slide.", { seconds: 7 });
  }

  function update() {
    const piece = book.tree.get(id);
    if (!piece) return desk.gone();
    write(title, piece.fields.name || "Untitled piece");
    const tracks = book.tree.children(id, "track");
    keyed(list, tracks, (node) => node.id, row);
    empty.hidden = tracks.length > 0;
    const bars = (piece.fields.measures ?? "").split("\n").filter(Boolean).length;
    write(recording, piece.fields.folder ? `Recording: ${piece.fields.folder}, ${counted(bars, "bar")} as played` : bars
      ? `No recording; ${counted(bars, "bar")} as played`
      : "No recording and no bars yet: choose the recording to place slides.");
    write(form.querySelector(".hint"),
      counted(book.tree.children(id, "section").length, "section") + " with colours and keys");
    found.show();
  }
  const stop = checking.onChange(update);
  update();
  return { element, update, keys: {}, gone: stop };
}
