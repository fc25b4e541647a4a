// Sections and rehearsal letters that were marked while the piece was prepared become sections of its form.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { complain } from "/shared/saved.js";
import { counted } from "./names.js";
import { sectionColour } from "./sections.js";
import { measuresOf, newID } from "./tree.js";

const patience = 10_000;

/**
 * The sections that a prepared piece has and a form lacks: `{sections: [{played, label, colour}], unmatched}`.
 * `measures` and `sections` are those of the form. Marks on bars that the form does not have are counted as unmatched.
 */
export function newSections({ bars, marks }, measures, sections) {
  const places = new Map(bars.map(({ id }, played) => [id, played]));
  const taken = new Set(sections.map(({ played }) => played));
  const colours = new Map(sections.map(({ fields }) => [fields.label, fields.colour]));
  const found = [];
  let unmatched = 0;
  const named = marks.filter(({ kind }) => kind === "section" || kind === "rehearsal")
    .map((mark) => ({ ...mark, played: places.get(mark.bar) ?? -1 }))
    // A section and a letter on one bar: the section.
    .sort((a, b) => a.played - b.played || b.kind.localeCompare(a.kind));
  for (const { played, text } of named) {
    if (measures[played]?.printed !== bars[played]?.printed || played < 0) unmatched += 1;
    else if (!taken.has(played)) {
      taken.add(played);
      // Parts with the same name have the same colour.
      if (!colours.has(text)) colours.set(text, sectionColour(colours.size));
      found.push({ played, label: text, colour: colours.get(text) });
    }
  }
  return { sections: found, unmatched };
}

/** A button that is there if the piece's recording was prepared here; sections that exist already stay as they are. */
export function preparedMarksButton(desk, piece, endChanges) {
  const { book } = desk;
  const folder = book.tree.text(piece, "folder");
  const button = make("button", { type: "button", hidden: true, "data-does": "take-marks",
    text: "Take the marks of its preparation", onclick: take });
  let source = null;
  if (folder) {
    ask("/api/prepare/pieces", { patience }).then((all) => {
      source = all.find((each) => each.folder === folder)?.id ?? null;
      button.hidden = source === null;
    }, () => {}); // A server without /prepare: the button stays away.
  }

  async function take() {
    try {
      const draft = await ask(`/api/prepare/pieces/${encodeURIComponent(source)}`, { patience });
      insert(newSections(draft, measuresOf(book.tree, piece), book.tree.children(piece, "section")));
    } catch (refusal) {
      complain(refusal);
    }
  }

  function insert({ sections, unmatched }) {
    const missed = unmatched > 0 ? ` ${counted(unmatched, "mark")} on bars that this piece does not have.` : "";
    if (sections.length === 0) {
      notice(`No new section: every mark has one already, or there are no sections and letters.${missed}`);
      return;
    }
    const measures = measuresOf(book.tree, piece);
    const there = book.tree.children(piece, "section");
    const changes = sections.map(({ played, label, colour }) => {
      const later = there.find((section) => section.played > played);
      return { insert: "section", in: piece, ...(later ? { before: later.id } : {}), id: newID(),
        fields: { played: String(played), label, colour } };
    });
    if (!book.tree.text(piece, "endPrinted")) changes.push(...endChanges(measures.length - 1));
    book.edit(changes, "marks of the preparation");
    notice(`${counted(sections.length, "section")} from the preparation.${missed}`,
      { action: "Undo", act: () => desk.undo() });
  }

  return button;
}
