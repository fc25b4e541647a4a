// Searching titles and names: words, each to be found somewhere, whatever their capitals and accents. What it
// finds is told by Tests/Vectors/search.json.

const bases = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ı: "i", ħ: "h", ŧ: "t", ĳ: "ij", ς: "σ", "’": "'", "‘": "'", "–": "-", "—": "-", "‐": "-", "‑": "-" };

/** Letters without capitals and accents, each with the index of the letter it comes from. */
function folded(text) {
  const letters = [];
  [...text].forEach((letter, origin) => {
    const plain = letter.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");
    for (const each of plain) for (const base of bases[each] ?? each) letters.push({ base, origin });
  });
  return letters;
}

/**
 * Looks for `keyword` in the fields of one thing. Gives null where some word is in none of them; else for each field
 * its pieces `{ text, isMatch }`, which one after the other are the field.
 */
export function findIn(keyword, fields) {
  const words = keyword.slice(0, 200).split(/\s+/).slice(0, 11).map((word) => folded(word).map(({ base }) => base)).filter((word) => word.length > 0).slice(0, 10);
  const found = words.map(() => false);
  const result = fields.map((field) => {
    const letters = folded(field);
    const matches = new Set();
    words.forEach((word, index) => {
      for (let start = 0; start + word.length <= letters.length;) {
        if (!word.every((base, offset) => letters[start + offset].base === base)) {
          start += 1;
          continue;
        }
        found[index] = true;
        for (let offset = 0; offset < word.length; offset += 1) matches.add(letters[start + offset].origin);
        start += word.length;
      }
    });
    return pieces(field, matches);
  });
  return found.every(Boolean) ? result : null;
}

function pieces(text, matches) {
  const all = [];
  [...text].forEach((letter, origin) => {
    // A mark that stands by itself belongs to the letter before it.
    const isMatch = all.length > 0 && /^\p{Mn}$/u.test(letter) ? all.at(-1).isMatch : matches.has(origin);
    if (all.at(-1)?.isMatch === isMatch) all.at(-1).text += letter;
    else all.push({ text: letter, isMatch });
  });
  return all;
}
