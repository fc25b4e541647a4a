// Counting rests for the player, by the live measure.

/** The rest a part has in a printed measure: `{ measures, counted, left, entry }`; null if it plays. */
export function restAt(part, movement, printed) {
  const rests = (part.rests ?? []).filter((rest) => (rest.movement ?? 0) === movement)
    .sort((a, b) => a.first - b.first);
  let found = null;
  for (const rest of rests) {
    // Rests that follow each other are one to the player.
    if (found && rest.first <= found.last + 1) found = { first: found.first, last: Math.max(found.last, rest.last) };
    else if (found && printed >= found.first && printed <= found.last) break;
    else found = { first: rest.first, last: rest.last };
  }
  if (!found || printed < found.first || printed > found.last) return null;
  const measures = found.last - found.first + 1;
  const counted = printed - found.first + 1;
  return { measures, counted, left: measures - counted + 1, entry: found.last + 1 };
}

/** The length of live measures, learned from the times at which they change. */
export class Pace {
  #measure = null;
  #began = 0;
  #isWhole = false; // the measure was heard from its beginning
  seconds = null; // a measure, as it goes now

  /** Takes the printed measure heard at `at` seconds. True if a new measure has begun. */
  hear(measure, at, isSure) {
    if (measure === this.#measure) return false;
    const length = at - this.#began;
    const follows = this.#measure !== null && measure === this.#measure + 1 && isSure;
    // One that was entered in its middle, after a restart or a jump, seems shorter or longer than it is.
    if (follows && this.#isWhole && length > 0.2 && length < 20) {
      this.seconds = this.seconds === null ? length : this.seconds + 0.4 * (length - this.seconds);
    }
    this.#measure = measure;
    this.#began = at;
    this.#isWhole = follows;
    return measure !== null;
  }

  /** Nobody says where the music is: what comes next was not heard from its beginning. */
  forget() {
    this.#measure = null;
    this.#isWhole = false;
  }

  /** Share of the measure that has gone by at `at` seconds; null if nobody knows. */
  share(at) {
    return this.seconds === null ? null : (at - this.#began) / this.seconds;
  }
}

/** Seconds until an entry as they are shown: they only fall while one rest is counted, whatever the tempo does. */
export class Countdown {
  #entry = null;
  #left = 0;
  #seconds = Infinity;

  /** `rest` as `restAt` gives it; `seconds` as estimated now. */
  show({ entry, left }, seconds) {
    if (entry !== this.#entry || left > this.#left) this.#seconds = Infinity;
    [this.#entry, this.#left] = [entry, left];
    this.#seconds = Math.min(this.#seconds, seconds);
    return this.#seconds;
  }
}
