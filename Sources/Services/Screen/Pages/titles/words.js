// The sentences of the title operator's page, without the page.
import { plainTitle } from "/shared/titletext.js";

/** The title's bar as people write it; empty without one. */
export const where = (title) => (title.place === null ? "" : `bar ${title.measure}`);

/** The number that people know a title by: its own, such as `12a`, or its place in the list. */
export const titleName = (title) => title.label || String(title.number);

/** The same of the title at a place of the list, counted from 1. */
const nameAt = (list, number) => list?.titles[number - 1]?.label || String(number);

/** The text in each language of the list, without empty ones. */
export const textLines = (title, languages) =>
  languages.map((language) => title.texts[language] ?? "").filter((text) => text !== "");

/** The second of the recording at which the music is; null while that is not known.
 *  @param {any} list @param {import("/shared/exchanged").Position | null} position */
function secondNow({ measureSeconds }, position) {
  const begin = measureSeconds?.[position?.played ?? -1];
  if (begin === undefined) return null;
  return begin + position.fraction * ((measureSeconds[position.played + 1] ?? begin) - begin);
}

/** The number of the title at which *Automatic* would be; null before the first, or while no bar is known. */
export function automaticNumber(list, position, skipped = []) {
  if (!list || position?.played === null || position?.played === undefined) return null;
  return list.titles.findLast(({ number, played }) =>
    played !== null && played <= position.played && !skipped.includes(number))?.number ?? null;
}

/** The bar, how far the next title with a bar is away, and how sure the follower is; empty while nothing is known. */
export function progressWords(list, section, position, follower) {
  if (!list || !position || position.played === null) return "";
  const words = [position.measure === null ? "" : `Bar ${position.measure}`];
  const next = list.titles.find(({ number, played }) => number > (section?.number ?? 0)
    && played !== null && (section?.number ? played > position.played : played >= position.played)
    && !section?.skipped?.includes(number));
  if (next) {
    const [now, bars] = [secondNow(list, position), next.played - position.played];
    const seconds = now === null || typeof next.seconds !== "number" ? null
      : Math.max((next.seconds - now) / Math.max(position.tempo || 1, 0.1), 0);
    words.push(bars === 0 ? `title ${titleName(next)} comes next`
      : `title ${titleName(next)} in ${bars} ${bars === 1 ? "bar" : "bars"}`
      + (seconds === null ? "" : `, ${Math.round(seconds)} s`));
  }
  if (typeof follower?.confidence === "number") words.push(`${Math.round(100 * follower.confidence)} % sure`);
  return words.filter(Boolean).join(" · ");
}

/** The numbers of the titles that the music passed by without showing them, between two states of the section. */
export function passedBy(before, after) {
  if (!before || !after || before.folder !== after.folder || before.revision !== after.revision) return [];
  if (!before.followsMusic || !after.followsMusic || before.number === null || after.number === null) return [];
  const count = Math.max(after.number - before.number - 1, 0);
  return Array.from({ length: count }, (_, index) => before.number + 1 + index)
    .filter((number) => !after.skipped?.includes(number));
}

/** `Title 12 was` or `Titles 12 to 14 were` passed by. */
export const passedWords = (numbers, list = null) => (numbers.length === 1 ? `Title ${nameAt(list, numbers[0])} was`
  : `Titles ${nameAt(list, numbers[0])} to ${nameAt(list, numbers.at(-1))} were`)
  + " passed by: the music went on without showing "
  + (numbers.length === 1 ? "it." : "them.");

/** The state of the titles as a word for the style, and as a sentence; `automatic` is the title at which *Automatic*
 *  would be. */
export function stateOf(section, isJoined, automatic = null, list = null, isLost = false) {
  if (!isJoined) return { name: "away", sentence: "The server does not answer; the screens hold what they show." };
  if (!section) return { name: "waiting", sentence: "Loading …" };
  if (section.folder === null) return { name: "waiting", sentence: "The programme has no piece yet." };
  if (section.needsOperator) {
    return { name: "asked", sentence: "The follower is lost. No title comes by itself: show the titles by hand." };
  }
  if (section.count === 0) return { name: "waiting", sentence: "This piece has no titles; load a list below." };
  if (section.followsMusic) return { name: "automatic", sentence: "Automatic: the titles follow the music." };
  const would = automatic === null ? "" : automatic === section.number ? " It would show this title."
    : ` It would show title ${nameAt(list, automatic)}.`;
  return { name: "by-hand", sentence: `By hand: no title comes by itself until you press Automatic.`
    + (isLost ? " The follower is still lost." : would) };
}

/**
 * The words of a command for what was written into the field: `12`, `12a`, `bar 57`, or words of a title. Null if
 * there is nothing like it; of several titles with these words it is the next one.
 */
export function wantedCommand(written, list, section) {
  const text = written.trim();
  const named = list?.titles.find(({ label }) => label && label.toLowerCase() === text.toLowerCase());
  if (named) return ["goto", String(named.number)];
  if (/^[0-9]{1,4}$/.test(text)) return ["goto", text];
  const place = /^bar\s+(\S.{0,60})$/i.exec(text)?.[1].trim();
  if (place) return ["bar", place];
  const found = findTitle(text, list, section?.number ?? 0);
  return found ? ["goto", String(found.number)] : null;
}

// Without accents and capitals, so that “elise” finds “Élise”, and “grosse” “Große”.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/ß/g, "ss")
  .replace(/\s+/g, " ");

/** The next title after a number that has the words, from the first one again after the last; null without any. */
export function findTitle(words, list, after) {
  const wanted = plain(words);
  if (!wanted || !list) return null;
  const titles = [...list.titles.slice(after), ...list.titles.slice(0, after)];
  return titles.find((title) => Object.values(title.texts).some((text) =>
    plain(plainTitle(text)).includes(wanted))) ?? null;
}
