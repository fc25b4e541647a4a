// What the practice pages compute: the order of bars, sounds, limits, reports; and what the partner decides.
import { test } from "node:test";

import { equal, isTrue, near } from "./lib/equal.js";
import { addStave, setRepeats, toggleRepeatStart } from "/practice/edits.js";
import { newTab } from "/practice/instruments.js";
import { freeTitle } from "/practice/library.js";
import { Plan } from "/practice/plan.js";
import { frequency, pluck, timbreOf } from "/practice/plucked.js";
import { understoodOf } from "/practice/preview.js";
import { playedBars, Timeline } from "/practice/timeline.js";
import { PlayedSound } from "/practice-follow/playedsound.js";
import { barLine, unplayedWords } from "/practice-follow/reportwords.js";
import { inPresentBars, sameBars } from "/practice-follow/versions.js";
import { HeardBlocks, roomy } from "/shared/heardblocks.js";
import { staves } from "/shared/tabmodel.js";

const guitar = [64, 59, 55, 50, 45, 40];

/** A tab with one track; each bar is a list of beats. */
function tab(...bars) {
  return { format: "baton-tab", version: 1, title: "A tab", tempo: 120, bars: bars.map(() => ({})), tracks: [{
    name: "Guitar", program: 25, strings: guitar, capo: 0,
    bars: bars.map((beats) => (beats.length > 0 ? { voices: [{ beats }] } : {})) }] };
}

/** A quarter; notes are [string, fret]. */
const quarter = (...notes) => ({ value: "1/4", notes: notes.map(([string, fret]) => ({ string, fret })) });

test("each note on each string is in tune and is heard", () => {
  // The pitch by the sound's likeness to itself, in cents.
  const rate = 44100;
  for (const open of guitar) {
    for (let fret = 0; fret <= 24; fret += 1) {
      const pitch = open + fret, wanted = rate / frequency(pitch);
      const samples = pluck(pitch, timbreOf(25), rate, 0.4);
      const likeness = (lag) => {
        let sum = 0;
        for (let at = 1000; at < 7000; at += 1) sum += samples[at] * samples[at + lag];
        return sum;
      };
      // Over many periods, so that a part of a sample counts little.
      const periods = Math.max(1, Math.floor(4000 / wanted)), around = Math.round(wanted * periods);
      let best = around;
      for (let lag = around - 4; lag <= around + 4; lag += 1) if (likeness(lag) > likeness(best)) best = lag;
      const [a, b, c] = [likeness(best - 1), likeness(best), likeness(best + 1)];
      const exact = best + (a - c) / (2 * (a - 2 * b + c));
      near(1200 * Math.log2(wanted * periods / exact), 0, 5, `cents of pitch ${pitch}`);
      const level = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
      isTrue(level > 0.005, `pitch ${pitch} is heard: ${level}`);
    }
  }
});

test("one note on any string and then a chord", () => {
  for (let first = 1; first <= 6; first += 1) {
    const rest = [1, 3, 6].filter((string) => string !== first);
    const music = tab([quarter([first, 1]), quarter(...rest.map((string) => [string, 2]))]);
    const { notes } = new Plan(new Timeline(music), {}).take();
    equal(notes.map(({ time, string }) => [time, string]), [[0, first], ...rest.map((string) => [0.5, string])]);
  }
});

test("the order of playing follows repeats endings and jumps", () => {
  equal([
    [{}, { repeatStart: true }, { repeats: 1 }, {}],
    [{ repeatStart: true }, { endings: [1], repeats: 1 }, { endings: [2] }, {}],
    [{}, { directions: ["fine"] }, { directions: ["daCapoAlFine"] }],
    [{}, { directions: ["segno"] }, { directions: ["toCoda"] }, { directions: ["dalSegnoAlCoda"] },
      { directions: ["coda"] }],
    [{ repeats: 1 }, { directions: ["daCapo"] }]
  ].map((bars) => playedBars({ bars }).map((bar) => bar + 1)),
  [[1, 2, 3, 2, 3, 4], [1, 2, 1, 3, 4], [1, 2, 3, 1, 2], [1, 2, 3, 4, 2, 3, 5], [1, 1, 2, 1, 2]]);
});

test("a file that is brought twice makes two tabs that can be told apart", () => {
  equal([
    freeTitle("Riff", new Set()), freeTitle("Riff", new Set(["Riff"])),
    freeTitle("Riff", new Set(["Riff", "Riff (2)"])), freeTitle("", new Set([""]))
  ], ["Riff", "Riff (2)", "Riff (3)", ""]);
});

test("a tuning without a name is written with its octaves", () => {
  const unknown = newTab("", { name: "Own", program: 1, strings: [62, 50] });
  equal(Object.fromEntries(understoodOf(unknown)).Strings, "2 strings, the lowest first: D3 D4");
});

test("a tab has fewer than 999 staves and repeat bars belong to each", () => {
  const bars = Array.from({ length: 996 * 2 }, () => ({}));
  let long = tab([], []), refused = null;
  long = { ...long, bars, tracks: [{ ...long.tracks[0], bars }] };
  for (let more = 0; more < 4 && !refused; more += 1) {
    try {
      long = addStave(long);
    } catch (error) {
      refused = error.message;
    }
  }
  const last = long.bars.length - 1;
  const repeated = setRepeats(toggleRepeatStart(long, last - 1), last, 24);
  equal([staves(long).length, refused, repeated.bars[last]], [998, "A tab has at most 998 staves.", { repeats: 24 }]);
});

