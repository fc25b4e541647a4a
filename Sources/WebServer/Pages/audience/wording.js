// The glossary: words by category at the left, what the chosen one means at the right.
import { find, make, mark } from "/shared/dom.js";
import { say } from "./words.js";

let listed = null;

export function showWords(hall) {
  const { glossary } = hall;
  const chosen = glossary[hall.view.word] ?? glossary[0];
  if (listed !== glossary) {
    listed = glossary;
    const categories = [...new Set(glossary.map((item) => item.category))];
    find("words-list").replaceChildren(...categories.flatMap((category) => [
      make("h3", { text: category }),
      make("ul", {}, ...glossary.map((item, index) => [item, index]).filter(([item]) => item.category === category).map(([item, index]) =>
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
  if (!chosen || word.dataset.name === chosen.name) return;
  word.dataset.name = chosen.name;
  current?.scrollIntoView({ block: "nearest" });
  word.replaceChildren(...[
    make("h2", { text: chosen.name }),
    make("p", { class: "category", text: chosen.category }),
    ...paragraphs(chosen.description),
    chosen.history && make("h3", { text: say("history") }), ...paragraphs(chosen.history),
    chosen.image && make("figure", { class: "picture" }, make("img", { src: picture(chosen.image), alt: chosen.name })),
  ].filter(Boolean));
  word.parentElement.scrollTop = 0;
}

const picture = (name) => (name.startsWith("/") ? name : `/images/${encodeURIComponent(name)}`);
const paragraphs = (text) => (text ?? "").split("\n\n").filter(Boolean).map((part) => make("p", { text: part }));
