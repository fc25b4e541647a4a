// Makes the report on a take in the page, as the server does: by the same code, of the same sound. Pure.
import { fractions, givePiece, lend, listen, newInstance } from "./follower.js";

const headerBytes = 44; // of a WAV file as practice-follow/playedsound.js writes it
const listening = 0.4; // of the time that a report takes

/**
 * The notes of a piece's score: each its MIDI number, and the played bars with fractions at which it begins and ends.
 * `refusal` says why they are not known.
 * @typedef {{ notes: [number, number, number][], refusal?: ?string }} Notes
 */

/**
 * The report on a take, with the fields of `GET /api/practice/takes/TAKE/report` (docs/practice-api.md). Takes some
 * three seconds for each minute of sound: let a worker do it.
 * @param {WebAssembly.Module} engine
 * @param {import("./follower.js").Model} model
 * @param {Notes} notes
 * @param {Blob} wav the take: one channel of 16 bits
 * @param {number} rate its samples a second
 * @param {(share: number) => void} [progressed] gets the part that is done, 0 to 1
 * @returns {Promise<any>}
 */
export async function reportOn(engine, model, { notes, refusal }, wav, rate, progressed = () => {}) {
  const count = (wav.size - headerBytes) / 2;
  const part = async (start, end) => {
    const bytes = await wav.slice(headerBytes + 2 * start, headerBytes + 2 * Math.min(end, count)).arrayBuffer();
    return fractions(new Int16Array(bytes));
  };
  const exports = newInstance(engine);
  givePiece(exports, model);
  for (const note of notes) exports.baton_add_note(...note);
  let heard = 0;
  await listen(exports, rate, count, (start, end) => {
    heard += end - start;
    progressed(listening * heard / (2 * count));
    return part(start, end);
  });
  if (exports.baton_examine(model.end, rate) !== 0) throw new Error("The measures make no sense.");
  for (let from = exports.baton_examine_from(); from >= 0; from = exports.baton_examine_from()) {
    const end = Math.min(Math.floor(exports.baton_examine_to() * rate), count);
    lend(exports, await part(Math.floor(from * rate), end), exports.baton_examine_push);
    progressed(listening + (1 - listening) * end / count);
  }
  const text = exports.baton_examine_end();
  const length = new DataView(exports.memory.buffer, text).getUint32(0, true);
  const report = JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, text + 4, length)));
  return refusal && !report.refusal ? { ...report, notesRefusal: refusal } : report;
}