test("a muted microphone is a quiet room to the follower and no lost sound", () => {
  const muted = roomy(new Int16Array(4_000));
  equal([...new Set(muted)].sort(), [-1, 0, 1]);
  isTrue(muted.filter((sample) => sample === 0).length < 2_000, "it is seldom still");
  const sounding = Int16Array.from({ length: 4_000 }, (_, index) => (index % 5 === 0 ? 0 : index));
  equal([...roomy(sounding)], [...sounding], "music stays as it is");
});

/** A follower that is at the second of the piece which a list names for each push, and notes what it hears. */
function scripted(places) {
  const heard = [];
  let at = -1;
  return { heard, restarts: 0, beginAt: (played) => heard.push(`bar ${played}`),
    push(samples) {
      heard.push(samples.length);
      at += 1;
      const reference = places[at] ?? null;
      return { live: at / 10, reference, played: reference === null ? null : Math.floor(reference),
        measure: reference === null ? null : Math.floor(reference) + 1, fraction: 0, tempo: 1, confidence: 0.9,
        state: reference === null ? "waiting" : "following" };
    } };
}

test("the blocks of a microphone become positions", () => {
  const follower = scripted([null, 2, 2.1, 8, 8.1]);
  const blocks = new HeardBlocks(follower, 10);
  const hear = (firstSample) => blocks.hear({ firstSample, samples: Int16Array.of(16_384, -16_384) });
  const first = hear(0);
  equal([first.heard, first.state, first.played, first.bar, first.place], [2, "waiting", null, null, null]);
  equal([hear(2), hear(4), hear(6), hear(8)].map(({ bar, jumps, lost }) => [bar, jumps, lost]),
    [[3, 0, 0], [3, 0, 0], [9, 1, 0], [9, 1, 0]]);
  blocks.beginAt(5);
  equal(follower.heard, [2, 2, 2, 2, 2, "bar 5"]);
});

test("what the microphone left out is silence for the follower", () => {
  const follower = scripted([]);
  const blocks = new HeardBlocks(follower, 10);
  equal(blocks.hear({ firstSample: 7, samples: Int16Array.of(1, 2) }).lost, 7);
  equal(follower.heard, [7, 2]);
  equal(blocks.hear({ firstSample: 100_009, samples: Int16Array.of(1) }).heard, 100_010);
  equal(follower.heard.at(-2), 600, "a minute at most");
});

test("what was played becomes a WAV file with silence for gaps", async () => {
  const sound = new PlayedSound();
  sound.add({ firstSample: 0, samples: Int16Array.of(1, -2) });
  sound.add({ firstSample: 4, samples: Int16Array.of(3) });
  equal([sound.count, sound.lost], [5, 2]);
  const bytes = new DataView(await sound.wav(48_000).arrayBuffer());
  equal([bytes.byteLength, sound.bytes, bytes.getUint32(24, true), bytes.getUint32(40, true)], [54, 54, 48_000, 10]);
  equal([0, 1, 2, 3, 4].map((index) => bytes.getInt16(44 + 2 * index, true)), [1, -2, 0, 0, 3]);
});

test("bars that were not played are named and do not count", () => {
  const range = (printedFirst, printedLast, isRepeat) => ({ printedFirst, printedLast, isRepeat });
  equal(unplayedWords({ unplayedNotes: 2,
    unplayed: [range(13, 16, false), range(1, 12, true), range(13, 32, false), range(40, 40, false)] }),
  "Not played: bars 13 to 32 and 40. Not repeated: bars 1 to 12. " +
    "2 notes of a bar that you played in part. This does not count.");
  equal(unplayedWords({ unplayed: [], unplayedNotes: 0 }), "");
  const line = barLine({ printed: 12, seconds: 18.9, verdict: "steady", tempo: undefined, playedTo: 0.6 });
  isTrue(line.includes("you stopped within it"), line);
});

test("takes of two versions of a tab are compared bar by bar", () => {
  const bars = (count) => Array.from({ length: count }, (_, played) => ({ played, printed: played + 1, tempo: 1 }));
  const report = (...barKeys) => ({ barKeys, passages: [{ bars: bars(barKeys.length || 3) }] });
  const earlier = inPresentBars(report("a", "b", "c", "d"), report("x", "a", "b", "y", "d"));
  equal([...sameBars(["a", "b", "c", "d"], ["x", "a", "b", "y", "d"])], [[0, 1], [1, 2], [3, 4]],
    "a bar that was put in moves the others");
  equal(earlier.report.passages[0].bars.map(({ played, tempo }) => [played, tempo]),
    [[1, 1], [2, 1], [2, null], [4, 1]], "a bar that was changed has no tempo to compare");
  equal([earlier.changed, inPresentBars(report(), report("a")).changed], [1, 0]);
});

test("a device without memory for a piece says so, and the piece is not to blame", async () => {
  const said = [];
  const { Instance } = WebAssembly;
  globalThis.postMessage = (answer) => said.push(answer);
  await import("/shared/follower-worker.js");
  const begin = (thrown) => {
    WebAssembly.Instance = function () {
      throw thrown;
    };
    const message = Object.assign(new Event("message"), { data: { engine: {}, model: {}, rate: 48_000, session: 1 } });
    globalThis.dispatchEvent(message);
    WebAssembly.Instance = Instance;
    return said.at(-1);
  };
  for (const full of [new RangeError("could not allocate"), new WebAssembly.RuntimeError("unreachable")]) {
    const { fault, isOfDevice } = begin(full);
    isTrue(fault.includes("too little memory") && isOfDevice, fault);
  }
  equal(begin(new Error("A file is damaged.")), { fault: "A file is damaged.", isOfDevice: false, session: 1 });
});
