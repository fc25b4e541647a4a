// Places in a piece and the seconds of one of its recordings. A place is a number of bars: the played bar, counted from
// 0, and the part of it that has passed.

export class BarTimes {
  #onsets;

  /** `onsets` are the seconds of the played bars, `end` that of the end of the last. */
  constructor(onsets, end) {
    this.#onsets = [...onsets, end];
  }

  get count() {
    return this.#onsets.length - 1;
  }

  get end() {
    return this.#onsets.at(-1);
  }

  get begin() {
    return this.#onsets[0];
  }

  seconds(place) {
    const bar = Math.max(0, Math.min(this.count - 1, Math.floor(place)));
    return this.#onsets[bar] + (place - bar) * (this.#onsets[bar + 1] - this.#onsets[bar]);
  }

  place(seconds) {
    let [low, high] = [0, this.count];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (seconds >= this.#onsets[middle]) low = middle;
      else high = middle;
    }
    return low + (seconds - this.#onsets[low]) / (this.#onsets[low + 1] - this.#onsets[low]);
  }

  /** The seconds that the bar at a place lasts. */
  length(place) {
    const bar = Math.max(0, Math.min(this.count - 1, Math.floor(place)));
    return this.#onsets[bar + 1] - this.#onsets[bar];
  }
}
