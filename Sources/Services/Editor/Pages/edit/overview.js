// The concert itself: what it says of itself, its pieces in order, and files in and out.
import { fileButton, takeDrops } from "/shared/choosefiles.js";
import { make, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { findingsOf } from "./checking.js";
import { field } from "./fields.js";
import { keyed } from "./keyed.js";
import { heading, nothing, section, sign } from "./layout.js";
import { counted, partsOf } from "./names.js";
import { moveChange, orderTools } from "./ordering.js";
import { addPiece } from "./recordings.js";
import { importFile } from "./uploads.js";

export function overview(desk) {
  const { book, checking } = desk;
  const list = make("ol", { class: "cards pieces", "aria-label": "Pieces" });
  const add = make("button",
    { type: "button", class: "chief", "data-does": "add-piece", text: "Add a piece", onclick: () => addPiece(desk) });
  const empty = nothing("No pieces yet",
    "Add one from its recording: it comes with its name, its bars and its sound, ready for texts.");
  const take = async (files) => {
    for (const file of files) await importFile(desk, file);
  };
  const importing = fileButton("Import XML or ZIP …", ".xml,.zip,text/xml,application/xml,application/zip", take,
    { many: true });
  const out = (file, text) =>
    make("a", { class: "button", href: `/api/edit/concerts/${book.concert}/export/${file}`, download: file, text });
  const files = section("Files in and out",
    make("p", { class: "hint",
      text: "Drop files here too. Pieces of the same name are replaced, others are added; an import is one step to " +
        "undo. The ZIP holds the whole concert with its pictures, for another server or as a copy." }),
    make("div", { class: "row" }, importing,
      make("a", { class: "button", "data-does": "zip", href: `/api/edit/concerts/${book.concert}/zip`, download: "",
        text: "Export the whole concert (ZIP)" }),
      out("content.xml", "Export content.xml"), out("glossary.xml", "Export glossary.xml")));
  takeDrops(files, take);
  const own = field(book, "concert", "programNotes",
    { label: "Programme notes", kind: "choice", what: "programme notes",
      options: [["", "Made from the uploaded text, or none"]] });
  const element = make("div", { class: "page" }, heading(null, ""),
    section("Pieces", list, empty, make("div", { class: "row" }, add)),
    section("About the concert", make("div", { class: "grid" },
      field(book, "concert", "title", { label: "Title", what: "title" }),
      field(book, "concert", "date", { label: "Date", what: "date", placeholder: "2027-03-14" }),
      field(book, "concert", "link", { label: "Link", what: "link", placeholder: "https://" }), own),
    field(book, "concert", "cast",
      { label: "On stage tonight", kind: "text", what: "cast",
        hint: "A line each: Anna Berg, violin, $anna.jpg. The picture is one of the concert’s images." }),
    field(book, "concert", "credits",
      { label: "Credits", kind: "text", what: "credits", hint: "A line each: sponsors, authors, photographers." }),
    findingsOf(checking, null)),
    files);
  const title = element.querySelector("h1");

  function row({ id }) {
    const name = make("a", { class: "card-title", href: `#/${book.concert}/piece/${id}` });
    const over = make("p", { class: "over" });
    const about = make("p", { class: "hint" });
    const found = findingsOf(checking, id);
    const remove = sign("trash", "Remove", () => {
      const label = book.tree.text(id, "name");
      book.edit([{ remove: id }], `removed ${label}`);
      notice(`“${label}” removed.`, { action: "Undo", act: () => desk.undo(), seconds: 9 });
    }, { "data-does": "remove" });
    const item = make("li", { class: "card", "data-node": id, "data-row": true });
    const order = orderTools({ row: () => item, list: () => list, name: () => book.tree.text(id, "name"),
      move: (from, to) => book.edit([moveChange(book.tree.children("concert", "piece"), from, to, "concert")],
        "pieces in another order") });
    item.append(make("div", { class: "card-top" }, order.handle, make("div", { class: "card-main" }, over, name, about),
      make("div", { class: "card-tools" }, order.up, order.down, remove)), found);
    return {
      element: item,
      update(node) {
        const { composer, work, movement } = partsOf(node.fields.name ?? "");
        write(over, composer);
        write(name, [work, movement].filter(Boolean).join(": ") || "Untitled piece");
        const tracks = book.tree.children(id, "track");
        const slides = tracks.reduce((sum, track) => sum + book.tree.children(track.id, "slide").length, 0);
        write(about, [counted(tracks.length, "track"), counted(slides, "slide"), node.fields.folder
          ? "" : "no recording"].filter(Boolean).join(" · "));
        order.say();
        found.show();
      },
    };
  }

  function update() {
    const pieces = book.tree.children("concert", "piece");
    write(title, book.tree.text("concert", "title") || "Untitled concert");
    keyed(list, pieces, ({ id }) => id, row);
    empty.hidden = pieces.length > 0;
    const notes = book.tree.children("concert", "asset")
      .filter(({ fields }) => fields.place === "AppAssets" && /\.(pdf|md)$/.test(fields.name));
    const known = new Set([...own.input.options].map((option) => option.value));
    for (const { fields } of notes) {
      if (!known.has(fields.name)) own.input.append(make("option", { value: fields.name, text: fields.name }));
    }
  }
  const stop = checking.onChange(() => keyed(list, book.tree.children("concert", "piece"), ({ id }) => id, row));
  update();
  return { element, update, keys: {}, gone: stop };
}
