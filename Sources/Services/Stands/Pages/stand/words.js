// Telling people something: a notice that goes by itself, a word for screen readers, a question in a dialog.
import { actingButtons } from "/shared/acting.js";
import { Dialog } from "/shared/dialog.js";
import { find, write } from "/shared/dom.js";

let timer = null;
const dialog = new Dialog({ id: "dialog", closesOutside: true, closed: () => document.body.append(find("notice")) });

/** Shows a sentence for a while. */
export function notice(sentence) {
  const element = find("notice");
  // An open dialog covers everything outside it, whatever its z-index.
  const place = dialog.isOpen ? dialog.element : document.body;
  if (element.parentNode !== place) place.append(element);
  element.textContent = sentence;
  element.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (element.hidden = true), 3_000 + 60 * sentence.length);
}

/** Tells screen readers alone. */
export function say(sentence) {
  write(find("say"), sentence);
}

/** Opens the one dialog with a title and contents. */
export function openDialog(title, ...contents) {
  dialog.show(title, ...contents);
  // A notice from a moment ago stays readable.
  if (!find("notice").hidden) dialog.element.append(find("notice"));
}

export const closeDialog = () => dialog.close();

export const dialogIsOpen = () => dialog.isOpen;

/** True if the open dialog is the one of this title. */
export const dialogShows = (title) => dialog.isOpen && dialog.title === title;

/** Fills the open dialog anew where it shows `title`. */
export function refreshDialog(title, ...contents) {
  if (dialogShows(title)) dialog.show(title, ...contents);
}

/** A button that acts and shows the refusal as a notice where there is one. */
export const act = actingButtons(notice, () => (find("notice").hidden = true));
