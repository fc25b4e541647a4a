// Questions and choosers over the page; Esc closes them, focus returns to where it was.
import { icon, make } from "/shared/dom.js";

/** Shows a dialog of elements; gives back `{element, close}`. `closed` is called after it is gone. */
export function dialog(title, content, { closed, wide = false } = {}) {
  const id = `dialog-${Date.now()}`;
  const close = make("button", { type: "button", class: "plain", "aria-label": "Close" }, icon("close"));
  const element = make("dialog", { class: wide ? "wide-dialog" : null, "aria-labelledby": id },
    make("div", { class: "dialog-top" }, make("h2", { id, text: title }), close), make("div", { class: "dialog-body" }, ...content));
  close.addEventListener("click", () => element.close());
  element.addEventListener("close", () => {
    element.remove();
    closed?.();
  });
  document.body.append(element);
  element.showModal();
  return { element, close: () => element.close() };
}

/** Asks whether to do something that others would miss; the answer of the promise is true for yes. */
export function sure(title, sentence, yes) {
  return new Promise((answer) => {
    let said = false;
    const go = make("button", { type: "button", class: "danger", text: yes });
    const stay = make("button", { type: "button", text: "Cancel", autofocus: true });
    const shown = dialog(title, [make("p", { text: sentence }), make("div", { class: "row end" }, stay, go)], { closed: () => answer(said) });
    stay.addEventListener("click", () => shown.close());
    go.addEventListener("click", () => {
      said = true;
      shown.close();
    });
  });
}
