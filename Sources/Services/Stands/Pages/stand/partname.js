// The name of a part, read as an instrument and a desk, so that “Violine 1” and “Violin I” are the same part of two
// scores. The measure of it is PartName.swift.

const table = {
  violin: "violins violine violinen violino violini violon vl vln vn geige",
  viola: "violas violen viole bratsche bratschen alto va vla",
  cello: "cellos celli violoncello violoncelli violoncelle vc vlc",
  bass: "basses kontrabass kontrabasse contrabass contrabasso contrabassi contrebasse doublebass cb kb db",
  flute: "flutes flote floten flauto flauti fl",
  piccolo: "picc ottavino",
  oboe: "oboes oboen oboi hautbois ob",
  clarinet: "clarinets klarinette klarinetten clarinetto clarinetti clarinette cl klar",
  bassoon: "bassoons fagott fagotte fagotto fagotti basson fg bn",
  horn: "horns horner corno corni cor hn",
  trumpet: "trumpets trompete trompeten tromba trombe trompette trp tpt",
  trombone: "trombones posaune posaunen tromboni pos tbn",
  timpani: "pauken pauke timbales timp",
  percussion: "schlagzeug schlagwerk percussione perc",
  harp: "harfe arpa harpe",
  piano: "klavier pianoforte pf",
  organ: "orgel organo orgue",
  voice: "singstimme gesang canto voix",
  score: "partitur partitura partition director dirigent conductor",
};
const instruments = Object.fromEntries(Object.entries(table)
  .flatMap(([name, others]) => [[name, name], ...others.split(" ").map((other) => [other, name])]));
const numbers = {
  i: 1, ii: 2, iii: 3, iv: 4, v: 5, vi: 6, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, first: 1, second: 2, third: 3,
  fourth: 4, erste: 1, zweite: 2, dritte: 3, vierte: 4, primo: 1, secondo: 2, prima: 1, seconda: 2,
};
const fillers = ["part", "stimme", "parte", "the", "der", "die", "full", "double"];
const keys = ["a", "b", "bb", "bes", "c", "d", "e", "eb", "es", "f", "g", "h"];
const accents = {
  ä: "a", à: "a", á: "a", â: "a", ö: "o", ò: "o", ó: "o", ô: "o", ü: "u", ù: "u", ú: "u", û: "u", é: "e", è: "e",
  ê: "e", í: "i", ì: "i", î: "i", ç: "c", ñ: "n", ß: "ss", č: "c", š: "s", ř: "r", ž: "z",
};

const known = (map, word) => (Object.hasOwn(map, word) ? map[word] : null);
const numberOf = (word) => (/^\d{1,2}$/.test(word) ? Number(word) : known(numbers, word));

/** `{ instrument, number }`; number null if the name has none. */
export function readPartName(name) {
  const plain = [...name.toLowerCase()].map((letter) => known(accents, letter) ?? letter).join("");
  const words = [];
  let number = null;
  let skipsKey = false;
  for (const word of plain.split(/[^a-z0-9]+/).filter(Boolean)) {
    if (skipsKey) {
      // The key of a transposing instrument, as in “Clarinet in B flat”.
      skipsKey = false;
      if (keys.includes(word)) continue;
    }
    const value = numberOf(word);
    if (word === "in" && words.length > 0) skipsKey = true;
    else if (value !== null && (words.length > 0 || number === null)) number ??= value;
    else if (!fillers.includes(word)) words.push(known(instruments, word) ?? word);
  }
  return { instrument: words.join(" "), number };
}

/** The index of the part of `names` that a player of the part `name` plays; null if it is not clear. */
export function samePart(name, names) {
  const own = readPartName(name);
  const others = names.map(readPartName);
  const same = others.findIndex((other) => other.instrument === own.instrument && other.number === own.number);
  if (same >= 0) return same;
  const near = [...others.keys()].filter((index) => others[index].instrument === own.instrument
    && (others[index].number === null || own.number === null));
  return near.length === 1 ? near[0] : null;
}
