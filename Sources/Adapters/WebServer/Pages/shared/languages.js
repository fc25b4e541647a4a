// Words of a page in several languages, from a table: one row a word, one column a language.

/** The languages of all tables, in the order of their columns. */
export const languages = ["en", "de", "es", "fr", "it"];

/** The language for a reader of a language tag: English for one who reads none of these. */
export function languageFor(tag) {
  const wanted = (tag ?? "").split("-")[0].toLowerCase();
  return languages.includes(wanted) ? wanted : "en";
}

/** The words of a name in a language, with what stands in braces filled in. Throws if the table lacks them. */
export function wordsIn(table, language, name, values = {}) {
  const text = table[name]?.[languages.indexOf(language)];
  if (text === undefined) throw new Error(`There are no words “${name}”.`);
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}
