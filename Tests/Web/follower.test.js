// The engine for pages against the program: the same sound must give the same bars and states.
//
//   Tools/build-web; BATON=.build/debug/baton node --test Tests/Web/
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import test from "node:test";
import {
  Follower, loadEngine, makeFrames, readFrames,
} from "../../Sources/Adapters/WebServer/Pages/shared/follower.js";
import { HeardBlocks, surelyBegun } from "../../Sources/Adapters/WebServer/Pages/shared/heardblocks.js";

const root = new URL("../../", import.meta.url).pathname;
const baton = process.env.BATON ?? join(root, ".build/debug/baton");
const engine = await loadEngine(readFileSync(process.env.BATON_ENGINE ?? join(root, "out/web/engine.wasm")));

const ours = join(root, "Models");
const describe = (piece, models = ours) => JSON.parse(readFileSync(join(models, piece, "model.json"), "utf-8"));

/** A file of frames; the first recording's unless another digest is given. */
function readFile(piece, { about, framesDigest } = describe(piece).references[0], digest = framesDigest,
  models = ours) {
  const name = `${about.name}-${digest.slice(0, 8)}.frames`;
  return new Uint8Array(readFileSync(join(models, piece, name))).buffer;
}

/** A model, from its files; the repository's unless another folder is given. */
async function readModel(piece, rooms = true, models = ours) {
  const { timeline, references } = describe(piece, models);
  const frames = (reference, digest) => readFrames(readFile(piece, reference, digest, models));
  return { measures: timeline.marks, end: timeline.end,
    recordings: await Promise.all(references.map(async (each) => ({ frames: await frames(each, each.framesDigest),
      rooms: rooms ? await Promise.all(each.rooms.map((room) => frames(each, room.framesDigest))) : [] }))) };
}

const pathOf = (piece, performance) => join(root, "Recordings", piece, performance, "audio.ogg");

/** A performance that the model was not made from, as samples. */
const readSound = (piece, performance) => readFileOfSound(pathOf(piece, performance));

function readFileOfSound(path) {
  const bytes = execFileSync("ffmpeg", ["-v", "error", "-i", path, "-ac", "1", "-f", "f32le", "-"],
    { maxBuffer: 1 << 28 });
  const probe = execFileSync("ffprobe", ["-v", "error", "-show_entries", "stream=sample_rate", "-of", "csv=p=0", path],
    { encoding: "utf-8" });
  return { samples: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
    rate: Number.parseInt(probe, 10) };
}

