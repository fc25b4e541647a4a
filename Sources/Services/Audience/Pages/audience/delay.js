// The live position some seconds ago, for listeners who hear the concert on the radio.

/** Seconds: sets and players are up to a minute and a half late. */
export const longestDelay = 100;
// The music may have been faster than the reference recording. Reckoning back by a quarter more shows a slide late
// where we do not know better, and never early.
const caution = 1.25;

export class Delay {
  #heard = []; // {at, live}, by time

  /** Takes a live position (or null if nothing is live) as heard at a moment in milliseconds. */
  hear(live, at) {
    this.#heard.push({ at, live });
    while (this.#heard.length > 1 && this.#heard[1].at < at - longestDelay * 1_000 - 5_000) this.#heard.shift();
  }

  forget() {
    this.#heard = [];
  }

  /** The live state `delayMs` ago; calculated from the measures' times if this page was not open then. */
  at(now, delayMs, measuresOf) {
    const then = now - delayMs;
    const past = this.#heard.findLast((entry) => entry.at <= then);
    if (past) return past.live;
    const first = this.#heard[0];
    if (!first?.live) return null;
    const measures = measuresOf(first.live) ?? [];
    const onset = measures[first.live.played]?.time;
    if (onset === undefined) return { ...first.live, played: -1 };
    const seconds = onset - ((first.at - then) / 1000) * caution;
    return { ...first.live, played: measures.findLastIndex((measure) => measure.time <= seconds) };
  }
}
