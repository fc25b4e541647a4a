// The part of the recording that is on the screen: seconds to pixels and back.

const closest = 0.1; // seconds across the screen at the most zoom

export class TimeView {
  width = 1; // CSS pixels
  length = 1; // seconds of the recording
  from = 0; // the time at the left edge, in seconds; a little before 0 if the whole is shown
  secondsPerPixel = 1;

  /** Sets the screen's width or the recording's length; what was at the left stays there. */
  fit({ width = this.width, length = this.length }) {
    const showedAll = this.isWhole;
    const span = this.secondsPerPixel * this.width;
    Object.assign(this, { width: Math.max(width, 1), length: Math.max(length, closest) });
    this.secondsPerPixel = span / this.width;
    if (showedAll) this.showAll();
    else this.#settle();
  }

  get span() {
    return this.secondsPerPixel * this.width;
  }

  get to() {
    return this.from + this.span;
  }

  get isWhole() {
    return this.secondsPerPixel >= this.#most - 1e-9;
  }

  x(seconds) {
    return (seconds - this.from) / this.secondsPerPixel;
  }

  seconds(x) {
    return this.from + x * this.secondsPerPixel;
  }

  showAll() {
    this.secondsPerPixel = this.#most;
    this.from = 0;
    this.#settle();
  }

  /** Shows the time from `from` to `to` with a tenth of margin on either side. */
  show(from, to) {
    const margin = Math.max(to - from, closest) / 10;
    this.secondsPerPixel = (Math.max(to - from, closest) + 2 * margin) / this.width;
    this.from = from - margin;
    this.#settle();
  }

  /** Zooms by a factor (above 1 comes closer); the time at the pixel `x` stays there. */
  zoom(factor, x = this.width / 2) {
    const held = this.seconds(x);
    this.secondsPerPixel /= factor;
    this.#limit();
    this.from = held - x * this.secondsPerPixel;
    this.#settle();
  }

  /** Moves the screen by pixels; above zero goes on in the music. */
  pan(pixels) {
    this.from += pixels * this.secondsPerPixel;
    this.#settle();
  }

  /** Puts a time at a share of the width, from 0 to 1. */
  put(seconds, share) {
    this.from = seconds - share * this.span;
    this.#settle();
  }

  /** Moves only if the time is off the screen or within `margin` of its edge; gives whether it moved. */
  reveal(seconds, margin = 0.06) {
    const share = (seconds - this.from) / this.span;
    if (share >= margin && share <= 1 - margin) return false;
    const before = this.from;
    this.put(seconds, share < margin ? 0.3 : 0.4);
    return this.from !== before;
  }

  get #most() {
    return this.length / this.width;
  }

  #limit() {
    this.secondsPerPixel = Math.min(Math.max(this.secondsPerPixel, closest / this.width), this.#most);
  }

  #settle() {
    this.#limit();
    this.from = Math.min(Math.max(this.from, 0), Math.max(this.length - this.span, 0));
  }
}

/** Steps of the time axis in seconds: the first that leaves `room` pixels between two words. */
export function axisStep(secondsPerPixel, room = 90) {
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800];
  return steps.find((step) => step / secondsPerPixel >= room) ?? 3600;
}
