// Makes the report on a take beside the page. Message: { engine, model, notes, wav, rate }; answers: { share }, the
// part that is done, from 0 to 1, then { report }, or { fault }, the sentence why there is none.
import { reportOn } from "/shared/takereport.js";

addEventListener("message", async ({ data: { engine, model, notes, wav, rate } }) => {
  try {
    postMessage({ report: await reportOn(engine, model, notes, wav, rate, (share) => postMessage({ share })) });
  } catch (fault) {
    // What browsers throw where memory is full, and a trap, have no sentence of their own.
    postMessage({ fault: fault instanceof WebAssembly.RuntimeError || fault instanceof RangeError
      ? "This device has too little memory for the report. Keep the take on the server, which makes it too."
      : fault.message });
  }
});
