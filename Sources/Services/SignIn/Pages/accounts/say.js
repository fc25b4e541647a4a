// Telling the person something, and the page's one dialog.
import { actingButtons } from "/shared/acting.js";
import { Dialog } from "/shared/dialog.js";
import { find, make } from "/shared/dom.js";

export const dialog = new Dialog({ id: "dialog", closesOutside: true });

let timer = null;

/** Shows a sentence for a while. */
export function notice(sentence) {
  const element = find("notice");
  // An open dialog covers everything outside it.
  (dialog.isOpen ? dialog.element : document.body).append(element);
  element.textContent = sentence;
  element.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (element.hidden = true), 3_000 + 60 * sentence.length);
}

/** A button that acts, and shows the refusal where there is one. */
export const act = actingButtons(notice);

/** Asks before something that cannot be taken back. */
export function confirm(title, sentence, text, run) {
  dialog.show(title, make("p", { class: "hint", text: sentence }), make("div", { class: "buttons" },
    act(text, async () => {
      await run();
      dialog.close();
    }, { class: "danger", id: "confirm" }), act("Cancel", () => dialog.close())));
}
