// Hears of other editors' work.
import { EventStream } from "/shared/stream.js";

/**
 * Listens for edits: `edit({ concert, revision, author, label })`, `served()` when listeners find another concert,
 * `back()` after the connection was lost, when anything may have happened.
 */
export function listenToEditors({ edit, served, back }) {
  let wasJoined = false;
  const stream = new EventStream(() => "/api/edit/events", {
    heard(name, value) {
      if (name === "edit") edit(value ?? {});
      else if (name === "concerts") served(value ?? {});
    },
    state(state) {
      if (state !== "joined") return;
      if (wasJoined) back();
      wasJoined = true;
    },
  }, {
    silentAfter: 6_000,
    // A server that refuses is asked less and less often.
    retryAfter: (trials, refusal) => (refusal ? Math.min(1_000 * 2 ** trials, 15_000) : 500),
  });
  stream.start();
}
