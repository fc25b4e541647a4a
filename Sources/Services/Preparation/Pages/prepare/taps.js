// Bars tapped while the recording plays: each tap is the beginning of a bar, or of every second or fourth one.

const bounce = 0.08; // seconds; a second tap that soon is the same finger

export class TapSession {
  taps = []; // {seconds, bar}: time in the recording, and the bar's printed number
  every;
  #first;

  /** `first` is the number of the first tapped bar; `every` 1, 2 or 4 bars a tap. */
  constructor(first, every) {
    this.#first = first;
    this.every = every;
  }

  /** The number that the next tap gets. */
  get next() {
    return this.taps.length > 0 ? this.taps.at(-1).bar + this.every : this.#first;
  }

  /** The expected time of the next tap, in seconds, as far apart as the last ones; null before the second tap. */
  get expected() {
    if (this.taps.length < 2) return null;
    const last = this.taps.slice(-4);
    return last.at(-1).seconds + (last.at(-1).seconds - last[0].seconds) / (last.length - 1);
  }

  /**
   * A tap at a time. One before the last goes back: what was tapped after it is dropped, and the bar is counted on
   * from there. Gives the tap, or null if it was a bounce.
   */
  tap(seconds) {
    const before = this.taps.at(-1);
    if (before && Math.abs(seconds - before.seconds) < bounce) return null;
    this.taps = this.taps.filter((each) => each.seconds < seconds);
    const tap = { seconds: Math.round(seconds * 1e4) / 1e4, bar: this.next };
    this.taps.push(tap);
    return tap;
  }

  /** Takes the last tap back; gives it. */
  undo() {
    return this.taps.pop() ?? null;
  }
}

/** The time in the recording at which a key or finger came down, which the page hears a little later. */
export const secondsOfTap = (event, player, now = performance.now()) =>
  player.seconds - (Math.min(Math.max(now - event.timeStamp, 0), 500) / 1000) * player.rate;
