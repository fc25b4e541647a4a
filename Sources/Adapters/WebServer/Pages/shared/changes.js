// Hears of what other people change.
import { EventStream } from "./stream.js";

/**
 * Listens at an address: `heard(name, value)` gets each event, and `back()` is called after the connection was lost,
 * when anything may have happened.
 */
export function listenToChanges(address, heard, back) {
  let wasJoined = false;
  new EventStream(() => address, {
    heard: (name, value) => heard(name, value ?? {}),
    state(state) {
      if (state !== "joined") return;
      if (wasJoined) back();
      wasJoined = true;
    },
  }, {
    silentAfter: 6_000,
    // A server that refuses is asked less and less often.
    retryAfter: (trials, refusal) => (refusal ? Math.min(1_000 * 2 ** trials, 15_000) : 500),
  }).start();
}
