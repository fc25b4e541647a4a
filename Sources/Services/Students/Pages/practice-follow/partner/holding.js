// Finds the places where a partner waits for a student who holds a note: the fermatas of the score. Times are seconds
// of the audio clock, places seconds of the partner's recording. Pure: no clock of its own.

const shortest = 0.3; // s of a hold
const leastShare = 0.5; // of the written length of what is held: another sound before that belongs to it
const lastSeconds = 0.1; // of the recording: a hold at its end is the end

export class Holds {
  #holds;
  #current = null; // { end, leaveAfter }

  /** `holds` are [begin, end] of what is held, in the order of the music. */
  constructor(holds, end) {
    this.#holds = holds.filter(([, until]) => until < end - lastSeconds)
      .map(([begin, until]) => [Math.min(begin, until - shortest), until]);
  }

  /** The end of the hold that lies at a place; null if none does. */
  at(place) {
    return this.#holds.find(([begin, end]) => place >= begin && place < end)?.[1] ?? null;
  }

  /** A partner who plays at a pace holds from a place on; `end` is null if nobody knows what comes next. */
  begin(at, place, end, pace) {
    this.#current = { end, leaveAfter: at + Math.max(shortest, leastShare * ((end ?? place) - place) / pace) };
  }

  /** The place at which the music goes on after the hold; null if it is not known. */
  get end() {
    return this.#current.end;
  }

  /** True if a sound that began at an instant is what comes after the hold. */
  isOver(since) {
    return this.#current.end !== null && since !== null && since > this.#current.leaveAfter;
  }
}
