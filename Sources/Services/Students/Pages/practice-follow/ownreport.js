// The report on the take that was played last, made in this page: no sound leaves it.
import { kinds } from "./offer.js";

/**
 * Ends the worker that makes the report before, which nobody waits for any more.
 * @type {(sentence: string) => void}
 */
let stopBefore = () => {};

/** Ends the making of a report; the sentence says why there is none. */
export const forgetReport = (sentence = "You play again.") => stopBefore(sentence);

/**
 * The take as the list has those that are kept, with `made`: the promise of its report. `progressed(share)`, which may
 * be set, gets the part of it that is done.
 * @param {{ piece: any, engine: WebAssembly.Module, model: any, notes: Promise<any> }} piece as it was followed
 * @param {{ sound: any, rate: number, settings: any, startedAt: number }} take `startedAt` by the page's clock
 */
export function ownTake({ piece, engine, model, notes }, { sound, rate, settings, startedAt }) {
  const processing = Object.fromEntries(kinds.map((kind) => [kind, isOn(settings[kind]) ? "on" : "off"]));
  const own = { name: "", piece: piece.folder, pieceName: piece.name, tab: piece.tab,
    startedAt: performance.timeOrigin + startedAt, seconds: sound.count / rate, lostSeconds: sound.lost / rate,
    processing, trouble: null, progressed: null };
  const made = make({ engine, model, wav: sound.wav(rate), rate }, notes, (share) => own.progressed?.(share));
  return Object.assign(own, { made });
}

/** A browser may name a kind of echo cancellation instead of true. */
const isOn = (setting) => setting === true || (typeof setting === "string" && setting !== "none");

async function make(order, notes, progressed) {
  forgetReport();
  const worker = new Worker("/practice-follow/reportworker.js", { type: "module" });
  try {
    return await new Promise((done, failed) => {
      stopBefore = (sentence) => failed(new Error(sentence));
      worker.addEventListener("message", ({ data: { share, report, fault } }) => {
        if (fault) failed(new Error(fault));
        else if (report) done(report);
        else progressed(share);
      });
      for (const broken of ["error", "messageerror"]) {
        worker.addEventListener(broken, () => failed(new Error("The report could not be made here; reload the page.")));
      }
      notes.then((known) => worker.postMessage({ ...order, notes: known }));
    });
  } finally {
    worker.terminate();
  }
}
