// What other people change: heard of, taken in its order, or read anew.
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

/**
 * Reads a document anew whenever that is asked for, one reading after the other. What is asked for while a reading is
 * on its way is read once more, for that reading may be of before.
 */
export class Renewal {
  #read;
  #now = null;
  #next = null;

  constructor(read) {
    this.#read = read;
  }

  /** Gives what `read` gives, of a reading that begins after this call. */
  ask() {
    this.#next ??= Promise.resolve(this.#now).then(() => this.#begin(), () => this.#begin());
    return this.#next;
  }

  #begin() {
    [this.#now, this.#next] = [this.#next, null];
    return this.#read();
  }
}

const mostEarly = 1_000;

/** Takes numbered changes once each and in their order, in whatever order they come. */
export class InOrder {
  #take;
  #early = new Map(); // number → { after, change }

  /** `take(change, number)` is false if the change cannot be taken: then everything is to be read anew. */
  constructor(at, take) {
    [this.at, this.#take] = [at, take]; // `at` is the number of the newest change that was taken
  }

  /**
   * A change, and the number of the one before it. Gives "taken", "known", "missing" if one before it has not come, or
   * "reload" if it cannot be taken.
   */
  heard(number, change, after = number - 1) {
    if (number <= this.at) return "known";
    if (after <= this.at || this.#early.size < mostEarly) this.#early.set(number, { after, change });
    return this.#drain();
  }

  /** Everything up to a number was read. */
  reach(number) {
    this.at = number;
    return this.#drain();
  }

  /** What came too early is not to be taken any more. */
  forgetEarly() {
    this.#early.clear();
  }

  #drain() {
    for (const number of [...this.#early.keys()].sort((one, other) => one - other)) {
      const { after, change } = this.#early.get(number);
      if (number > this.at) {
        if (after > this.at) return "missing";
        if (this.#take(change, number) === false) return "reload";
        this.at = number;
      }
      this.#early.delete(number);
    }
    return "taken";
  }
}
