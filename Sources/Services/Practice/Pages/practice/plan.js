// The plan of one playing: bar after bar with its exact seconds, the count-in first and only once, a loop without a
// gap, each pass at its speed. It knows no sound and no clock.
import { clickPlaces, placeAt, secondsAt } from "./timeline.js";

/** The speed of a pass, as a part of the full one: from `speed` up by `step` each pass as far as `target`. */
export function passSpeed(pass, { speed = 1, step = 0, target = speed }) {
  // Sums of hundredths are rounded, so that the last pass is at the target itself.
  return step > 0 ? Math.min(Math.max(speed, target), Math.round((speed + pass * step) * 1000) / 1000) : speed;
}

export class Plan {
  #timeline;
  /** @type {{ loop: number[] | null, speed?: number, step?: number, target?: number }} */
  #options;
  #order;
  #next = 0;
  #pass = 0;
  #start = 0;
  #counted;

  /**
   * `loop` is null or [first, last], bars that are played again and again; `from` is the bar to begin with; `countIn`
   * how many bars are counted; `speed`, `step` and `target` as of passSpeed.
   */
  constructor(timeline, { loop = null, from = 0, countIn = 0, ...speeds } = {}) {
    this.#timeline = timeline;
    this.#options = { loop, ...speeds };
    this.#counted = countIn;
    const begin = Math.max(0, timeline.order.indexOf(from));
    this.#order = loop ? Array.from({ length: loop[1] - loop[0] + 1 }, (_, index) => loop[0] + index)
      : timeline.order.slice(begin);
  }

  /** The beginning of the next bar, in seconds; null at the end. */
  get nextStart() {
    return this.#next < this.#order.length ? this.#start : null;
  }

  /** The seconds up to the end of what was taken so far. */
  get end() {
    return this.#start;
  }

  /** The next bar: { start, seconds, bar (null for the count-in), pass, speed, clicks, notes, place }. */
  take() {
    if (this.nextStart === null) return null;
    const bar = this.#order[this.#next];
    const speed = passSpeed(this.#pass, this.#options);
    const start = this.#start;
    const counts = this.#counted > 0;
    const meter = this.#timeline.meters[bar];
    const pace = this.#timeline.paces[bar];
    const seconds = (at) => start + secondsAt(pace, at) / speed;
    const clicks = clickPlaces(counts ? { ...meter, quarters: 4 * meter.time[0] / meter.time[1] } : meter)
      .map((at) => ({ time: seconds(at), isAccented: at === 0 }));
    if (counts) {
      this.#counted -= 1;
      this.#start = seconds(4 * meter.time[0] / meter.time[1]);
      return { start, seconds: this.#start - start, bar: null, pass: 0, speed, clicks, notes: [], place: () => 0 };
    }
    const notes = this.#timeline.notes[bar].map((note) => ({
      ...note, time: seconds(note.at), end: seconds(note.at + note.length),
    }));
    this.#start = seconds(meter.quarters);
    const taken = {
      start, seconds: this.#start - start, bar, pass: this.#pass, speed, clicks, notes,
      place: (time) => placeAt(pace, (time - start) * speed),
    };
    this.#next += 1;
    if (this.#options.loop && this.#next === this.#order.length) {
      this.#next = 0;
      this.#pass += 1;
    }
    return taken;
  }
}
