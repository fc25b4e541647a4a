// Questions and choosers over the page; Esc closes them, focus returns to where it was.
import { Dialog } from "/shared/dialog.js";
import { icon, make } from "/shared/dom.js";

/**
 * Shows a dialog of elements; gives back what closes it. `closed` is called after it is gone.
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {{ closed?: () => void, wide?: boolean }} how
 */
export function dialog(title, content, { closed, wide = false } = {}) {
  const shown = new Dialog({
    sign: icon("close"),
    isWide: wide,
    closed: () => {
      shown.element.remove();
      closed?.();
    },
  });
  shown.show(title, ...content);
  return shown;
}

/** Asks whether to do something that others would miss; the answer of the promise is true for yes. */
export function sure(title, sentence, yes) {
  return new Promise((answer) => {
    let said = false;
    const go = make("button", { type: "button", class: "danger", text: yes });
    const stay = make("button", { type: "button", text: "Cancel", autofocus: true });
    const shown = dialog(title, [make("p", { text: sentence }), make("div", { class: "row end" }, stay, go)],
      { closed: () => answer(said) });
    stay.addEventListener("click", () => shown.close());
    go.addEventListener("click", () => {
      said = true;
      shown.close();
    });
  });
}
