// The follower beside the page, so that neither drawing nor sound waits for it. Messages to it: first { engine, model,
// rate, session }, which it answers with { ready }; then { block } of shared/microphone.js, answered with { position };
// { played }: the music begins at that played bar; and { ends }. { fault } is the sentence why it cannot go on, with
// { isOfDevice } where the piece is not to blame. Each answer has the number of its session.
import { Follower, tooOld } from "./follower.js";
import { HeardBlocks } from "./heardblocks.js";

const mostRestarts = 5; // of a follower that breaks again and again
const broken = "The follower broke and cannot go on. Start again; if that does not help, reload the page.";
const noMemory = "This device has too little memory to follow this piece. Close other pages and programs, then start "
  + "again.";
let heard = null;
let number = 0; // of the session; 0 before the first

function take({ engine, model, rate, session, block, played, ends }) {
  if (engine) {
    number = session;
    heard = new HeardBlocks(new Follower(engine, model, rate), rate);
    return { ready: true };
  }
  if (ends) heard = null;
  if (!heard) return null;
  if (block) {
    const position = heard.hear(block);
    return position.restarts > mostRestarts ? { fault: broken } : { position };
  }
  heard.beginAt(played);
  return null;
}

// The engine did not arrive, as where a browser allows this worker no WebAssembly.
addEventListener("messageerror", () => postMessage({ fault: tooOld, isOfDevice: true, session: number }));
addEventListener("message", ({ data }) => {
  let answer;
  try {
    answer = take(data);
  } catch (fault) {
    // What browsers throw where memory is full, and a trap while the follower starts, have no sentence of their own.
    const isOfDevice = fault instanceof RangeError || fault instanceof WebAssembly.RuntimeError;
    answer = { fault: isOfDevice ? noMemory : fault.message, isOfDevice };
  }
  if (answer) postMessage({ ...answer, session: number });
});
