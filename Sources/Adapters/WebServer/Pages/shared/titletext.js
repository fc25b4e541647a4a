// The text of a title as pages show it: italics and bold, its language, and the direction of its letters.
import { make } from "./dom.js";

const tag = /<(\/?)([ib])>/gi;
// Scripts that have no slanted letters, or in which they read badly.
const upright = new RegExp(["Arabic", "Hebrew", "Syriac", "Thaana", "Han", "Hiragana", "Katakana", "Hangul", "Thai",
  "Devanagari", "Bengali", "Tamil", "Telugu"].map((script) => `\\p{Script=${script}}`).join("|"), "u");

/** True for a text with letters that stay upright. */
export const isUpright = (text) => upright.test(text);

/** The text without its tags. */
export const plainTitle = (text) => text.replace(tag, "");

/** The runs of a text: `{ text, isItalic, isBold }`. A tag that is never closed ends with the text. */
export function titleRuns(text) {
  const runs = [];
  const open = { i: false, b: false };
  let from = 0;
  const add = (end) => end > from
    && runs.push({ text: text.slice(from, end), isItalic: open.i, isBold: open.b });
  for (const found of text.matchAll(tag)) {
    add(found.index);
    open[found[2].toLowerCase()] = found[1] === "";
    from = found.index + found[0].length;
  }
  add(text.length);
  return runs;
}

/** Shows a title's text in an element. Each of its lines takes the direction of its own first letter. */
export function showTitle(element, text, language = "") {
  element.dir = "auto";
  element.lang = language;
  element.classList.toggle("upright", isUpright(text));
  element.replaceChildren(...titleRuns(text).map(({ text: words, isItalic, isBold }) => {
    const inner = isBold ? make("b", { text: words }) : document.createTextNode(words);
    return isItalic ? make("i", {}, inner) : inner;
  }));
  return element;
}
