// What the audience's page computes.
import { test } from "node:test";

import { equal, isTrue } from "./lib/equal.js";
import { sourceOf, vectors } from "./lib/files.js";
import { folderOf, readKey, worksOf } from "/audience/concert.js";
import { Delay } from "/audience/delay.js";
import { Fence } from "/audience/fence.js";
import { keyWords } from "/audience/form.js";
import { webAddress } from "/audience/messages.js";
import { languages, say, speak } from "/audience/words.js";
import { surelyBegun } from "/shared/heardblocks.js";
import { leadLength } from "/shared/slideparts.js";
import { plainWords } from "/audience/plain.js";

test("the fence refuses what is older and forgets after a day", () => {
  const kept = new Map(); const store = { getItem: (k) => kept.get(k) ?? null,
      setItem: (k, v) => kept.set(k, v), removeItem: (k) => kept.delete(k) };
  const word = (epoch, sequence) => ({ epoch, sequence }); const day = 86400e3; const said = [];
  let fence = new Fence(store);
  said.push(fence.admits(word("1.4", 7), 0), fence.admits(word("1.4", 7), 1), fence.admits(word("1.4", 6), 2),
      fence.admits(word("1.3", 99), 3));
  said.push(fence.admits(word("1.10", 1), 4), fence.admits(word("1.9", 50), 5));
  fence = new Fence(store);
  said.push(fence.admits(word("1.9", 50), 6), fence.admits(word("1.9", 50), 4 + day),
      fence.admits(word("1.10", 1), 5 + day));
  fence.forget();
  said.push(fence.admits(word("0.1", 0), 6 + day));
  equal(said, [true, true, false, false, true, false, false, true, true, true]);
});

test("a bar that is heard at home is shown once it has surely begun, never early", () => {
  const bars = [0, 2, 4, 6].map((onset) => ({ onset }));
  const shown = (played, place, tempo = 1) => surelyBegun(bars, { played, place, tempo });
  equal([shown(0, 0.01), shown(1, 2.05), shown(1, 2.2), shown(3, 6.1), shown(3, 6.2, 2), shown(3, 6.2)],
    [0, 0, 1, 2, 2, 3]);
});

test("a delay reckons back late and never early", () => {
  const measures = Array.from({ length: 40 }, (_, index) => ({ time: index * 2 })); const of = () => measures;
  const delay = new Delay(); const said = [];
  delay.hear({ played: 20 }, 100_000);            // second 40 of the recording
  said.push(delay.at(100_000, 0, of).played, delay.at(100_000, 8_000, of).played,
      delay.at(108_000, 8_000, of).played);
  said.push(delay.at(100_000, 60_000, of).played);
  delay.hear({ played: 21 }, 102_000); delay.hear(null, 104_000);
  said.push(delay.at(104_500, 2_000, of).played, delay.at(105_000, 0, of), delay.at(105_000, 1_000, of));
  equal(said, [20, 15, 20, -1, 21, null, null]);
});

test("keys have the names of each language", () => {
  const said = ["es", "fr", "it"].flatMap((tag) => {
 speak(tag);
      return ["B minor", "E-flat major"].map(keyWords);
});
  speak("en");
  equal(said, [
    "si menor, 2 sostenidos", "mi bemol mayor, 3 bemoles", "si mineur, 2 dièses", "mi bémol majeur, 3 bémols",
    "si minore, 2 diesis", "mi bemolle maggiore, 3 bemolli"
  ]);
});

test("a key is named in two languages", () => {
  const { cases } = vectors("keys.json");
  const words = (name) => keyWords(name).split(",")[0];
  speak("de");
  const german = cases.map(({ name }) => words(name));
  speak("en");
  equal(cases.map(({ name }, index) => [readKey(name).fifths, words(name), german[index]]),
    cases.map(({ name, fifths, german }) =>
      [fifths, name.replace("-flat", " flat").replace("-sharp", " sharp"), german]));
});

test("the large first line is a whole sentence", () => {
  equal([
    "A short one. It stays together.",
    "The bass has arrived on G, the dominant, and stays there. Above it the chords change and the tension " +
      "grows and grows.",
    "Symphony No. 9 by Ludwig van Beethoven ends with a choir. Nobody had dared to do that in a symphony before.",
    "word ".repeat(60)
  ].map((text) => text.slice(0, leadLength(text)).trim()), [
    "A short one. It stays together.", "The bass has arrived on G, the dominant, and stays there.",
    "Symphony No. 9 by Ludwig van Beethoven ends with a choir.", ""
  ]);
});

test("folders works keys and addresses", () => {
  const works = worksOf({ pieces: [["H", "C", "1"], ["H", "C", "2"], ["S", "D", "D"]]
    .map(([composer, work, movement]) => ({ composer, work, movement })) });
  equal([folderOf("Strauss, Don Juan: Don Juan"), works.map((work) => work.pieces.length)],
    ["POAStraussDonJuanDonJuan", [2, 1]]);
  equal(["B minor", "A-flat major", "E-flat minor", "C-sharp major"].map((name) => readKey(name).fifths),
    [2, -4, -6, 7]);
  equal([
    readKey("noise"), webAddress("javascript:alert(1)"), webAddress("https://a.example/").href,
    webAddress("//a.example")
  ], [null, null, "https://a.example/", null]);
});

const names = [...sourceOf("/audience/words.js").matchAll(/^ {2}(\w+): \[/gm)].map((match) => match[1]);

test("words are said once, for a later one would take the place of an earlier one", () => {
  equal(names.filter((name, at) => names.indexOf(name) !== at), []);
});

test("every word is there in all languages with the same blanks", () => {
  const blanks = (words) => [...words.matchAll(/\{\w+\}/g)].map(String).sort().join();
  const inAll = (name) => languages.map((tag) => {
    speak(tag + "-XX");
    return say(name);
  });
  equal(languages, ["en", "de", "es", "fr", "it"]);
  isTrue(names.length > 80, `${names.length} words`);
  equal(names.filter((name) => {
    const all = inAll(name);
    return !all.every((words) => words && blanks(words) === blanks(all[0]));
  }), []);
  languages.slice(1).forEach((tag, at) => {
    isTrue(names.filter((name) => inAll(name)[at + 1] === inAll(name)[0]).length < 20, `${tag} is no English`);
  });
  speak("pt");
  equal(say("help"), "Help");
  speak("en");
});

test("a piece without slides shows its bar, its section and the next one", () => {
  speak("en");
  const piece = { composer: "Grieg", work: "Peer Gynt", movement: "Hall", measures: [{ printed: 1 }, { printed: 88 }] };
  const now = { piece, name: "", next: { name: "Elise" }, played: 3, language: "en" };
  const live = { measure: 4, section: "A", nextSection: { label: "B", measure: 17 } };
  const { over, lead, bar, of, section, then, next } = plainWords({ ...now, live });
  equal([over, lead, bar, of, section, then, next],
    ["Grieg, Peer Gynt", "Hall", "4", "of 88", "A", "then B, from bar 17", "Next: Elise"]);
  const read = plainWords({ ...now, live: null });
  equal([read.bar, read.of, read.then], ["", "88 bars", ""]);
  const plain = plainWords({ ...now, piece: { ...now.piece, composer: "", work: "minuet", movement: "" }, live: null });
  equal([plain.over, plain.lead], ["", "minuet"], "a piece with a name alone is named once");
});
