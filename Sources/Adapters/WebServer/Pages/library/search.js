// Finding scores by what is written on their covers, whatever case and accents.

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Where a keyword stands in a text: [from, to] in the text itself; null where it does not. */
export function place(text, keyword) {
  const key = plain(keyword.trim());
  if (!key) return null;
  // Folding may change lengths: each letter is folded by itself and remembers where it came from.
  let folded = "";
  const origin = [];
  let at = 0;
  for (const letter of text) {
    const small = plain(letter);
    for (let i = 0; i < small.length; i += 1) origin.push(at);
    folded += small;
    at += letter.length;
  }
  origin.push(at);
  const found = folded.indexOf(key);
  return found < 0 ? null : [origin[found], origin[found + key.length]];
}

export const fields = ["title", "composer", "lyricist", "arranger"];

/** Whether each word of the search stands somewhere on the cover. */
export function matches(score, keyword) {
  return keyword.trim().split(/\s+/).filter(Boolean).every((word) => fields.some((field) => place(score[field] ?? "", word)));
}

/** The text with the first match of any word of the search in a `mark`. */
export function highlighted(text, keyword) {
  const words = keyword.trim().split(/\s+/).filter(Boolean);
  for (const word of words) {
    const found = place(text, word);
    if (!found) continue;
    const sign = document.createElement("mark");
    sign.textContent = text.slice(...found);
    return [text.slice(0, found[0]), sign, text.slice(found[1])];
  }
  return [text];
}
