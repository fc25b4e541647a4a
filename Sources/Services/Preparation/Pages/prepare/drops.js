// Files that are dropped or chosen, and what they are by their names.
import { icon, make } from "/shared/dom.js";

const scores = /\.(musicxml|xml|mxl|mid|midi)$/i;
const tables = /\.(csv|tsv|txt|beats|bars)$/i;

const longestName = 100; // characters; some count twice, and a piece's name has 200 at most

// Videos too: their sound is taken out.
const endings = ".ogg,.flac,.wav,.wave,.oga,.opus,.mp3,.aif,.aiff,.w64,.caf,.m4a,.aac,.wma,.mp4,.m4v,.mov,.webm";

export const accepts = {
  recording: `audio/*,${endings}`,
  score: ".musicxml,.xml,.mxl,.mid,.midi",
  bars: ".csv,.tsv,.txt,.mid",
  any: `audio/*,${endings},.musicxml,.xml,.mxl,.mid,.midi`,
};

/** "score", "bars" or "recording"; what it really is, the server finds out. */
export const purposeOf = (file) => (scores.test(file.name) ? "score" : tables.test(file.name) ? "bars" : "recording");

// Endings that stand before the last one, as in “Title.scores.mxl” or “Title.mscz.pdf”. A number in a title is none.
const innerEndings = new RegExp("\\.(scores?|parts?|mscz|mscx|sib|musx|mus|dorico|musicxml|xml|mxl|midi?|pdf|zip"
  + "|gp[345x]?|wav|aiff?|flac|mp3|ogg|opus|m4a|aac)$", "i");

/** A name for a piece from a file's: without its endings, and with spaces. */
export function pieceNameOf({ name }) {
  let title = name.replace(/\.[^.]+$/, "");
  while (innerEndings.test(title) && title.search(innerEndings) > 0) title = title.replace(innerEndings, "");
  return [...title.replace(/_+/g, " ").replace(/-+/g, " ").trim()].slice(0, longestName).join("");
}

/** Lets files be dropped onto an element. */
export function takeDrops(element, take) {
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
