// The order of pieces: start one, the next, change the programme, intermission, automatic advance, rehearsal.
import { icon, make, mark, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { nextStep, takeStep } from "./begin.js";
import { buildEvening } from "./evening.js";
import { microphonesSection } from "./microphones.js";
import { placeOf } from "./places.js";
import { buildProgrammeEditor } from "./programmeeditor.js";
import { buildStands } from "./stands.js";

const words = { played: "played", now: "now", next: "next", skipped: "left out", later: "" };

export function buildProgramme({ desk, send }) {
  const list = make("ol", { class: "pieces" });
  const locked = make("p",
    { class: "hint", hidden: true, text: "The show is locked: pieces cannot be changed. L unlocks." });
  /** @type {[string, string, string, (show: import("/shared/exchanged").Show) => boolean][]} */
  const options = [
    ["intermission", "Intermission", "The live position rests; phones say so.", (show) => show.intermission],
    ["auto-advance", "Advance by itself between movements",
      "The next piece starts when its music is heard. Turned off, it starts only when you say so.",
      (show) => show.autoAdvance],
    ["arm-each-piece", "Arm each piece by hand",
      "After each piece nothing is followed before you arm the next, for example while the orchestra tunes.",
      (show) => show.armEachPiece],
    ["rehearsal", "Rehearsal",
      "Nothing goes to the audience; any piece may come next; jumps back are normal; no cue fires by itself.",
      (show) => show.rehearsal],
  ];
  const toggles = options.map(([command, title, text, on]) => {
    const button = make("button", { type: "button", class: "toggle", "aria-pressed": "false",
      onclick: () => send(command, on(desk.get("show") ?? {}) ? "off" : "on") },
    make("span", { class: "toggle-title", text: title }), make("span", { class: "toggle-text", text }));
    return { button, on };
  });
  const step = () => nextStep({ show: desk.get("show"), position: desk.get("position"),
    programme: desk.get("programme") });
  const next = make("button", { type: "button", class: "primary wide",
    onclick: () => takeStep({ desk, send }, () => showEditor(true, { adds: true })) }, "Start the next piece");
  const paintNext = () => {
    const now = step();
    next.hidden = now === null;
    if (now) write(next, now.text);
    next.classList.toggle("primary", desk.get("position")?.mode !== "following");
  };
  const empty = make("p", { class: "hint", hidden: true,
    text: "No piece has been added to tonight’s programme yet. Change the programme to add one." });
  const change = make("button", { type: "button", class: "wide", "aria-expanded": "false" }, icon("edit"),
    "Change the programme");
  const editor = buildProgrammeEditor({ desk, onClose: () => showEditor(false) });
  const stands = buildStands();
  const evening = buildEvening(desk, (plan) => showEditor(true, { plan }));
  const normal = make("div", { class: "stack" }, evening.element, locked, next, empty, list, change,
    stands.element, make("div", { class: "toggles" }, ...toggles.map((each) => each.button)), microphonesSection(desk));
  const element = make("div", { class: "stack" }, normal, editor.element);
  function showEditor(isOpen, how = {}) {
    normal.hidden = isOpen;
    editor.element.hidden = !isOpen;
    mark(change, "aria-expanded", String(isOpen));
    if (isOpen) return editor.open(how);
    change.focus();
    opened();
  }
  function opened() {
    evening.opened();
    stands.opened();
  }
  editor.element.hidden = true;
  change.addEventListener("click", () => showEditor(true));

  desk.on("programme", ({ pieces: all, empty: isEmpty, intermissions = [], encores = 0 }) => {
    const pieces = isEmpty ? [] : all;
    empty.hidden = !isEmpty;
    list.replaceChildren(...pieces.flatMap((piece) => {
      const from = make("input",
        { maxlength: 60, placeholder: "from bar or letter", "aria-label": `Start ${piece.name} from bar or letter`,
          spellcheck: "false" });
      const start = () => {
        const place = from.value.trim();
        return place ? send("piece", piece.index + 1, placeOf(place, piece.sections)) : send("piece", piece.index + 1);
      };
      const form = make("form", { class: "start", onsubmit: (event) => {
        event.preventDefault();
        start();
      } },
      from, make("button", { type: "submit" }, "Start"),
      make("button", { type: "button", title: "The follower finds the place by itself",
        onclick: () => send("piece", piece.index + 1, "unknown") }, "Find place"));
      const row = make("li", { class: "piece", "data-state": piece.state },
        make("span", { class: "piece-number", text: piece.index + 1 }),
        make("div", {},
          make("p", { class: "piece-title", text: piece.name }),
          make("p", { class: "piece-about",
            text: [words[piece.state], piece.index >= Math.max(pieces.length - encores, 1) ? "encore" : "",
              `${piece.measures} bars`, duration(piece.durationSeconds),
              piece.sections?.length ? piece.sections.map((section) => section.label).join(", ") : ""].filter(Boolean)
                .join(" · ") }),
          form));
      const rest = make("li", { class: "piece-rest", text: "Intermission" });
      return intermissions.includes(piece.index) ? [row, rest] : [row];
    }));
  });
  for (const section of ["programme", "position", "show"]) desk.on(section, paintNext);
  desk.on("show", (show) => {
    locked.hidden = !show.locked;
    for (const { button, on } of toggles) mark(button, "aria-pressed", String(Boolean(on(show))));
  });
  return { element, opened };
}
