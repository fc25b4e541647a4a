// Telling people something: a notice that goes by itself, a word for screen readers, a question in a dialog.
import { find, make, write } from "/shared/dom.js";

let timer = null;

/** Shows a sentence for a while. */
export function notice(sentence) {
  const element = find("notice");
  // An open dialog covers everything outside it, whatever its z-index.
  const place = find("dialog").open ? find("dialog") : document.body;
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

/** Opens the one dialog with a title and what is in it. */
export function openDialog(title, ...children) {
  const dialog = find("dialog");
  write(find("dialog-title"), title);
  find("dialog-body").replaceChildren(...children.filter(Boolean));
  if (!dialog.open) dialog.showModal();
  // What was said a moment ago is still to be read.
  if (!find("notice").hidden) dialog.append(find("notice"));
  return dialog;
}

export function closeDialog() {
  const dialog = find("dialog");
  if (dialog.open) dialog.close();
}

export const dialogIsOpen = () => find("dialog").open;

/** Whether the open dialog is the one of this title. */
export const dialogShows = (title) => dialogIsOpen() && find("dialog-title").textContent === title;

/** Fills the open dialog anew where it shows `title`. */
export function refreshDialog(title, ...children) {
  if (dialogShows(title)) find("dialog-body").replaceChildren(...children.filter(Boolean));
}

/** A button that acts and shows the refusal as a notice where there is one. */
export function act(text, run, traits = {}) {
  const button = make("button", { type: "button", text, ...traits });
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await run();
    } catch (refusal) {
      notice(refusal.message);
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/** A text cut into pieces, the matches marked. */
export function highlighted(pieces) {
  return pieces.map(({ text, isMatch }) => (isMatch ? make("mark", { text }) : document.createTextNode(text)));
}

find("dialog-close").addEventListener("click", closeDialog);
find("dialog").addEventListener("close", () => document.body.append(find("notice")));
find("dialog").addEventListener("click", (event) => event.target === event.currentTarget && closeDialog());
