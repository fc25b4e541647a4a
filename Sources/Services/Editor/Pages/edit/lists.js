// The suggestions of fields while one types: languages, keys, categories, pictures.
import { make } from "/shared/dom.js";

const tonics = ["C", "C-sharp", "D-flat", "D", "E-flat", "E", "F", "F-sharp", "G-flat", "G", "A-flat", "A",
  "B-flat", "B"];
const languages = ["en", "de", "fr", "it", "es", "nl", "pt", "cs", "pl", "sv", "fi", "da", "nb", "ja", "zh", "ko"];

/** Writes the lists anew from what the concert holds. */
export function showLists(book) {
  const unique = (texts) => [...new Set(texts.filter(Boolean))];
  fill("languages", languages);
  fill("keys", tonics.flatMap((tonic) => [`${tonic} major`, `${tonic} minor`]));
  fill("categories", unique(book.tree.children("concert", "word").map(({ fields }) => fields.category)));
  fill("pictures", unique(book.tree.children("concert", "asset").filter(({ fields }) => fields.place === "images")
    .map(({ fields }) => fields.name)));
}

function fill(id, texts) {
  const key = texts.join("\n");
  let list = document.getElementById(id);
  if (!list) document.body.append((list = make("datalist", { id })));
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...texts.map((value) => make("option", { value })));
}
