// The recording and its place: seconds of sound, shown as measures. Without a recording the place is moved by hand.

export class Player {
  audio = new Audio();
  measures = [];
  played = 0; // measure as performed, from 0; -1 before the first
  seconds = 0;
  length = 1;
  hasSound = false;
  #takers = new Set();
  #frame = 0;
  #source = null;

  constructor() {
    this.audio.preload = "auto";
    for (const event of ["play", "pause", "ended", "seeked", "loadedmetadata", "error"]) {
      this.audio.addEventListener(event, () => this.#look(event));
    }
  }

  /** Calls back when the place or the playing has changed: take(player, measureIsNew). */
  onChange(take) {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  /** The measures of the piece, where the music ends, and the address of the recording or null. */
  load(measures, end, source) {
    this.measures = measures;
    const last = measures.at(-1)?.time ?? 0;
    if (this.seconds < (measures[0]?.time ?? 0)) this.seconds = measures[0].time;
    this.length = Math.max(end || 0, last + (measures.length > 1 ? last / (measures.length - 1) : 1), 1);
    if (source !== this.#source) {
      this.#source = source;
      this.hasSound = false;
      this.audio.pause();
      if (source) this.audio.src = source;
      else this.audio.removeAttribute("src");
    }
    this.#look("load");
  }

  /** There is a recording, and this browser cannot play it. */
  get isRefused() {
    return this.#source !== null && this.audio.error !== null;
  }

  get isPlaying() {
    return !this.audio.paused && !this.audio.ended;
  }

  async toggle() {
    if (this.isPlaying) this.audio.pause();
    else if (this.#source) await this.audio.play().catch(() => {});
  }

  /** Goes to the start of a measure as performed. */
  goTo(played) {
    const index = Math.min(Math.max(played, 0), this.measures.length - 1);
    if (this.measures[index]) this.seek(this.measures[index].time);
  }

  seek(seconds) {
    this.seconds = Math.min(Math.max(seconds, 0), this.length);
    // A little inside, so that rounding does not land in the measure before.
    if (this.hasSound) this.audio.currentTime = this.seconds + 0.01;
    this.#tell();
  }

  stop() {
    this.audio.pause();
    cancelAnimationFrame(this.#frame);
  }

  measureAt(seconds) {
    return this.measures.findLastIndex((measure) => measure.time <= seconds + 0.02);
  }

  #look(event) {
    if (event === "loadedmetadata") {
      this.hasSound = true;
      if (this.seconds > 0) this.audio.currentTime = this.seconds + 0.01;
    }
    if (event === "error") this.hasSound = false;
    cancelAnimationFrame(this.#frame);
    if (this.hasSound && !this.audio.seeking && event !== "loadedmetadata" && event !== "load") {
      this.seconds = this.audio.currentTime;
    }
    this.#tell(true);
    if (this.isPlaying) this.#frame = requestAnimationFrame(() => this.#run());
  }

  #run() {
    if (!this.audio.seeking) this.seconds = this.audio.currentTime;
    this.#tell();
    if (this.isPlaying) this.#frame = requestAnimationFrame(() => this.#run());
  }

  #tell(force = false) {
    const played = this.measureAt(this.seconds);
    const isNew = force || played !== this.played;
    this.played = played;
    for (const take of [...this.#takers]) take(this, isNew);
  }
}

/** `1:05` */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
