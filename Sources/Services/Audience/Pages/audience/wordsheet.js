// A word of the glossary as a sheet over the slide it stands in.
import { make } from "/shared/dom.js";
import { dropSheet, openSheet } from "./sheets.js";
import { meaning } from "./wording.js";
import { say } from "./words.js";

/** `number` is the word's place in the glossary. */
export function openWord(item, number) {
  openSheet("explained", item.name,
    (body) => body.append(make("article", { class: "meaning", lang: item.language }, ...meaning(item)),
      make("p", {}, make("a",
        { class: "button", href: `#/words/${number}`, text: say("wholeGlossary"), onclick: dropSheet }))));
}