/** Does something with a folder that is removed afterwards. */
async function inScratch(action) {
  const scratch = mkdtempSync(join(tmpdir(), "baton-web-"));
  try {
    return await action(scratch);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** What `baton replay` says of a performance, report by report; it counts played measures from 1. */
const replay = (piece, live, models = ours) => inScratch((scratch) => {
  const file = join(scratch, "reports.jsonl");
  // An empty folder of recordings names no sections, which the page was not given either.
  execFileSync(baton, ["replay", piece, "--live", live, "--models", models, "--recordings", scratch, "--speed", "max",
    "--reports", file, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
  return readFileSync(file, "utf-8").trim().split("\n").map((line) => JSON.parse(line));
});

function follow(model, { samples, rate }, block = Math.round(rate / 50)) {
  const follower = new Follower(engine, model, rate);
  const reports = [];
  for (let start = 0; start < samples.length; start += block) {
    const report = follower.push(samples.subarray(start, start + block));
    if (report) reports.push(report);
  }
  return reports;
}

/** How many seconds after its true onset each bar is shown that a listener at home sees, in the order of showing. */
function lateness(model, { samples, rate }, onsets) {
  const heard = new HeardBlocks(new Follower(engine, model, rate), rate);
  const whole = Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, sample * 32_768)));
  const found = [];
  let shown = null;
  for (let start = 0; start < whole.length; start += rate / 10) {
    const position = heard.hear({ firstSample: start, samples: whole.subarray(start, start + rate / 10) });
    if (position.state !== "following" || position.confidence < 0.5) continue;
    const bar = surelyBegun(model.measures, position);
    if (bar !== shown) found.push(position.heard / rate - onsets[bar]);
    shown = bar;
  }
  return found;
}

const onsetsIn = (path) => readFileSync(path, "utf-8").trim().split("\n").slice(1)
  .filter((line) => !line.startsWith("end")).map((line) => Number(line.split(",")[1]));

/** Says how early bars came, and how late as a rule. */
function judgeEarliness(context, late) {
  late.sort((one, other) => one - other);
  const early = late.filter((seconds) => seconds < -0.05).length;
  context.diagnostic(`${early} of ${late.length} bars more than 50 ms early; the earliest `
    + `${late[0].toFixed(2)} s late, median ${late[late.length >> 1].toFixed(2)} `
    + `s late, nine tenths within ${late[Math.floor(late.length * 0.9)].toFixed(2)} s`);
  return early;
}

const brief = ({ live, played, state }) => `${live.toFixed(2)} ${played} ${state}`;

const pieces = [["petzold-anna-magdalena-notebook-minuet-in-g", "gentle"],
  ...(process.env.BATON_ALL ? [["beethoven-woo-59-fur-elise", "swift"],
    ["grieg-peer-gynt-hall-of-the-mountain-king", "studio"]] : [])];

/** Fails where the reports of the page and of the program are not alike. */
function judgeLikeness(found, expected) {
  assert.equal(found.length, expected.length);
  const others = found.filter((report, index) =>
    brief(report) !== brief({ ...expected[index], played: expected[index].played - 1 }));
  assert.equal(others.length, 0, `${others.length} bars or states differ, first ${others[0] && brief(others[0])}`);
  const apart = found.map(({ reference }, index) => Math.abs((reference ?? -1) - (expected[index].reference ?? -1)));
  assert.ok(Math.max(...apart) < 0.002, `a time differs by ${Math.max(...apart)} s`);
}

for (const [piece, performance] of pieces) {
  test(`${piece} has the same bars and states as the program`, async () => {
    const expected = await replay(piece, pathOf(piece, performance));
    judgeLikeness(follow(await readModel(piece), readSound(piece, performance)), expected);
  });
}

for (const [piece, performance] of pieces) {
  test(`a listener at home sees not one bar of ${piece} in fifty before it begins`, async (context) => {
    const late = lateness(await readModel(piece, false), readSound(piece, performance),
      onsetsIn(join(root, "Recordings", piece, performance, "measures.csv")));
    assert.ok(late.length > 30, `${late.length} bars are shown`);
    const early = judgeEarliness(context, late);
    assert.ok(early < late.length / 50, `${early} bars`);
  });
}

// Folders of a benchmark that BATON_CASES names, such as ../shared/bench/orch-mozart-41-1; earliness is judged by eye.
for (const folder of (process.env.BATON_CASES ?? "").split(" ").filter(Boolean)) {
  test(`${folder} has the same bars and states as the program`, (context) => inScratch(async (models) => {
    const { references: [reference], live } = JSON.parse(readFileSync(join(folder, "case.json"), "utf-8"));
    const audio = join(folder, live.audio);
    execFileSync(baton, ["prepare", "case", "--recording", join(folder, reference.audio), "--measures",
      join(folder, reference.measures), "--end", String(reference.end), "--models", models, "--reference", "reference",
      "--name", "Case"], { stdio: ["ignore", "ignore", "inherit"] });
    const sound = readFileOfSound(audio);
    judgeLikeness(follow(await readModel("case", true, models), sound), await replay("case", audio, models));
    judgeEarliness(context, lateness(await readModel("case", false, models), sound,
      onsetsIn(join(folder, live.measures))));
  }));
}

const [piece, performance] = pieces[0];

test("blocks of any size give the same reports", async () => {
  const model = await readModel(piece, false);
  const sound = readSound(piece, performance);
  sound.samples = sound.samples.subarray(0, 20 * sound.rate);
  const by = (block) => follow(model, sound, block).map(brief);
  const newest = (rows) => rows.at(-1);
  assert.equal(newest(by(128)), newest(by(1_000)));
});

test("a recording is followed by one that the page itself listened to", async () => {
  const reference = readSound(piece, "dance");
  const frames = await makeFrames(engine, reference.samples, reference.rate);
  const seconds = Math.floor(reference.samples.length / reference.rate);
  const model = { measures: Array.from({ length: seconds }, (_, second) => ({ printed: second, onset: second })),
    end: seconds, recordings: [{ frames }] };
  const reports = follow(model, readSound(piece, performance));
  const following = reports.filter(({ state }) => state === "following");
  assert.ok(following.length > reports.length * 0.7, `${following.length} of ${reports.length} reports follow`);
});

test("after a trap another instance goes on near the place that was certain", async () => {
  const model = await readModel(piece, false);
  const { samples, rate } = readSound(piece, performance);
  let isBroken = false;
  const Instance = WebAssembly.Instance;
  // Each instance is a real one whose next push may meet a trap.
  WebAssembly.Instance = class {
    constructor(module, imports) {
      const { exports } = new Instance(module, imports);
      this.exports = { ...exports, baton_push: (...samplesAndCount) => {
        if (isBroken) {
          isBroken = false;
          throw new WebAssembly.RuntimeError("unreachable");
        }
        return exports.baton_push(...samplesAndCount);
      } };
    }
  };
  const follower = new Follower(engine, model, rate);
  const hear = (from, to) => {
    let last = null;
    for (let start = from * rate; start < to * rate; start += 512) {
      last = follower.push(samples.subarray(start, start + 512)) ?? last;
    }
    return last;
  };
  const before = hear(0, 20);
  assert.equal(before.state, "following");
  isBroken = true;
  follower.push(samples.subarray(20 * rate, 20 * rate + 512));
  WebAssembly.Instance = Instance;
  assert.equal(follower.restarts, 1);
  const after = hear(20, 26);
  assert.equal(after.state, "following");
  const ahead = after.measure - before.measure;
  assert.ok(ahead > 0 && ahead <= 8, `bar ${before.measure}, then ${after.measure}`);
  assert.ok(Math.abs(after.live - 26) < 0.2, `${after.live} s were heard`);
});

test("a student who says where to begin is found there at once", async () => {
  const { samples, rate } = readSound(piece, performance);
  const model = await readModel(piece, false);
  const onset = Math.round(rate * 20.8); // bar 13 of this performance (Tests/Services/StudentsTests/MinuetPerformance)
  const follower = new Follower(engine, model, rate);
  follower.beginAt(12);
  let last = null;
  for (let start = onset; start < onset + 4 * rate; start += 512) {
    last = follower.push(samples.subarray(start, start + 512)) ?? last;
  }
  assert.equal(last.state, "following");
  assert.ok(last.played >= 12 && last.played <= 16, `played bar ${last.played}`);
  assert.throws(() => follower.beginAt(model.measures.length), /no such measure/);
});

test("what cannot be followed is refused with a sentence", async () => {
  const model = await readModel(piece, false);
  assert.throws(() => new Follower(engine, { ...model, recordings: [] }, 48_000), /no recording/);
  assert.throws(() => new Follower(engine, model, 8), /no sense/);
  assert.throws(() => new Follower(engine, { ...model, measures: [] }, 48_000), /no sense/);
  for (const cut of [0, 1, 19, 20, 51, 52, 1_000]) {
    const frames = model.recordings[0].frames.slice(0, cut);
    assert.throws(() => new Follower(engine, { ...model, recordings: [{ frames }] }, 48_000), /damaged/);
  }
});

test("a file of frames that was cut anywhere is refused with a sentence", async () => {
  const model = await readModel(piece, false);
  const file = readFile(piece);
  for (let cut = 1; cut < file.byteLength; cut = cut < 100 ? cut + 1 : cut * 2) {
    await assert.rejects(async () => {
      const frames = await readFrames(file.slice(0, file.byteLength - cut));
      return new Follower(engine, { ...model, recordings: [{ frames }] }, 48_000);
    }, /damaged/, `${cut} bytes less`);
  }
});

test("a file of the first version is followed as well", async () => {
  const model = await readModel(piece, false);
  const { frames } = model.recordings[0];
  const header = new DataView(frames, 0, 20);
  const [dimensions, count] = [header.getUint16(10, true), header.getUint32(16, true)];
  const old = new Uint8Array(20 + 4 * count + dimensions * count + 32);
  old.set(new Uint8Array(frames, 0, 20));
  old[8] = 1;
  const halves = new Uint8Array(frames, 20 + 2 * count);
  for (let frame = 0; frame < count; frame += 1) {
    for (let value = 0; value < dimensions; value += 1) {
      const byte = halves[value * Math.ceil(count / 2) + Math.floor(frame / 2)];
      old[20 + 4 * count + frame * dimensions + value] = 17 * (frame % 2 ? byte >> 4 : byte & 15);
    }
  }
  const sound = readSound(piece, performance);
  sound.samples = sound.samples.subarray(0, 20 * sound.rate);
  const expected = follow(model, sound).map(brief);
  const recordings = [{ frames: await readFrames(old.buffer) }];
  assert.deepEqual(follow({ ...model, recordings }, sound).map(brief), expected);
});
