// One score: its cover, its movements, its parts, and the people it was given to.
import { find, icon, make } from "/shared/dom.js";
import { intervalChoice } from "/shared/intervals.js";
import { belongings, describe, knownPieces, list, picture, remove, removePart, score as read } from "./store.js";
import { lossWords } from "./bin.js";
import { changedMeanwhile, named, offerTheirs, wordFields } from "./bothchanged.js";
import { bundleList } from "./bundles.js";
import { checkMarks, marksLine, measuresOf, readMarks } from "./marks.js";
import { SharedWork } from "./meanwhile.js";
import { midiMarksButton } from "./midimarks.js";
import { complain, say } from "./say.js";
import { upload } from "./uploads.js";
import { workLink } from "/shared/worklink.js";
import { closeCover, noteCover, unsavedCover } from "./writtencover.js";

/** Reads a score and shows it; a cover of it that is not saved stays as it is written. */
export async function showScore(id) {
  const [score, pieces] = await Promise.all([read(id), knownPieces()]);
  const listed = list.scores.find((each) => each.id === id);
  const people = await bundleList(id);
  const written = unsavedCover(id);
  const focused = written?.contains(document.activeElement) ? document.activeElement : null;
  const form = written ?? cover(score, pieces);
  find("score").replaceChildren(form, parts(score, listed), workLink("score", id, score), people, removal(score));
  focused?.focus();
  if (!written) noteCover(id, form);
  document.title = `${score.title} · Library`;
}

function field(name, label, value, extra = {}) {
  return make("label", {}, label, make("input", { name, value, maxlength: 200, autocomplete: "off", ...extra }));
}

/** A field whose line breaks where it is too long to be read in one. */
function titleField(value) {
  const area = make("textarea", { name: "title", maxlength: 200, autocomplete: "off", required: true, rows: 1 });
  area.value = value;
  const fit = () => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  };
  area.addEventListener("input", () => {
    // A title is one line; a break can be pasted.
    if (/[\r\n]/.test(area.value)) area.value = area.value.replace(/\s*[\r\n]+\s*/g, " ");
    fit();
  });
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    area.form.requestSubmit();
  });
  // Its width counts, not its height, which `fit` changes.
  let width = 0;
  new ResizeObserver(() => {
    if (area.clientWidth === width) return;
    width = area.clientWidth;
    fit();
  }).observe(area);
  return make("label", {}, "Title", area);
}

/** The marks of a movement's row. Those that nobody touched stay as they are, even if the text cannot express them. */
function marksOf(row, index, score, pieces) {
  const { value } = row.querySelector("[data-marks]");
  const old = score.movements[index]?.marks ?? [];
  if (value === marksLine(old)) return old;
  const marks = readMarks(value);
  const followed = row.querySelector("select").value;
  checkMarks(marks, measuresOf(score, index, pieces.find(({ piece }) => piece === followed)));
  return marks;
}

/** What the form says, for the server; throws an Error with a sentence where a mark cannot be. */
function readCover(form, score, pieces) {
  const words = Object.fromEntries(wordFields.map((name) => [name, form.elements[name].value]));
  words.movements = [...form.querySelectorAll(".movements > li")].map((row, index) => ({
    marks: marksOf(row, index, score, pieces),
    ...(score.movements[index]?.performance ? { performance: score.movements[index].performance } : {}),
    name: row.querySelector("[data-name]").value, piece: row.querySelector("select").value || null,
    isAttacca: row.querySelector("[type=checkbox]").checked,
  }));
  return words;
}

/** Puts a field of a score into the form. */
function fill(form, field, score, pieces) {
  if (field === "movements") {
    form.querySelector(".movements").replaceChildren(
      ...score.movements.map((movement, index) => movementRow(movement, index, pieces)));
    return;
  }
  form.elements[field].value = score[field] ?? "";
  form.elements[field].dispatchEvent(new Event("input"));
}

function cover(loaded, pieces) {
  let score = loaded; // as the page had it last
  const movements = make("ol", { class: "movements" },
    ...score.movements.map((movement, index) => movementRow(movement, index, pieces)));
  const addMovement = () => {
    movements.append(movementRow({ name: "", piece: null, isAttacca: false }, movements.children.length, pieces));
  };
  const theirChanges = make("ul", { class: "their-changes", "aria-label": "Changed by somebody else meanwhile" });
  const save = make("button", { type: "submit", class: "primary", text: "Save" });
  const form = make("form", { class: "cover" },
    titleField(score.title),
    make("div", { class: "pair" }, field("composer", "Composer", score.composer),
      field("arranger", "Arranger", score.arranger)),
    field("lyricist", "Lyricist", score.lyricist),
    make("h2", { text: "Movements" }), movements, theirChanges,
    make("div", { class: "row" },
      make("button", { type: "button", onclick: addMovement }, icon("plus"), "Movement"), save));
  const work = new SharedWork(score, ({ title, composer, lyricist, arranger, movements: listed }) =>
    [title, composer, lyricist, arranger, listed]);

  /** Takes what only somebody else changed; of what both changed, the person chooses. */
  const settle = (words, theirs) => {
    const { alone, both } = changedMeanwhile(score, words, theirs);
    score = theirs;
    for (const changed of alone) fill(form, changed, theirs, pieces);
    if (both.length === 0) return form.requestSubmit();
    say(`Nothing was saved: somebody else has changed the ${named(both)} meanwhile. Keep yours or take theirs, then ` +
      "save.", true);
    offerTheirs(theirChanges, both, { theirs, pieces, take: (changed) => fill(form, changed, theirs, pieces),
      chosen: () => {
        say("Not saved yet.");
        save.focus();
      } });
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const words = readCover(form, score, pieces);
      const { answer, theirs } = await work.save((revision) => describe(score.id, { ...words, revision }));
      if (theirs) return settle(words, theirs);
      const { remarks } = answer;
      closeCover();
      await list.read();
      await showScore(score.id);
      say(remarks?.length ? `Saved. ${remarks[0]}` : "Saved.", remarks?.length > 0);
    } catch (refusal) {
      complain(refusal);
    }
  });
  return form;
}

