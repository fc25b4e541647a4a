// Files that somebody drops onto a page, or chooses.
import { icon, make } from "./dom.js";

/** Lets files be dropped onto an element. */
export function takeDrops(element, take) {
  element.classList.add("drop");
  const has = (event) => event.dataTransfer?.types.includes("Files");
  element.addEventListener("dragover", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    element.dataset.dropping = "true";
  });
  element.addEventListener("dragleave", (event) => element.contains(event.relatedTarget)
    || delete element.dataset.dropping);
  element.addEventListener("drop", (event) => {
    if (!has(event)) return;
    event.preventDefault();
    event.stopPropagation();
    delete element.dataset.dropping;
    if (event.dataTransfer.files.length) take([...event.dataTransfer.files]);
  });
}

/** A button that asks for files. */
export function fileButton(text, accept, take, { many = false, chief = false } = {}) {
  const input = make("input", { type: "file", accept, multiple: many, class: "spoken", tabindex: -1,
    "aria-label": text });
  const button = make("button", { type: "button", class: chief ? "chief" : null, onclick: () => input.click() },
    icon("plus"), text);
  input.addEventListener("change", () => {
    const files = [...input.files];
    input.value = "";
    if (files.length) take(files);
  });
  return make("span", { class: "file-button" }, button, input);
}
