// The glossary: words by category at the left, what the chosen one means at the right.
import { find, make, mark } from "/shared/dom.js";
import { pictureOf } from "/shared/slideparts.js";
import { wordsIn } from "./concert.js";
import { say } from "./words.js";

let listed = null;

export function showWords(hall) {
  const { glossary } = hall;
  const words = wordsIn(glossary, hall.language);
  const chosen = glossary[hall.view.word] ?? words[0]?.[0];
  if (listed?.glossary !== glossary || listed.language !== hall.language) {
    listed = { glossary, language: hall.language };
    const categories = [...new Set(words.map(([item]) => item.category))];
    find("words-list").replaceChildren(...categories.flatMap((category) => [
      make("h3", { text: category }),
      make("ul", {}, ...words.filter(([item]) => item.category === category).map(([item, index]) =>
        make("li", {}, make("a", { href: `#/words/${index}`, "data-item": index, text: item.name })))),
    ]));
  }
  let current = null;
  for (const link of find("words-list").querySelectorAll("a")) {
    const is = glossary[Number(link.dataset.item)] === chosen;
    mark(link, "aria-current", is ? "true" : null);
    if (is) current = link;
  }
  const word = find("word");
  // The same word may be explained in two languages.
  const name = chosen && `${chosen.language ?? ""} ${chosen.name}`;
  if (!chosen || word.dataset.name === name) return;
  word.dataset.name = name;
  mark(word, "lang", chosen.language ?? null);
  current?.scrollIntoView({ block: "nearest" });
  word.replaceChildren(make("h2", { text: chosen.name }), ...meaning(chosen));
  word.parentElement.scrollTop = 0;
}

/** The meaning of a word of the glossary, without the word itself. */
export function meaning(item) {
  return [
    make("p", { class: "category", text: item.category }),
    ...paragraphs(item.description),
    item.history && make("h3", { text: say("history") }), ...paragraphs(item.history),
    item.image && pictureOf(picture(item.image), null, say("noPicture")),
  ].filter(Boolean);
}

const picture = (name) => (name.startsWith("/") ? name : `/images/${encodeURIComponent(name)}`);
const paragraphs = (text) => (text ?? "").split("\n\n").filter(Boolean).map((part) => make("p", { text: part }));