function movementRow(movement, index, pieces) {
  const known = movement.piece && !pieces.some((each) => each.piece === movement.piece)
    ? [{ piece: movement.piece, name: movement.piece }] : [];
  const line = make("input", { "data-marks": true, value: marksLine(movement.marks), autocomplete: "off",
    placeholder: "Letter and measure, as in A 17, B 33" });
  const row = make("li", {},
    make("label", {}, `Movement ${index + 1}`,
      make("input", { "data-name": true, value: movement.name, maxlength: 200, placeholder: "Name, as in Allegro" })),
    make("label", {}, "Followed as", make("select", {},
      make("option", { value: "", text: "nothing; pages are turned by hand" }),
      ...[...known, ...pieces].map((each) => make("option", { value: each.piece, text: each.name })))),
    make("label", { class: "tick" }, make("input", { type: "checkbox", checked: movement.isAttacca }), "attacca"),
    index > 0 ? make("button", { type: "button", class: "plain", "aria-label": `Remove movement ${index + 1}`,
      onclick: () => row.remove() }, icon("trash")) : null,
    make("label", { class: "marks" }, "Rehearsal marks", line), midiMarksButton(line));
  row.querySelector("select").value = movement.piece ?? "";
  return row;
}

function parts(score, listed) {
  const input = make("input", { type: "file", accept: ".pdf,.musicxml,.xml,.mxl,image/*", multiple: true,
    hidden: true });
  const interval = intervalChoice({ label: "Transposition of MusicXML" });
  input.addEventListener("change", () => upload([...input.files], score.id, interval.value));
  return make("section", { class: "parts" }, make("h2", { text: "Parts" }),
    make("ul", {}, ...score.parts.map((part, number) => partRow(score, part, number, listed?.parts[number]))),
    make("div", { class: "row" },
      make("button", { type: "button", onclick: () => input.click() }, icon("plus"), "Add a part"), interval,
      input));
}

function partRow(score, part, number, facts) {
  const pages = `${part.pages.length} ${part.pages.length === 1 ? "page" : "pages"}`;
  const count = part.places.length;
  const isLast = number === score.parts.length - 1 && number > 0;
  return make("li", {},
    make("img", { src: picture(score.id, number, 0, "thumbnail", score.revision), alt: "", width: 44, height: 60 }),
    make("span", { class: "words" }, make("span", { class: "title", text: part.name }),
      make("span", { class: count ? "facts" : "facts todo",
        text: [pages, count ? `${count} places marked` : "measures not marked",
          facts?.mayPrint === false && "may not be printed"].filter(Boolean).join(" · "),
      })),
    make("a", { class: "button", href: `#/score/${score.id}/part/${number}/page/0` }, icon("edit"), "Mark measures"),
    make("a", { class: "button", href: `#/score/${score.id}/part/${number}/pages`,
      "aria-label": `Pages of ${part.name}` }, "Pages"),
    facts?.mayPrint === false
      ? null : make("a", { class: "button", href: `/api/library/scores/${score.id}/parts/${number}/pdf`,
        "aria-label": `${part.name} as PDF`, download: true }, "PDF"),
    isLast ? make("button",
      { type: "button", class: "plain", "aria-label": `Remove the part ${part.name}`, onclick: async () => {
        if (!confirm(`Remove the part “${part.name}”? Remarks on it in rooms are lost to their readers.`)) return;
        try {
          await removePart(score.id, number);
          await list.read();
          await showScore(score.id);
        } catch (refusal) {
          complain(refusal);
        }
      } }, icon("trash")) : null);
}

function removal(score) {
  return make("section", { class: "removal" }, make("button", { type: "button", class: "danger", onclick: async () => {
    try {
      const found = await belongings(score.id);
      if (!confirm(`Put “${score.title}” into the bin? ${lossWords(found)} The bin keeps all of it for ${found.days} ` +
        "days; until then it can be restored.")) return;
      await remove(score.id);
      closeCover();
      await list.read();
      location.hash = "#/";
      say(`“${score.title}” is in the bin.`);
    } catch (refusal) {
      complain(refusal);
    }
  } }, icon("trash"), "Remove this score"));
}
