// What the report of an evening counts.
import { test } from "node:test";

import { equal, isTrue } from "./lib/equal.js";
import { confidenceRuns, measureMarks, rates, soundingStretches, stateSpans } from "/report/numbers.js";

test("a takeover is no rate of packets", () => {
  equal(rates([[0, 0], [10_000, 50], [20_000, 1_000_090], [30_000, 1_000_140], [40_000, 10]]), [
    [10000, 5], [30000, 5], [40000, 0]
  ]);
});

test("a piece that sounds twice is drawn twice", () => {
  const bar = (at, liveSeconds = null) => ({ at, liveSeconds, referenceSeconds: 2 });
  equal([
    soundingStretches({ measures: [bar(1_000, 2), bar(3_000, 3), bar(20_000), bar(600_000, 2), bar(602_000)] }),
    soundingStretches({ measures: [bar(100_000)],
      states: [[10_000, "following"], [15_000, "waiting"], [99_000, "following"]] }),
    soundingStretches({ measures: [] }), soundingStretches({})
  ], [[[1000, 22000], [600000, 604000]], [[10000, 15000], [99000, 102000]], [], []]);
});

test("numbers under a report rise or are marked as a return", () => {
  const count = (from, until) => Array.from({ length: until - from + 1 }, (_, index) => from + index);
  equal(measureMarks([2, 3, 2, 3, 4], 20),
    [[0, "2", false], [1, "3", false], [2, "↩ 2", true], [3, "3", false], [4, "4", false]]);
  const marks = measureMarks([...count(1, 50), ...count(2, 51)], 20);
  isTrue(marks.some(([at, words, isReturn]) => at === 50 && words === "↩ 2" && isReturn), "the return is marked");
  isTrue(marks.length <= 21, `${marks.length} marks`);
  let last = 0;
  for (const [, words, isReturn] of marks) {
    const number = Number(words.split(" ").at(-1));
    isTrue(isReturn || number > last, words);
    last = number;
  }
  equal(measureMarks([], 20), []);
});

test("a reports confidence has gaps where nothing was followed", () => {
  // Now for a moment, played five minutes later; the music rests once, and once the follower says nothing.
  const piece = { states: [[0, "following"], [2000, "left"], [300_000, "waiting"], [310_000, "following"],
    [320_000, "coasting"], [322_000, "following"], [330_000, "resting"], [340_000, "following"], [400_000, "left"]],
  confidence: [[0, .9], [1000, .8], [300_000, 0], [305_000, 0], [310_000, .7], [315_000, .8], [321_000, .4],
    [325_000, .9], [332_000, .1], [341_000, .9], [345_000, .9], [370_000, .8], [372_000, .8]],
  measures: [] };
  equal(confidenceRuns(piece).map((run) => run.map(([at]) => at / 1000)),
    [[0, 1], [310, 315, 321, 325], [341, 345], [370, 372]]);
  equal(stateSpans(piece).at(-1), [340_000, 372_000, "following"], "no state outlasts the piece");
  equal(confidenceRuns({ confidence: [[0, .9], [5000, .8]] }).length, 1, "without states");
});
