// The report that the page makes against the server's: the same take must give the same report.
//
//   Tools/build-web; BATON=.build/debug/baton node --test Tests/Web/
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import test, { after, before } from "node:test";
import { loadEngine, readFrames } from "../../Sources/Adapters/WebServer/Pages/shared/follower.js";
import { reportOn } from "../../Sources/Adapters/WebServer/Pages/shared/takereport.js";
import { PlayedSound } from "../../Sources/Services/Students/Pages/practice-follow/playedsound.js";

const root = new URL("../../", import.meta.url).pathname;
const baton = process.env.BATON ?? join(root, ".build/debug/baton");
const engine = await loadEngine(readFileSync(process.env.BATON_ENGINE ?? join(root, "out/web/engine.wasm")));
const piece = "petzold-anna-magdalena-notebook-minuet-in-g";
const rate = 48_000;
let [server, base, data] = [null, "", ""];

before(async () => {
  data = mkdtempSync(join(tmpdir(), "baton-web-"));
  const port = await new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = /** @type {any} */ (probe.address());
      probe.close(() => found(free));
    });
  });
  base = `http://127.0.0.1:${port}`;
  server = spawn(baton, ["serve", "--data", data, "--http", `127.0.0.1:${port}`, "--no-sign-in", "--no-listen-osc"],
    { cwd: root, stdio: "ignore" });
  while (server.exitCode === null && !(await fetch(`${base}/healthz`).catch(() => null))?.ok) {
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
});

after(async () => {
  const ended = new Promise((resolve) => { server.once("exit", resolve); });
  server.kill();
  await ended;
  rmSync(data, { recursive: true });
});

const ask = async (path, how = {}) => (await fetch(`${base}/api/practice/${path}`, how)).json();

/** The piece as the page has it: bars of the server, and the frames of the timeline. */
async function load() {
  const { bars, seconds, frames: [digest] } = await ask(`pieces/${piece}`);
  const folder = join(root, "Models", piece);
  const { references } = JSON.parse(readFileSync(join(folder, "model.json"), "utf-8"));
  const { about } = references.find(({ framesDigest }) => framesDigest === digest);
  const frames = readFileSync(join(folder, `${about.name}-${digest.slice(0, 8)}.frames`));
  return { measures: bars, end: seconds, recordings: [{ frames: await readFrames(new Uint8Array(frames).buffer) }] };
}

/** Stretches of a performance that the model does not contain, one after the other, as a WAV file. */
const take = (...stretches) => takeAt(rate, ...stretches);

function takeAt(hertz, ...stretches) {
  const sound = new PlayedSound();
  const bytes = execFileSync("ffmpeg", ["-v", "error", "-i", join(root, "Recordings", piece, "gentle", "audio.ogg"),
    "-ac", "1", "-ar", String(hertz), "-f", "s16le", "-"], { maxBuffer: 1 << 28 });
  const all = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  for (const [from, to] of stretches) {
    sound.add({ firstSample: sound.count, samples: all.slice(from * hertz, to * hertz) });
  }
  return sound.wav(hertz);
}

async function serversReport(wav) {
  const { name } = await ask(`takes?piece=${piece}`,
    { method: "POST", body: wav, headers: { "X-Baton": "1", "Content-Type": "audio/wav" } });
  return ask(`takes/${name}/report`);
}

/** Fails where two reports differ by more than two thousandths, as bars rounded on the way to the page do. */
function assertSame(own, other, where = "report") {
  if (typeof own === "number" && typeof other === "number") {
    assert.ok(Math.abs(own - other) < 0.0025, `${where}: ${own}, ${other}`);
  } else if (own && typeof own === "object") {
    assert.deepEqual(Object.keys(own).sort(), Object.keys(other).sort(), where);
    for (const key of Object.keys(own)) assertSame(own[key], other[key], `${where}.${key}`);
  } else assert.equal(own, other, where);
}

test("page and server give the same report for a take with a jump", async () => {
  const wav = take([0, 20], [10.5, 30]);
  const shares = [];
  const own = await reportOn(engine, await load(), await ask(`pieces/${piece}/notes`), wav, rate,
    (share) => shares.push(share));
  assert.ok(shares.length > 40 && shares.every((share, index) => share > 0 && share <= 1
    && share >= (shares[index - 1] ?? 0)), `the parts that are done: ${shares}`);
  assert.ok(own.passages.length === 2 && own.passages[0].bars.length > 8, "two passages are judged");
  assert.ok(own.rightNotes > 80, `${own.rightNotes} notes were right`);
  assertSame(own, await serversReport(wav));
});

test("what gives no report gives the server's sentence", async () => {
  const model = await load();
  for (const wav of [take([0, 1]), new PlayedSound().wav(rate)]) {
    const { refusal } = await reportOn(engine, model, { notes: [] }, wav, rate);
    assert.match(refusal, /too short/);
  }
  const silence = new PlayedSound();
  silence.add({ firstSample: 0, samples: Int16Array.from({ length: 12 * rate }, (_, index) => index * 37 % 7 - 3) });
  const wav = silence.wav(rate);
  const { refusal } = await reportOn(engine, model, { notes: [] }, wav, rate);
  assert.match(refusal, /does not sound like the piece/);
  assert.equal(refusal, (await serversReport(wav)).refusal);
});

test("a piece without a known score has bars, and the reason why notes are not judged", async () => {
  const report = await reportOn(engine, await load(), { notes: [], refusal: "No score." }, take([0, 20]), rate);
  assert.deepEqual([report.notesRefusal, report.rightNotes, report.barKeys], ["No score.", 0, []]);
  assert.ok(report.passages[0].bars.length > 8);
});

test("a headset that gives 8 kHz is judged, and accuses nobody of what it cannot hear", async () => {
  const notes = await ask(`pieces/${piece}/notes`);
  const report = await reportOn(engine, await load(), notes, takeAt(8_000, [0, 20]), 8_000);
  const bars = report.passages.flatMap((passage) => passage.bars.map(({ played }) => played));
  assert.deepEqual(bars, Array.from({ length: 12 }, (_, played) => played));
  assert.deepEqual(report.notes, []);
  assert.ok(report.rightNotes > 40, `${report.rightNotes} notes were right`);
});
