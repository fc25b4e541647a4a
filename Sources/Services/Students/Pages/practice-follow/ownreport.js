// The report on the take that was played last, made in this page: no sound leaves it.
import { kinds } from "./offer.js";

/** The end of the worker that makes the report before, which nobody waits for any more. */
let stopBefore = () => {};

/** Ends the making of a report. */
export const forgetReport = () => stopBefore();

/**
 * The take as the list has those that are kept, with `made`: the promise of its report.
 * @param {{ piece: any, engine: WebAssembly.Module, model: any, notes: Promise<any> }} piece as it was followed
 * @param {{ sound: any, rate: number, settings: any, startedAt: number }} take `startedAt` by the page's clock
 */
export function ownTake({ piece, engine, model, notes }, { sound, rate, settings, startedAt }) {
  const processing = Object.fromEntries(kinds.map((kind) => [kind, isOn(settings[kind]) ? "on" : "off"]));
  return { name: "", piece: piece.folder, pieceName: piece.name, tab: piece.tab,
    startedAt: performance.timeOrigin + startedAt, seconds: sound.count / rate, lostSeconds: sound.lost / rate,
    processing, trouble: null, made: make(engine, model, notes, sound.wav(rate), rate) };
}

/** A browser may name a kind of echo cancellation instead of true. */
const isOn = (setting) => setting === true || (typeof setting === "string" && setting !== "none");

async function make(engine, model, notes, wav, rate) {
  stopBefore();
  const worker = new Worker("/practice-follow/reportworker.js", { type: "module" });
  try {
    return await new Promise((done, failed) => {
      stopBefore = () => failed(new Error("You play again."));
      worker.addEventListener("message", ({ data: { report, fault } }) =>
        (fault ? failed(new Error(fault)) : done(report)));
      worker.addEventListener("error", () => failed(new Error("The report could not be made here; reload the page.")));
      notes.then((known) => worker.postMessage({ engine, model, notes: known, wav, rate }));
    });
  } finally {
    worker.terminate();
  }
}
