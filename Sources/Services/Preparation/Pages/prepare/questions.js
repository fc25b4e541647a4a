// Questions over the page: go to a bar, number anew, marks, and “are you sure”. Esc closes them.
import { Dialog } from "/shared/dialog.js";
import { icon, make } from "/shared/dom.js";
import { newID } from "/shared/ids.js";

/** Shows a form; `send()` is called with Enter or the button, and closes it unless it gives false. */
function form(title, yes, content, send) {
  const shown = new Dialog({ sign: icon("close"), closed: () => shown.element.remove() });
  const body = make("form", { class: "question", method: "dialog", onsubmit: (event) => {
    event.preventDefault();
    if (send() !== false) shown.close();
  } }, ...content, make("div", { class: "row end" },
    make("button", { type: "button", text: "Cancel", onclick: () => shown.close() }),
    make("button", { type: "submit", class: "chief", text: yes })));
  shown.show(title, body);
  const first = body.querySelector("input, select");
  first?.focus();
  first?.select?.();
  return shown;
}

const numberField = (value) => make("input", { type: "number", min: -999, max: 99_999, step: 1, inputmode: "numeric",
  required: true, value: String(value) });

/** Goes to the next bar with a number, from the chosen one on; a repeat has it twice. */
export function askGoTo(editor) {
  const field = numberField(editor.chosenBar?.printed ?? 1);
  const say = make("p", { class: "trouble", role: "alert" });
  form("Go to bar", "Go", [make("label", { text: "Number" }, field), say], () => {
    const number = Number(field.value);
    const after = editor.chosen?.from ?? -1;
    const { bars } = editor;
    const next = bars.findIndex((bar, index) => index > after && bar.printed === number);
    const index = next >= 0 ? next : bars.findIndex((bar) => bar.printed === number);
    if (index < 0) {
      say.textContent = `There is no bar ${number}.`;
      return false;
    }
    editor.choose(index, { seeks: true });
    return true;
  });
}

/** Asks as what a file of measure times is meant; `formats` has what each format takes it for. */
export function askReading(name, formats, chosen) {
  const choice = make("select", {}, ...Object.entries(formats).map(([value, text]) =>
    make("option", { value, text })));
  form(`What is in ${name}?`, "Take the bars", [
    make("p", { text: "Its numbers can mean two things." }), make("label", { text: "It has" }, choice),
  ], () => void chosen(choice.value));
}

export function askRenumber(editor) {
  const bar = editor.chosenBar;
  if (!bar) return;
  const field = numberField(bar.printed);
  form(`Number anew from ${editor.nameOf(bar)}`, "Number", [
    make("label", { text: "This bar is number" }, field),
    make("p", { class: "hint", text: "The bars after it count on, up to the next leap of the numbers (a repeat)." }),
  ], () => {
    const number = Number(field.value);
    editor.piece.edit(`number anew from ${editor.nameOf(bar)}: ${number}`, { renumber: { from: bar.id, number } });
  });
}

const kinds = [["section", "Section"], ["rehearsal", "Rehearsal letter"], ["repeatStart", "Repeat begins here"],
  ["repeatEnd", "Repeat ends before here"]];
export const kindWords = Object.fromEntries(kinds);

/** Puts a mark at the chosen bar, or changes the `old` one. */
export function askMark(editor, old = null) {
  const bar = old ? editor.bars[editor.placeOf(old.bar)] : editor.chosenBar;
  if (!bar) return;
  const kind = make("select", {}, ...kinds.map(([value, text]) => make("option", { value, text })));
  const text = make("input", { type: "text", maxlength: 200, value: old?.text ?? "", autocomplete: "off" });
  const label = make("label", { text: "Name" }, text);
  kind.value = old?.kind ?? "section";
  const fit = () => {
    label.hidden = kind.value.startsWith("repeat");
    if (kind.value === "rehearsal" && !text.value) text.value = nextLetter(editor.piece.draft.marks);
  };
  kind.addEventListener("change", fit);
  fit();
  form(`Mark at ${editor.nameOf(bar)}`, "Mark", [make("label", { text: "Kind" }, kind), label], () => {
    const isRepeat = kind.value.startsWith("repeat");
    if (!isRepeat && !text.value.trim()) {
      text.focus();
      return false;
    }
    editor.piece.edit(`${kindWords[kind.value]} at ${editor.nameOf(bar)}`,
      { mark: { id: old?.id ?? newID(), bar: bar.id,
      kind: kind.value, text: isRepeat ? "" : text.value.trim() } });
    return true;
  });
}

/** The letter after the last rehearsal letter. */
function nextLetter(marks) {
  const letters = marks.filter(({ kind, text }) => kind === "rehearsal" && /^[A-Y]$/.test(text)).map(({ text }) =>
    text);
  return letters.length > 0 ? String.fromCharCode(letters.sort().at(-1).charCodeAt(0) + 1) : "A";
}

/** Asks before something that cannot be taken back; the promise is true for yes. */
export function sure(title, sentence, yes) {
  return new Promise((answer) => {
    let said = false;
    const shown = new Dialog({ sign: icon("close"), closed: () => {
      shown.element.remove();
      answer(said);
    } });
    const stay = make("button", { type: "button", text: "Cancel", onclick: () => shown.close() });
    const go = make("button", { type: "button", class: "danger", text: yes, onclick: () => {
      said = true;
      shown.close();
    } });
    shown.show(title, make("div", { class: "question" }, make("p", { text: sentence }),
      make("div", { class: "row end" }, stay, go)));
    stay.focus();
  });
}
