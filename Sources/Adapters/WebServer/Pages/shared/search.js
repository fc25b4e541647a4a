// Search in titles and names: every word must be found somewhere, whatever its capitals and accents.
// Tests/Vectors/search.json holds what it must find.
import { make } from "./dom.js";

const longest = 200; // characters of what is typed
const mostWords = 10; // later words are ignored

// Letters that have another spelling without being a letter with an accent.
const spellings = {
  ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ı: "i", ħ: "h", ŧ: "t", ĳ: "ij", ς: "σ",
  "’": "'", "‘": "'", "–": "-", "—": "-", "‐": "-", "‑": "-",
};

/** A text as its reader counts letters: an accent belongs to the letter before it. */
const lettersOf = (text) => text.match(/\P{Mn}\p{Mn}*|\p{Mn}+/gu) ?? [];

/** Letters without capitals and accents, each with the index of the letter it comes from. */
function folded(text) {
  const result = [];
  lettersOf(text).forEach((letter, origin) => {
    const plain = letter.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");
    for (const each of plain) for (const base of spellings[each] ?? each) result.push({ base, origin });
  });
  return result;
}

/** The words of what was typed, each as its folded letters. */
function wordsOf(keyword) {
  const words = keyword.slice(0, longest).split(/\s+/).filter(Boolean).slice(0, mostWords);
  return words.map((word) => folded(word).map(({ base }) => base)).filter((word) => word.length > 0);
}

/**
 * Searches the fields of one thing. Gives null if some word is in none of them; else for each field its pieces
 * `{ text, isMatch }`, which together are the field.
 */
export function findIn(keyword, fields) {
  const words = wordsOf(keyword);
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
  lettersOf(text).forEach((letter, origin) => {
    const isMatch = matches.has(origin);
    if (all.at(-1)?.isMatch === isMatch) all.at(-1).text += letter;
    else all.push({ text: letter, isMatch });
  });
  return all;
}

/** The pieces of a field as nodes, the matches marked. */
export function highlighted(parts) {
  return parts.map(({ text, isMatch }) => (isMatch ? make("mark", { text }) : document.createTextNode(text)));
}
