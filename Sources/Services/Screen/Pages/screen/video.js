// The video of whoever speaks, as large as it fits, under the titles. It keeps to the show's clock, so that all screens
// show the same moment and one that comes late joins in.

const mostDrift = 0.4; // seconds between the screen and the show before the video jumps
const retryAfter = 1000; // ms

/** True if the browser has all of a video. */
const isWhole = ({ buffered, duration }) => buffered.length === 1 && buffered.end(0) >= duration - 0.1;

export class VideoLayer {
  #stage;
  #changed;
  #clock; // () => the show's time in ms, or null if it is not known yet
  #element = null;
  #wanted = null;
  #base = ""; // the address of the server that has the videos; empty for this page's own
  #isFailed = false;
  #held = null; // the last frame from the server before, until there is a new one
  #aloud;

  /**
   * `changed` is called when {@link report} changes.
   * @param {HTMLElement} stage
   * @param {() => number | null} clock
   * @param {() => void} changed
   * @param {import("./aloud.js").Aloud} aloud
   */
  constructor(stage, clock, changed, aloud) {
    [this.#stage, this.#clock, this.#changed, this.#aloud] = [stage, clock, changed, aloud];
  }

  /** The state of the video, in the words of the server's heartbeat; null without a video. */
  get report() {
    const video = this.#element;
    if (!video) return null;
    if (this.#isFailed) return "failed";
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return "loading";
    if (video.ended) return "ended";
    if (video.paused) return "paused";
    return video.muted ? "muted" : "playing";
  }

  /** Videos come from the server at this address from now on; the frame stays until the next server has sent one. */
  readFrom(base) {
    this.#base = base;
    const old = this.#element;
    if (!old || isWhole(old)) return;
    old.pause();
    this.#element = null;
    this.#load(this.#wanted);
    this.#element?.addEventListener("loadeddata", () => old.remove(), { once: true });
    if (!this.#element) old.remove();
    else this.#held = old;
  }

  /** Shows a video; null for none. */
  show(wanted) {
    if (wanted?.document !== this.#wanted?.document) this.#load(wanted);
    this.#wanted = wanted;
    if (wanted) this.keepTime();
  }

  #load(wanted) {
    this.#held?.remove();
    this.#held = null;
    if (this.#element) this.#aloud.forget(this.#element);
    this.#element?.remove();
    this.#element?.removeAttribute("src");
    this.#element?.load();
    this.#element = null;
    this.#isFailed = false;
    if (!wanted) return;
    const video = document.createElement("video");
    Object.assign(video, { className: "slide", playsInline: true, preload: "auto" });
    if (this.#base) video.crossOrigin = "anonymous";
    video.src = this.#base + wanted.address;
    for (const name of ["playing", "pause", "ended", "loadeddata", "volumechange"]) {
      video.addEventListener(name, () => this.#element === video && this.#changed());
    }
    video.addEventListener("loadedmetadata", () => this.#element === video && this.keepTime());
    video.addEventListener("error", () => this.#element === video && this.#fail(video));
    this.#element = video;
    this.#stage.prepend(video);
  }

  /** After a network error the video is tried again; a format that the browser lacks is reported. */
  #fail(video) {
    this.#isFailed = video.error?.code === MediaError.MEDIA_ERR_DECODE
      || (video.error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED && navigator.onLine && video.readyState === 0);
    this.#changed();
    setTimeout(() => {
      if (this.#element !== video) return;
      const wanted = this.#wanted;
      this.#load(wanted);
      this.keepTime();
    }, this.#isFailed ? 10 * retryAfter : retryAfter);
  }

  /** Plays or pauses as wanted, and jumps where the video has drifted away. */
  keepTime() {
    const [video, wanted] = [this.#element, this.#wanted];
    if (!video || !wanted || video.readyState < HTMLMediaElement.HAVE_METADATA) return;
    const now = this.#clock();
    const passed = wanted.isPlaying && now !== null ? Math.max(0, now - wanted.since) / 1000 : 0;
    const place = Math.min(wanted.seconds + passed, video.duration || Infinity);
    const isOver = wanted.isPlaying && place >= video.duration;
    const most = wanted.isPlaying ? mostDrift : 0.02;
    if (Math.abs(video.currentTime - place) > most && !(isOver && video.ended)) video.currentTime = place;
    if (!wanted.isPlaying) return void video.pause();
    if (video.paused && !isOver) {
      this.#aloud.play(video, () => this.#element === video && this.#changed());
    }
  }
}
