// Pictures into texts: chosen from the files, or dropped onto a slide.
import { fileButton } from "/shared/choosefiles.js";
import { make } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { dialog } from "./dialog.js";
import { pictureAddress } from "./preview.js";
import { upload } from "./uploads.js";

/** Lets a person choose a picture, and writes `$name, ` into a text. */
export function choosePicture(desk, input) {
  const all = desk.book.tree.children("concert", "asset").filter(({ fields }) => fields.place === "images");
  const grid = make("div", { class: "picture-grid" },
    ...all.map(({ fields }) => make("button", { type: "button", onclick: () => {
      shown.close();
      insertPicture(input, fields.name);
    } }, make("img", { src: pictureAddress(desk.book.concert, fields.name), alt: "", loading: "lazy" }),
      make("span", { text: fields.name }))));
  const add = fileButton("Upload a picture", "image/*", async (files) => {
    const names = await upload(desk, files, "images");
    shown.close();
    for (const name of names) insertPicture(input, name);
  }, { many: true });
  const shown = dialog("Put in a picture", [
    make("p", { class: "hint", text: "It goes to the end of the text; write its caption behind it." }),
    all.length ? grid : make("p", { text: "There are no pictures yet." }), make("div", { class: "row end" }, add),
  ], { wide: true });
}

/** A picture dropped onto an element is uploaded and written into its text. */
export function dropPicture(desk, element, input) {
  const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  element.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    element.dataset.dropping = "true";
  });
  element.addEventListener("dragleave", () => delete element.dataset.dropping);
  element.addEventListener("drop", async (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    delete element.dataset.dropping;
    const files = [...event.dataTransfer.files];
    for (const name of await upload(desk, files, "images")) insertPicture(input, name);
    if (!files.length) notice("Only files can be dropped here.");
  });
}

function insertPicture(input, name) {
  const before = input.value.trimEnd();
  input.value = `${before}${before ? "\n\n" : ""}$${name}, `;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.focus();
  input.setSelectionRange(input.value.length, input.value.length);
}
