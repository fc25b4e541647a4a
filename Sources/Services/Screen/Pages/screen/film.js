// The film of the piece being played, as large as it fits, under slides and titles. The server says where the film is
// and how fast it goes with the music; this page keeps it there by its speed, and jumps only where the music does.

const steerEvery = 100; // ms
const farJump = 1; // s; from this distance on the film jumps in any case
const nearJump = 0.3; // s; where the music jumps, a smaller distance is made up for by the speed
const far = 0.06; // s; from this distance on the film is brought back quickly
const gain = 0.6; // of the distance, in a second
const retryAfter = 2000; // ms

/** The seconds of the film at a time of the show in ms, from what the server said last. */
export const filmPlace = ({ seconds, since, speed }, now) => seconds + (speed * (now - since)) / 1000;

/**
 * The next correction of a film's speed: a part of the distance, at most 0.05 and changed by at most 0.02 in a second;
 * five times as much, and quickly, while the film is far away.
 * @param {number} correction the present one
 * @param {number} distance seconds by which the film is behind
 * @param {number} passed seconds since the last one
 */
export function nextCorrection(correction, distance, passed) {
  const isFar = Math.abs(distance) > far;
  const most = isFar ? 0.25 : 0.05;
  const step = (isFar ? 1 : 0.02) * passed;
  const wanted = Math.min(Math.max(gain * distance, -most), most);
  return correction + Math.min(Math.max(wanted - correction, -step), step);
}

/** One film, loaded whole; while it is being played it is read from the server instead, so that it is there at once. */
class LoadedFilm {
  isFailed = false;
  place = ""; // the run of the clock that the film is in
  correction = 0;
  element = document.createElement("video");
  #stopped = new AbortController();
  #object = "";

