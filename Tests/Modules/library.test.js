// The rules of the library's page: where measures stand, what is drawn and taken back, how folders are read.
import { File } from "node:buffer";
import { test } from "node:test";

import { equal, isTrue } from "./lib/equal.js";
import { daysLeft, lossWords } from "/library/bin.js";
import { Draft } from "/library/draft.js";
import { planOf, scoresOf, sharedBeginning } from "/library/folderplan.js";
import { boundNumbers, faults, ordered, shared } from "/library/places.js";

const at = (first, left, page = 0, extra = {}) =>
  ({ movement: 0, page, first, last: first, box: [left, 0.1, left + 0.1, 0.2], ...extra });
const drafted = (places) => new Draft(places, () => {});
const firsts = (places) => places.map(({ first }) => first);

test("places stand in reading order", () => {
  equal(firsts(ordered([at(3, 0.5), at(9, 0.1, 1), at(1, 0.1), { ...at(4, 0.05), box: [0.05, 0.5, 0.2, 0.6] }])),
    [1, 3, 4, 9]);
});

test("what is in order has no fault", () => {
  equal(faults([at(1, 0.1), at(2, 0.2)]), []);
});

/** The first fault of places says these words, and is grave or not. */
function isFault(places, words, gravity) {
  const [{ sentence, isGrave }] = faults(places);
  isTrue(sentence.includes(words), sentence);
  equal(Boolean(isGrave), gravity);
}

test("a gap is only remarked", () => {
  isFault([at(1, 0.1), at(4, 0.2)], "Page 1: measures 2 to 3 are missing", false);
});

test("a number twice is grave", () => isFault([at(1, 0.1), at(1, 0.2)], "marked twice", true));

test("a falling number is grave", () => isFault([at(5, 0.1), at(1, 0.2)], "must rise", true));

test("frames that cover each other are grave", () => isFault([at(1, 0.1), at(2, 0.12)], "cover each other", true));

test("numbers begin anew with a movement", () => {
  equal(faults([at(1, 0.1), at(1, 0.2, 0, { movement: 1 })], 2), []);
});

test("an upbeat that was numbered 1 is asked about, and may be saved", () => {
  const bound = boundNumbers([{ piece: "elise" }], [{ piece: "elise", name: "Elise", measures: [0, 104] }]);
  const marked = (first, last) => faults([{ movement: 0, page: 0, first, last, box: null }], 1, bound);
  const [{ sentence, isGrave }, ...others] = marked(1, 105);
  equal([others, isGrave], [[], false]);
  isTrue(sentence.includes("begins with an upbeat (0)?") && sentence.includes("1 measure too late"), sentence);
  equal(marked(0, 104), [], "nothing where the numbers are the piece's");
});

test("removing lets numbers follow on, and undoing brings everything back", () => {
  const draft = drafted([at(1, 0.1), at(2, 0.2), at(3, 0.3)]);
  draft.select(1);
  draft.remove();
  equal(firsts(draft.places), [1, 2]);
  draft.undo();
  equal([firsts(draft.places), draft.isSaved], [[1, 2, 3], true]);
});

test("a rest of four moves what follows, and splitting numbers on", () => {
  const draft = drafted([at(1, 0.1), at(2, 0.2), at(3, 0.3)]);
  draft.select(0);
  draft.count(4);
  equal(draft.places.map(({ first, last }) => [first, last]), [[1, 4], [5, 5], [6, 6]]);
  draft.select(1);
  draft.split();
  equal(firsts(draft.places), [1, 5, 6, 7]);
});

test("staves are joined to systems, and torn again by undo", () => {
  const staff = (top, ...lefts) => lefts.map((left) => ({ ...at(1, left), box: [left, top, left + 0.2, top + 0.1] }));
  const draft = drafted([0.1, 0.3, 0.6, 0.8].flatMap((top) => staff(top, 0.1, 0.3)));
  draft.stack(0, 2);
  equal(draft.places.map(({ first, box }) => [first, box[1], box[3]]),
    [[1, 0.1, 0.4], [2, 0.1, 0.4], [3, 0.6, 0.9], [4, 0.6, 0.9]]);
  draft.undo();
  equal(draft.places.length, 8);
});

test("doubt goes when a frame is confirmed, and is not saved", () => {
  const draft = drafted([]);
  draft.addAll(0, [{ box: [0.1, 0.1, 0.2, 0.2], isDoubtful: true }, { box: [0.2, 0.1, 0.3, 0.2] }]);
  const doubtful = () => draft.places.filter(({ isDoubtful }) => isDoubtful).length;
  equal(doubtful(), 1);
  draft.select(0);
  draft.confirm();
  equal(doubtful(), 0);
  isTrue(!JSON.stringify(shared(draft.places)).includes("oubt"), "not saved");
});

test("folders are read by their names", () => {
  const entry = (path) => ({ path, file: new File(["x"], path.split("/").at(-1)) });
  const told = (paths) => scoresOf(planOf(paths.map(entry)).groups)
    .map(({ title, parts }) => [title, parts.map(({ name }) => name)]);
  equal([
    told(["a.pdf", "b.mxl"]), told(["Set/Etude 2.pdf", "Set/Etude 10.pdf", "Set/Waltz.pdf"]),
    told(["Sinfonie/Flöte.pdf", "Sinfonie/Geige 1.pdf", "Sinfonie/Partitur.pdf"]),
    sharedBeginning(["Mahler 1 - Horn", "Mahler 1 - Harp"]), planOf([entry("x/readme.md")]).others
  ], [
    [["a", [""]], ["b", [""]]], [["Etude 2", [""]], ["Etude 10", [""]], ["Waltz", [""]]],
    [["Sinfonie", ["Partitur", "Flöte", "Geige 1"]]], "Mahler 1 - ", ["x/readme.md"]
  ]);
});

test("who removes a score is told what goes with it", () => {
  equal(lossWords({ remarks: 12, writers: 4, readers: 9 }),
    "12 remarks of 4 people go with it, and 9 readers can open it no more.");
  equal(lossWords({ remarks: 1, writers: 1, readers: 0 }), "1 remark of 1 person goes with it.");
  equal(lossWords({ remarks: 0, writers: 0, readers: 1 }), "Nothing is written in it. 1 reader can open it no more.");
  equal([0, 1, 29.5, 30, 40].map((days) => daysLeft({ removedAt: 1_000 }, 1_000 + days * 86_400_000)),
    [30, 29, 1, 0, 0]);
});
