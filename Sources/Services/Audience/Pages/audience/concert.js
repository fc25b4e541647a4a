// The concert's content: what stands where. All of it is pure.

/** The folder a piece is kept in: `POAStraussDonJuanDonJuan`. */
export const folderOf = (name) => "POA" + [...name].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).join("");

export const pieceNamed = (concert, name) => concert?.pieces.find((piece) => piece.name === name) ?? null;
export const pieceInFolder = (concert, folder) =>
  concert?.pieces.find((piece) => folderOf(piece.name) === folder) ?? null;

/** The piece after another one in the concert; null after the last. */
export const pieceAfter = (concert, piece) => concert?.pieces[concert.pieces.indexOf(piece) + 1] ?? null;

/**
 * The played measure of a piece's map that a live position means; -1 before its first. A bar that the map does not
 * have is the last one before it: slides may come late, never early.
 */
export function playedAt(piece, live) {
  if (!piece || !live) return -1;
  if (Number.isInteger(live.played)) return live.played;
  let best = -1;
  piece.measures.forEach(({ printed }, played) => {
    if (printed <= live.measure && (best < 0 || piece.measures[best].printed < printed)) best = played;
  });
  return best;
}

/** The section a played measure belongs to; -1 before the first and after the last. */
export function sectionAt(piece, played) {
  const { sections = [], end } = piece.structure ?? {};
  if (Number.isInteger(end) && played >= end) return -1;
  return sections.findLastIndex((section) => Number.isInteger(section.played) && section.played <= played);
}

/** The start of a played measure in the reference recording, in seconds; after the last measure, its end. */
export function secondsAt(piece, played) {
  if (played >= piece.measures.length) return lengthOf(piece);
  return piece.measures[Math.max(played, 0)]?.time ?? 0;
}

export const lengthOf = (piece) => piece.endSeconds || piece.measures.at(-1)?.time || 1;

/** Pieces in order, movements of one work together: [{composer, work, pieces}]. */
export function worksOf(concert) {
  const works = [];
  for (const piece of concert.pieces) {
    const last = works.at(-1);
    if (last && last.composer === piece.composer && last.work === piece.work) last.pieces.push(piece);
    else works.push({ composer: piece.composer, work: piece.work, pieces: [piece] });
  }
  return works;
}

const primary = (tag) => (tag ?? "").split("-")[0].toLowerCase();

/** The name of a section in a language; its first name if it has none in that language. */
export function labelOf(section, language) {
  const tags = Object.keys(section.labels ?? {});
  const tag = tags.find((other) => other === language) ?? tags.find((other) => primary(other) === primary(language));
  return tag ? section.labels[tag] : section.label;
}

/** The words of a glossary for somebody who reads a language, as [item, place in the glossary]. */
export function wordsIn(glossary, language) {
  const all = glossary.map((item, place) => [item, place]);
  const own = all.filter(([item]) => item.language && primary(item.language) === primary(language));
  const ofNone = all.filter(([item]) => !item.language);
  return own.length ? own : ofNone.length ? ofNone : all;
}

/** Every language a track of the concert is in, in the order they come. */
export function languagesOf(concert) {
  const tags = concert?.pieces.flatMap((piece) => piece.tracks.map((track) => track.language)) ?? [];
  return [...new Set(tags.filter(Boolean))];
}

/** The track that fits best what the listener chose: {language, track, subject, level}; newcomers' first. */
export function trackFor(piece, choice) {
  const fit = (track) =>
    (primary(track.language) === primary(choice.language) ? 16 : 0) +
    (track.name === choice.track ? 8 : 0) +
    (choice.subject && track.subject === choice.subject ? 4 : 0) +
    (choice.level && track.level === choice.level ? 2 : 0) +
    (track.level === "newcomer" ? 1 : 0);
  return piece?.tracks.reduce((best, track) => (best === null || fit(track) > fit(best) ? track : best), null) ?? null;
}

/** `B-flat major` → {fifths, mode}; null if it is no key. */
export function readKey(name) {
  const match = /^([A-G])(-flat|-sharp)? (major|minor)$/i.exec(name ?? "");
  if (!match) return null;
  const sharps = { "-flat": -1, "-sharp": 1 }[match[2]?.toLowerCase()] ?? 0;
  const mode = match[3].toLowerCase();
  const fifths = "FCGDAEB".indexOf(match[1].toUpperCase()) - 1 + 7 * sharps - (mode === "minor" ? 3 : 0);
  return { letter: match[1].toUpperCase(), sharps, mode, fifths };
}