  constructor(stage, changed) {
    Object.assign(this.element, { className: "film", playsInline: true, preload: "auto", hidden: true });
    for (const name of ["loadeddata", "playing", "pause"]) this.element.addEventListener(name, changed);
    this.element.addEventListener("error", () => this.#fail(changed));
    stage.prepend(this.element);
  }

  get isLoaded() {
    return this.element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA;
  }

  /** True if the film has sound that is not heard. Only Chromium says whether it has any. */
  get isMute() {
    const { muted, webkitAudioDecodedByteCount } = /** @type {any} */ (this.element);
    return muted && webkitAudioDecodedByteCount !== 0;
  }

  /** Loads the film; `base` gives the server's address, `isNeededNow` whether it is being played. */
  async load(address, base, isNeededNow) {
    while (!this.#stopped.signal.aborted) {
      try {
        if (isNeededNow()) {
          this.element.crossOrigin = "anonymous";
          this.element.src = base() + address;
        } else {
          const answer = await fetch(base() + address, { signal: this.#stopped.signal });
          if (!answer.ok) throw new Error(String(answer.status));
          this.#object = URL.createObjectURL(await answer.blob());
          this.element.src = this.#object;
        }
        return;
      } catch {
        // The server is away, or has no such film any more; the stream says so.
        await new Promise((done) => setTimeout(done, retryAfter));
      }
    }
  }

  /** What was loaded whole and cannot be played never will; a film that is read from the server may come back. */
  #fail(changed) {
    if (this.#stopped.signal.aborted) return;
    const address = this.element.src;
    this.isFailed = Boolean(this.#object) || this.element.error?.code === MediaError.MEDIA_ERR_DECODE;
    changed();
    if (this.isFailed) return;
    setTimeout(() => {
      if (!this.#stopped.signal.aborted) this.element.src = address;
      this.place = "";
    }, retryAfter);
  }

  remove() {
    this.#stopped.abort();
    this.element.remove();
    this.element.removeAttribute("src");
    this.element.load();
    if (this.#object) URL.revokeObjectURL(this.#object);
  }
}

export class FilmLayer {
  #stage;
  #clock; // () => the show's time in ms, or null if it is not known yet
  #changed;
  #aloud;
  #base = "";
  /** @type {any} */
  #told = null; // what the server said last
  /** @type {Map<string, LoadedFilm>} */
  #films = new Map();
  #offset = 0; // ms
  #isCovered = false;
  #steeredAt = 0;
  #distance = null;

  /**
   * `changed` is called when {@link report} changes.
   * @param {HTMLElement} stage
   * @param {() => number | null} clock
   * @param {() => void} changed
   * @param {import("./aloud.js").Aloud} aloud
   */
  constructor(stage, clock, changed, aloud) {
    [this.#stage, this.#clock, this.#changed, this.#aloud] = [stage, clock, changed, aloud];
    setInterval(() => this.#steer(), steerEvery);
  }

  /** True while a film is to be seen. */
  get isOn() {
    const film = this.#present;
    return Boolean(film && !film.element.hidden);
  }

  /** The state of tonight's films, in the words of the server's heartbeat; null without any. */
  get report() {
    const films = [...this.#films.values()];
    if (films.length === 0) return null;
    const present = this.#present;
    const state = films.some(({ isFailed }) => isFailed) ? "failed"
      : !films.every(({ isLoaded }) => isLoaded) ? "loading"
        : !present || this.#told.state === "waiting" ? "ready"
          : present.element.paused ? "holding" : present.isMute ? "muted" : "playing";
    const distanceMs = this.#distance === null ? null : Math.round(1000 * this.#distance);
    return { state, distanceMs, offsetMs: this.#offset };
  }

  get #present() {
    return this.#films.get(this.#told?.now) ?? null;
  }

  /** Films come from the server at this address from now on. */
  readFrom(base) {
    this.#base = base;
  }

  /** Takes the screen's settings: the offset in ms, and whether a slide or video lies over the film. */
  use(offset, isCovered) {
    [this.#offset, this.#isCovered] = [offset, isCovered];
    this.#steer();
  }

  /** Takes what the server says of tonight's films; null on a screen that shows none. */
  take(told) {
    this.#told = told;
    const addresses = new Map((told?.films ?? []).map(({ tag, address }) => [tag, address]));
    for (const [tag, film] of this.#films) {
      if (addresses.has(tag)) continue;
      this.#aloud.forget(film.element);
      film.remove();
      this.#films.delete(tag);
    }
    for (const [tag, address] of addresses) {
      if (this.#films.has(tag)) continue;
      const film = new LoadedFilm(this.#stage, () => this.#changed());
      this.#films.set(tag, film);
      void film.load(address, () => this.#base, () => this.#told?.now === tag && this.#told.state !== "waiting");
    }
    this.#steer();
  }

  #steer() {
    const [film, now] = [this.#present, this.#clock()];
    for (const other of this.#films.values()) {
      if (other !== film) rest(other);
    }
    this.#distance = null;
    if (!film) return;
    const isWaiting = this.#told.state === "waiting";
    film.element.hidden = isWaiting || this.#isCovered;
    if (now === null || film.element.readyState < HTMLMediaElement.HAVE_METADATA) return;
    const passed = Math.min((now - this.#steeredAt) / 1000, 1);
    this.#steeredAt = now;
    this.#keep(film, Math.max(filmPlace(this.#told, now + this.#offset), 0), Math.max(passed, 0));
  }

  /** Brings the film to a place, and lets it go or stand as the clock does. */
  #keep(film, place, passed) {
    const { element } = film;
    const { state, run, speed } = this.#told;
    const isGoing = speed > 0 && place < element.duration;
    const end = Math.max(element.duration - 0.05, 0) || 0;
    const distance = Math.min(place, end) - element.currentTime;
    const here = `${run} ${state === "waiting"}`;
    const most = here !== film.place ? (isGoing ? nearJump : 0.02) : isGoing ? farJump : Infinity;
    film.place = here;
    if (Math.abs(distance) > most && !element.seeking) {
      element.currentTime = Math.min(place, end);
      film.correction = 0;
    }
    if (!isGoing) {
      if (!element.paused) element.pause();
      return;
    }
    if (element.paused && !element.seeking) this.#aloud.play(element, () => this.#changed());
    this.#distance = distance;
    if (element.seeking || element.paused) return;
    film.correction = nextCorrection(film.correction, distance, passed);
    const rate = Math.min(Math.max(speed + film.correction, 0.0625), 4);
    if (Math.abs(element.playbackRate - rate) > 0.001) element.playbackRate = rate;
  }
}

function rest({ element }) {
  element.hidden = true;
  if (!element.paused) element.pause();
}
