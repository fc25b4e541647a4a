// The recording as it is heard: from any time, slower with the same pitch, in a loop, with clicks on the bars.
import { Clicks } from "./clicks.js";
import { barAt, firstAt } from "./hits.js";

const ahead = 0.15; // seconds of clicks that are given to the sound card in advance

export class Player {
  audio = new Audio();
  bars = [];
  loop = null; // {from, to} in seconds
  hasClicks = false; // a short passage always has them
  length = 0;
  #seconds = 0;
  #clicks = new Clicks();
  #clicked = 0; // index of the first bar that has not been given to the sound card
  #stopAt = null;
  #takers = new Set();
  #frame = 0;
  #source = null;

  constructor() {
    this.audio.preload = "auto";
    this.audio.preservesPitch = true;
    for (const event of ["play", "pause", "ended", "seeked", "loadedmetadata", "error", "ratechange"]) {
      this.audio.addEventListener(event, () => this.#look(event));
    }
  }

  /** Calls back at every frame while it plays, and whenever something changed: take(player). */
  onChange(take) {
    this.#takers.add(take);
  }

  /** The listening copy's address, and its length in seconds. */
  open(source, length) {
    this.length = length;
    if (source === this.#source) return;
    this.#source = source;
    this.audio.pause();
    if (source) this.audio.src = source;
    else this.audio.removeAttribute("src");
  }

  get isOpen() {
    return this.#source !== null;
  }

  get isPlaying() {
    return !this.audio.paused && !this.audio.ended;
  }

  /** The browser cannot play the listening copy. */
  get isRefused() {
    return this.#source !== null && this.audio.error !== null;
  }

  get seconds() {
    return this.isPlaying && !this.audio.seeking ? this.audio.currentTime : this.#seconds;
  }

  get rate() {
    return this.audio.playbackRate;
  }

  set rate(value) {
    const rate = Math.min(Math.max(Math.round(value * 20) / 20, 0.5), 1);
    this.audio.defaultPlaybackRate = rate;
    this.audio.playbackRate = rate;
  }

  seek(seconds) {
    this.#seconds = Math.min(Math.max(seconds, 0), this.length);
    this.#stopAt = null;
    if (this.audio.readyState > 0) this.audio.currentTime = this.#seconds;
    this.#rewindClicks();
    this.#tell();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Plays on from where it is, or from `from` seconds; until `until` if that is given. */
  async play(from = null, until = null) {
    if (!this.#source) return;
    this.#clicks.wake();
    if (from !== null) this.seek(from);
    const isOutside = this.loop && (this.#seconds < this.loop.from - 0.01 || this.#seconds >= this.loop.to);
    if (isOutside) this.seek(this.loop.from);
    if (this.audio.ended || this.#seconds >= this.length - 0.01) this.seek(0);
    this.#stopAt = until;
    await this.audio.play().catch(() => {}); // The element's own error is told as `isRefused`.
  }

  pause() {
    this.audio.pause();
  }

  close() {
    this.audio.pause();
    this.audio.removeAttribute("src");
    cancelAnimationFrame(this.#frame);
    this.#clicks.close();
    this.#takers.clear();
  }

  #look(event) {
    if (event === "loadedmetadata" && this.#seconds > 0) this.audio.currentTime = this.#seconds;
    if (event === "pause" || event === "ended") this.#seconds = this.audio.currentTime;
    if (event !== "ratechange") this.#clicks.silence();
    if (event === "play" || event === "seeked") this.#rewindClicks();
    cancelAnimationFrame(this.#frame);
    this.#tell();
    if (this.isPlaying) this.#frame = requestAnimationFrame(() => this.#run());
  }

  #run() {
    if (!this.audio.seeking) this.#seconds = this.audio.currentTime;
    if (this.#stopAt !== null && this.#seconds >= this.#stopAt) {
      this.#stopAt = null;
      this.pause();
    } else if (this.loop && this.#seconds >= this.loop.to - 0.005) this.seek(this.loop.from);
    const hasClicks = this.hasClicks || this.#stopAt !== null;
    if (hasClicks && this.isPlaying && !this.audio.seeking) this.#giveClicks();
    this.#tell();
    if (this.isPlaying) this.#frame = requestAnimationFrame(() => this.#run());
  }

  #rewindClicks() {
    this.#clicked = firstAt(this.bars, this.#seconds - 0.01);
  }

  #giveClicks() {
    const now = this.audio.currentTime;
    // Bars may have been edited meanwhile: nothing that is over sounds later.
    while (this.#clicked > 0 && this.bars[this.#clicked - 1]?.seconds > now + ahead) this.#clicked -= 1;
    for (; this.#clicked < this.bars.length; this.#clicked += 1) {
      const wait = (this.bars[this.#clicked].seconds - now) / this.rate;
      if (wait > ahead) return;
      if (wait > -0.03) this.#clicks.at(Math.max(wait, 0));
    }
  }

  #tell() {
    for (const take of [...this.#takers]) take(this);
  }

  /** The index of the bar that sounds; -1 before the first. */
  get bar() {
    return barAt(this.bars, this.seconds + 0.002);
  }
}
