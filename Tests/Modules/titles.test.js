// What titles say of themselves: their runs, what is doubtful about them, and the sentences of the operator's page.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

const { isUpright, plainTitle, titleRuns } = await import("/shared/titletext.js");
const { secondsShown, titleDoubts } = await import("/shared/titlechecks.js");
const { automaticNumber, passedBy, passedWords, progressWords, stateOf, wantedCommand } =
  await import("/titles/words.js");

describe("a title's text", () => {
  it("has italics and bold, and other signs as they are", () => {
    assert.deepEqual(titleRuns("a <i>b <b>c</b></i> <3"), [
      { text: "a ", isItalic: false, isBold: false }, { text: "b ", isItalic: true, isBold: false },
      { text: "c", isItalic: true, isBold: true }, { text: " <3", isItalic: false, isBold: false }]);
    assert.deepEqual(titleRuns("<I>open"), [{ text: "open", isItalic: true, isBold: false }]);
    assert.deepEqual(titleRuns(""), []);
    assert.equal(plainTitle("<i>a</i> < <script>b"), "a < <script>b");
  });

  it("stays upright where letters are never slanted", () => {
    for (const text of ["שלום", "مرحبا", "你好", "こんにちは", "안녕", "Act 1: 你好"]) assert.ok(isUpright(text), text);
    for (const text of ["Élise", "Привет", "Γειά", ""]) assert.ok(!isUpright(text), text);
  });
});

const title = (number, texts, more = {}) =>
  ({ number, texts, place: null, played: null, measure: null, seconds: null, doubleCut: null, ...more });

describe("what needs a look", () => {
  it("is what nobody reads in time, what no board holds, and a missing language", () => {
    const titles = [
      title(1, { de: "Kurz", en: "Short" }, { seconds: 0 }), title(2, { de: "Ein langer Satz, der schnell vergeht" },
        { seconds: 4 }), title(3, { de: "a\nb\nc", en: "x".repeat(43) }, { seconds: 5 }), title(4, { de: "", en: "" })];
    const doubts = titles.map((_, index) => titleDoubts(titles, index, ["de", "en"]));
    assert.deepEqual(doubts, [[], ["no en", "31 letters in 1.0 s (de)"], ["3 lines (de)", "a line of 43 letters (en)"],
      []]);
  });

  it("knows syllables, markup and titles that go by themselves", () => {
    const quick = [title(1, { ja: "こんにちは世界ようこそ" }, { seconds: 0 }), title(2, { ja: "" }, { seconds: 1 })];
    assert.deepEqual(titleDoubts(quick, 0, ["ja"]), ["11 letters in 1.0 s"]);
    assert.deepEqual(titleDoubts([title(1, { "": `<i>${"x".repeat(42)}</i>` })], 0, [""]), []);
    const cut = [title(1, { "": "a" }, { seconds: 3, doubleCut: 2 }), title(2, { "": "b" }, { seconds: 9 })];
    assert.equal(secondsShown(cut, 0), 2);
    assert.equal(secondsShown(cut, 1), null);
  });
});

const list = { folder: "aria", languages: ["de"], measureSeconds: [0, 2, 4, 6, 8], titles: [
  title(1, { de: "<i>Guten</i> Morgen" }, { played: 0, seconds: 0 }), title(2, { de: "von Hand" }),
  title(3, { de: "Abend" }, { played: 3, seconds: 6 })] };
const section = { folder: "aria", revision: "1", number: 1, count: 3, followsMusic: true };
const at = (played, more = {}) => ({ played, measure: played + 1, fraction: 0.5, tempo: 1, ...more });

describe("the operator's page", () => {
  it("says how far the next title is", () => {
    assert.equal(progressWords(list, section, at(1), { confidence: 0.98 }),
      "Bar 2 · title 3 in 2 bars, 3 s · 98 % sure");
    assert.equal(progressWords(list, section, at(2, { tempo: 2 }), null), "Bar 3 · title 3 in 1 bar, 1 s");
    assert.equal(progressWords(list, { ...section, number: 3 }, at(3), null), "Bar 4");
    assert.equal(progressWords(list, section, { played: null }, null), "");
    assert.equal(progressWords(null, section, at(1), null), "");
  });

  it("says where automatic would be, and that nothing comes by itself", () => {
    assert.equal(automaticNumber(list, at(2)), 1);
    assert.equal(automaticNumber(list, at(3)), 3);
    assert.equal(automaticNumber(list, { played: null }), null);
    const byHand = { ...section, followsMusic: false };
    assert.match(stateOf(byHand, true, 3).sentence, /^By hand: .* It would show title 3\.$/);
    assert.match(stateOf(byHand, true, 1).sentence, /It would show this title\.$/);
    assert.match(stateOf(byHand, true, null).sentence, /until you press Automatic\.$/);
  });

  it("calls out what the music passed by, and nothing that a person did", () => {
    assert.deepEqual(passedBy(section, { ...section, number: 3 }), [2]);
    assert.deepEqual(passedBy(section, { ...section, number: 2 }), []);
    assert.deepEqual(passedBy(section, { ...section, number: 3, followsMusic: false }), []);
    assert.deepEqual(passedBy(section, { ...section, number: 3, skipped: [2] }), [], "left out tonight");
    assert.equal(automaticNumber(list, at(3), [3]), 1);
    assert.deepEqual(passedBy({ ...section, revision: "0" }, { ...section, number: 3 }), []);
    assert.deepEqual(passedBy({ ...section, number: 3 }, section), []);
    assert.deepEqual(passedBy(null, section), []);
    assert.match(passedWords([2]), /^Title 2 was passed by/);
    assert.match(passedWords([2, 3, 4]), /^Titles 2 to 4 were passed by/);
  });

  it("calls a title by the number that was printed, and finds it so", () => {
    const printed = { ...list, titles: list.titles.map((one) => (one.number === 2 ? { ...one, label: "1a" } : one)) };
    assert.match(passedWords([2], printed), /^Title 1a was/);
    assert.match(stateOf({ ...section, followsMusic: false, number: 1 }, true, 2, printed).sentence, /title 1a\./);
    assert.deepEqual(wantedCommand("1A", printed, section), ["goto", "2"]);
    assert.deepEqual(wantedCommand("2", printed, section), ["goto", "2"]);
  });

  it("finds words that stand in italics", () => {
    assert.deepEqual(wantedCommand("guten morgen", list, section), ["goto", "1"]);
    assert.equal(wantedCommand("<i>", list, section), null);
  });
});
