// Finding a bar: by its number, or by a rehearsal mark of the score or a section that the reference knows.
import { find, make } from "/shared/dom.js";
import { knownMovements } from "./frombar.js";
import { marksOf, readPlace } from "./marks.js";
import { pageAsked, placeOf } from "./places.js";
import { measuresOf } from "./played.js";
import { closeDialog, openDialog, say } from "./words.js";

const shownFor = 4_000; // ms that a bar stays marked
const mostChips = 120;

let timer = null;

/** Turns this stand to a bar and marks it. False if the part does not say where it is. */
export function goToBar(reader, movement, number) {
  const place = placeOf(reader.score.parts[reader.part], number, movement);
  if (!place) return false;
  if (!reader.turner.isSeen(place)) reader.turner.go(place.page, place.box);
  reader.paper.mark("sought", place.box ? { page: place.page, box: place.box, point: null } : null);
  clearTimeout(timer);
  timer = setTimeout(() => reader.paper.mark("sought", null), shownFor);
  say(`Bar ${number}, page ${place.page + 1}.`);
  return true;
}

/** The form that finds a bar; `typed` is there from the beginning. */
export function barForm(reader, references, typed = "") {
  const { score, part } = reader;
  const movements = knownMovements(score);
  const here = (score.parts[part].places ?? []).find((place) => place.page >= reader.turning.view.page && !place.steps);
  const marks = marksOf(score, references);
  const movement = make("select", { id: "bar-movement", "aria-label": "Movement" }, ...movements.map((index) =>
    make("option", { value: String(index), text: score.movements?.[index]?.name || `Movement ${index + 1}` })));
  movement.value = String(here?.movement ?? movements[0] ?? 0);
  const field = make("input", { id: "bar-number", inputmode: marks.length > 0 ? "text" : "numeric", autocomplete: "off",
    maxlength: 64, value: typed, "aria-label": "Bar or page", "aria-describedby": "bar-fault",
    placeholder: marks.length > 0 ? "Bar, letter, “page 12”" : "Bar, “page 12”" });
  const fault = make("p", { class: "fault", role: "alert", id: "bar-fault" });
  const range = measuresOf({ parts: [score.parts[part]] }, Number(movement.value));
  const go = (place) => {
    if (place && goToBar(reader, place.movement, place.bar)) {
      closeDialog();
      return reader.chrome.show(false);
    }
    fault.textContent = range ? `This part has bars ${range[0]} to ${range[1]} on ${reader.count} pages.`
      : "Nobody has marked the bars of this part yet: a librarian does it on the page /library.";
    field.select();
  };
  const form = make("form", { class: "bar-form", novalidate: true },
    movements.length > 1 ? movement : null, field,
    make("button", { type: "submit", class: "primary", id: "bar-go", text: "Go" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const page = pageAsked(field.value, reader.count, range !== null);
    if (page !== null) {
      reader.turner.go(page);
      closeDialog();
      return reader.chrome.show(false);
    }
    go(readPlace(field.value, Number(movement.value), marks));
  });
  field.addEventListener("input", () => (fault.textContent = ""));
  const chips = marks.slice(0, mostChips).map((mark) => {
    const chip = make("button", { type: "button", class: "chip", text: mark.label, "data-mark": mark.label,
      "aria-label": `${mark.label}, bar ${mark.bar}` });
    chip.addEventListener("click", () => go(mark));
    return chip;
  });
  return make("div", { class: "find-bar" }, form, fault,
    chips.length > 0
      ? make("div", { class: "chips", role: "group", "aria-label": "Rehearsal marks" }, ...chips) : null);
}

/** Asks for a bar, with a digit that was typed while the music lay there. */
export function askForBar(reader, references, typed = "") {
  openDialog("Go to bar", barForm(reader, references, typed));
  const field = find("bar-number");
  field.focus();
  field.setSelectionRange(typed.length, typed.length);
}
