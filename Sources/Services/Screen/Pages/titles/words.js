// The sentences of the title operator's page, without the page.

/** The title's bar as people write it; empty without one. */
export const where = (title) => (title.place === null ? "" : `bar ${title.measure}`);

/** The text in each language of the list, without empty ones. */
export const textLines = (title, languages) =>
  languages.map((language) => title.texts[language] ?? "").filter((text) => text !== "");

/** The three titles after the present one. */
export function nextTitles(list, section) {
  if (!list || !section) return [];
  const after = section.number ?? 0;
  return list.titles.slice(after, after + 3);
}

/** The state of the titles as a word for the style, and as a sentence. */
export function stateOf(section, isJoined) {
  if (!isJoined) return { name: "away", sentence: "The server does not answer; the screens hold what they show." };
  if (!section) return { name: "waiting", sentence: "Loading …" };
  if (section.folder === null) return { name: "waiting", sentence: "The programme has no piece yet." };
  if (section.needsOperator) {
    return { name: "asked", sentence: "The follower is lost. No title comes by itself: show the titles by hand." };
  }
  if (section.count === 0) return { name: "waiting", sentence: "This piece has no titles; load a list below." };
  if (section.followsMusic) return { name: "automatic", sentence: "Automatic: the titles follow the music." };
  return { name: "by-hand", sentence: "By hand: no title comes by itself until you press Automatic." };
}

/**
 * The words of a command for what was written into the field: `12`, `bar 57`, or words of a title. Null if there is
 * nothing like it; of several titles with these words it is the next one.
 */
export function wantedCommand(written, list, section) {
  const text = written.trim();
  if (/^[0-9]{1,4}$/.test(text)) return ["goto", text];
  const place = /^bar\s+(\S.{0,60})$/i.exec(text)?.[1].trim();
  if (place) return ["bar", place];
  const found = findTitle(text, list, section?.number ?? 0);
  return found ? ["goto", String(found.number)] : null;
}

// Without accents and capitals, so that “elise” finds “Élise”.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/\s+/g, " ");

/** The next title after a number that has the words, from the first one again after the last; null without any. */
export function findTitle(words, list, after) {
  const wanted = plain(words);
  if (!wanted || !list) return null;
  const titles = [...list.titles.slice(after), ...list.titles.slice(0, after)];
  return titles.find((title) => Object.values(title.texts).some((text) => plain(text).includes(wanted))) ?? null;
}
