// The structure drawer: the sections of a piece with their colours and keys.
import { draw, make } from "/shared/dom.js";
import { colourOf, slideAt } from "/shared/slides.js";
import { labelOf, readKey, sectionAt } from "./concert.js";
import { closeSheet, openSheet } from "./sheets.js";
import { say, speaks } from "./words.js";

/** Opens the drawer; a section that has begun leads to its slide. */
export function openForm(hall, turned) {
  const { piece, track, playhead, limit, isOfNow } = hall;
  if (!piece) return;
  const sections = piece.structure?.sections ?? [];
  const here = sectionAt(piece, playhead);
  openSheet("form", say("timeline"), (body) => {
    body.append(make("ol", { class: "sections" }, ...sections.map((section, index) => {
      const target = slideAt(track, section.played);
      const begun = !isOfNow || section.played <= playhead;
      const button = make("button", { type: "button", class: "section", "aria-current": index === here ? "true" : null,
        "aria-disabled": begun ? null : "true", onclick: () => {
          if (!begun) return;
          hall.turnTo(Math.min(target < 0 ? 0 : target, limit));
          turned();
          closeSheet();
        } },
      draw("svg", { class: "swatch", "aria-hidden": "true", viewBox: "0 0 10 40", preserveAspectRatio: "none" },
        draw("rect", { width: 10, height: 40, fill: colourOf(section.colour) })),
      make("span", { class: "label" }, make("span", { text: labelOf(section, hall.language) }),
        index === here && make("span", { class: "plays", text: isOfNow ? say("here") : "" }) || null),
      make("span", { class: "key", text: keyWords(section.key) }),
      make("span", { class: "about", text: measureWords(piece, section, sections[index + 1]) }));
      return make("li", {}, button);
    })));
  });
}

function measureWords(piece, section, next) {
  const stop = next?.played ?? piece.structure.end ?? piece.measures.length;
  const from = piece.measures[section.played]?.printed;
  const to = piece.measures[Math.max(stop - 1, section.played)]?.printed;
  return from === to ? say("measure", { from }) : say("measures", { from, to });
}

/** Names of keys where notes are named do, re, mi: the syllables from C on, flat and sharp, major and minor. */
const syllables = {
  es: ["do re mi fa sol la si", "bemol", "sostenido", "mayor", "menor"],
  fr: ["do ré mi fa sol la si", "bémol", "dièse", "majeur", "mineur"],
  it: ["do re mi fa sol la si", "bemolle", "diesis", "maggiore", "minore"],
};

/** `B minor, 2 sharps`; in German `h-Moll, 2 Kreuze`, in French `si mineur, 2 dièses`. */
export function keyWords(name) {
  const key = readKey(name);
  if (!key) return name ?? "";
  const count = Math.abs(key.fifths);
  const accidentals = count === 0 ? say("plain") : say((key.fifths > 0 ? "sharp" : "flat") + (count === 1 ? "" : "s"),
    { n: count });
  const spoken = speaks() === "de" ? germanKey(key) : speaks() in syllables ? romanceKey(key, syllables[speaks()])
    : name.replace("-flat", " flat").replace("-sharp", " sharp");
  return `${spoken}, ${accidentals}`;
}

function romanceKey({ letter, sharps, mode }, [notes, flat, sharp, major, minor]) {
  return [notes.split(" ")["CDEFGAB".indexOf(letter)], sharps < 0 ? flat : sharps > 0 ? sharp : null,
    mode === "major" ? major : minor].filter(Boolean).join(" ");
}

function germanKey({ letter, sharps, mode }) {
  let stem = letter === "B" ? "H" : letter;
  if (sharps === -1) stem = { B: "B", A: "As", E: "Es" }[letter] ?? `${letter}es`;
  if (sharps === 1) stem += "is";
  return mode === "major" ? `${stem}-Dur` : `${stem.toLowerCase()}-Moll`;
}
