// What the editor's page computes.
import { test } from "node:test";

import { equal } from "./lib/equal.js";
import { shortNames } from "/edit/names.js";
import { newSections } from "/edit/preparedmarks.js";
import { playedOf } from "/edit/slidemoves.js";

const bars = [1, 2, 1, 2, 3].map((printed, at) => ({ id: `b${at}`, printed, seconds: at }));
const measures = bars.map(({ printed, seconds }) => ({ printed, time: seconds }));
const mark = (bar, kind, text) => ({ id: bar + kind, bar, kind, text });

/** The sections that marks become, and how many marks lie on no bar of the piece. */
function taken(marks, sections = [], found = measures) {
  const { sections: all, unmatched } = newSections({ bars, marks }, found, sections);
  return [all.map(({ played, label }) => `${label}${played}`).join(" "), unmatched];
}

test("pieces are told apart by what differs", () => {
  equal(shortNames(["Beethoven, Symphony 1: Allegro", "Beethoven, Symphony 2: Allegro",
      "Mozart, Sonata: Rondo",
      "Haydn, Sonata: Rondo", "Bach, X: I", "Bach, X: I", "", "Satie, Gymnopédie"]), [
    "Symphony 1: Allegro", "Symphony 2: Allegro", "Mozart, Sonata: Rondo", "Haydn, Sonata: Rondo", "Bach, X: I (1)",
    "Bach, X: I (2)", "Untitled piece", "Gymnopédie"
  ]);
});

test("sections and letters become sections in the order in which they are played", () => {
  equal(taken([mark("b4", "rehearsal", "B"), mark("b2", "section", "Trio"),
    mark("b2", "rehearsal", "A"), mark("b0", "repeatStart", "")]), ["Trio2 B4", 0]);
});

test("a bar that has a section keeps it", () => {
  equal(taken([mark("b0", "section", "New"), mark("b3", "section", "Coda")],
    [{ played: 0, fields: { label: "Old", colour: "1,2,3" } }]), ["Coda3", 0]);
});

test("marks on bars that the piece does not have are counted", () => {
  equal(taken([mark("b1", "section", "A"), mark("b4", "section", "B")], [], measures.slice(0, 4)), ["A1", 1]);
});

test("parts with the same name have the same colour", () => {
  const { sections } = newSections({ bars, marks: [mark("b0", "section", "A"),
  mark("b1", "section", "B"), mark("b2", "section", "A")] }, measures, []);
  equal(sections[0].colour === sections[2].colour && sections[0].colour !== sections[1].colour, true);
});

test("a bar is written as on the console and in cues: with its time, or as played", () => {
  equal(["2/2", "1", "p:4", " 3 ", "2/3", "x", ""].map((text) => playedOf(measures, text, 4)),
    [3, 2, 4, 4, null, null, null]);
});
