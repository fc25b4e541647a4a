// What a title operator should look at before the show: titles that nobody can read in time, or that no board can hold.
import { plainTitle } from "./titletext.js";

// Letters that stand for whole syllables or words.
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** What is usual for surtitles: letters a second, lines in each language, letters in a line; half of them where a
 *  letter is a syllable. */
export const usualLimits = { lettersASecond: 17, lines: 2, lettersInALine: 42 };

/** The seconds for which a title stands at least, by the recording; null if that is not known. */
export function secondsShown(titles, index) {
  const [begin, end] = [titles[index].seconds, titles[index + 1]?.seconds];
  const seconds = typeof begin === "number" && typeof end === "number" ? end - begin : null;
  const cut = titles[index].doubleCut;
  return typeof cut === "number" ? Math.min(cut, seconds ?? Infinity) : seconds;
}

/** What is doubtful about a title, a sentence each; none for one that is as it should be.
 *  @param {any[]} titles @param {number} index @param {string[]} languages */
export function titleDoubts(titles, index, languages, limits = usualLimits) {
  const { texts } = titles[index];
  if (!Object.values(texts).some(Boolean)) return [];
  const doubts = [];
  const seconds = secondsShown(titles, index);
  const missing = languages.filter((language) => !texts[language]);
  if (missing.length > 0) doubts.push(`no ${missing.map((one) => one || "text without a language").join(", no ")}`);
  for (const language of languages.filter((one) => texts[one])) {
    const [words, named] = [plainTitle(texts[language]), language && languages.length > 1 ? ` (${language})` : ""];
    const share = dense.test(words) ? 0.5 : 1;
    const lines = words.split("\n").filter((line) => line.trim() !== "");
    const longest = Math.max(...lines.map((line) => [...line].length), 0);
    const letters = lines.reduce((sum, line) => sum + [...line.replace(/\s/g, "")].length, 0);
    if (lines.length > limits.lines) doubts.push(`${lines.length} lines${named}`);
    if (longest > limits.lettersInALine * share) doubts.push(`a line of ${longest} letters${named}`);
    if (seconds !== null && letters > seconds * limits.lettersASecond * share) {
      doubts.push(`${letters} letters in ${seconds.toFixed(1)} s${named}`);
    }
  }
  return doubts;
}
