// The reference recording beside the music: at any speed without another pitch, from the bar that is tapped; pages turn
// with it. The browser stretches the sound.
import { make } from "/shared/dom.js";
import { BarTap } from "./bartap.js";
import { placeAt, placeOf } from "./places.js";
import { barAt, playedBar } from "./references.js";
import { quick } from "./store.js";
import { notice } from "./words.js";

const slowest = 50;
const fastest = 150; // per cent

export class Listen {
  #sound = null;
  #reference = null;
  #timer = null;
  #shown = -1; // the bar that is marked, as an index
  #isWaiting = false;

  constructor(reader, references) {
    this.reader = reader;
    this.references = references;
    new BarTap(reader, () => this.isOpen, (spot) => this.#tapped(spot));
  }

  get isOpen() {
    return this.#sound !== null;
  }

  get isPlaying() {
    return this.isOpen && !this.#sound.paused;
  }

  /** The movement that lies on the stand, if it has sound; else the first that has; -1 where none has. */
  #movement() {
    const { reader, references } = this;
    const here = (reader.score.parts[reader.part].places ?? [])
      .find((place) => place.page >= reader.turning.view.page && !place.steps);
    const own = references.of(here?.movement ?? 0);
    return (own?.hasSound ? own : references.all.find((one) => one.hasSound))?.movement ?? -1;
  }

  open(dock) {
    const { reader, references } = this;
    const movement = this.#movement();
    if (movement < 0) {
      return notice("There is no recording beside this score. A librarian binds a movement to a piece that has one.");
    }
    if (reader.live.isFollowing) return notice("The orchestra plays: a recording waits until it has ended.");
    const sound = new Audio(`/api/scores/${reader.score.id}/references/${movement}/sound`);
    sound.preservesPitch = true;
    sound.preload = "auto";
    this.play = make("button", { type: "button", id: "listen-play", class: "primary round", "aria-label": "Play",
      text: "▶" });
    this.play.addEventListener("click", () => this.toggle());
    this.bar = make("output", { id: "listen-bar", text: "–" });
    const percent = quick.get("listen.speed") ?? 100;
    const shown = make("output", { id: "listen-percent", text: `${percent} %` });
    const speed = make("input", { type: "range", id: "listen-speed", min: slowest, max: fastest, step: 5,
      value: String(percent), "aria-label": "Speed in per cent" });
    speed.addEventListener("input", () => {
      shown.textContent = `${speed.value} %`;
      quick.put("listen.speed", Number(speed.value));
      sound.playbackRate = Number(speed.value) / 100;
    });
    sound.defaultPlaybackRate = sound.playbackRate = percent / 100;
    for (const name of ["play", "pause", "ended"]) sound.addEventListener(name, () => this.#paint());
    sound.addEventListener("error", () => this.isOpen
      && notice("The recording cannot be heard here: the server or the network does not give it."));
    dock.open("listen", "Recording", [this.play, make("span", { class: "listen-where" },
      make("small", { text: "Bar" }), this.bar),
    make("label", { class: "slide" }, make("small", { text: "Speed" }), speed, shown),
    make("p", { class: "hint", text: "Tap a bar to hear it from there." })], () => this.close());
    this.#sound = sound;
    this.#reference = references.of(movement);
    const first = this.#firstBarHere();
    if (first >= 0) sound.currentTime = this.#reference.bars[first][1];
    this.#timer = setInterval(() => this.#follow(), 60);
    this.#follow();
    this.play.focus({ preventScroll: true });
  }

  close() {
    if (!this.#sound) return;
    clearInterval(this.#timer);
    this.#sound.pause();
    this.#sound.removeAttribute("src");
    this.#sound = this.#reference = null;
    this.#shown = -1;
    this.reader.paper.mark("heard", null);
  }

  toggle() {
    if (!this.#sound) return;
    if (this.#sound.paused) this.#start();
    else this.#sound.pause();
  }

  /** The orchestra begins: nothing else sounds. */
  hush() {
    if (this.isPlaying) this.#sound.pause();
  }

  async #start() {
    if (this.reader.live.isFollowing) return notice("The orchestra plays: a recording waits until it has ended.");
    try {
      await this.#sound.play();
    } catch (error) {
      if (error.name !== "AbortError") notice("The browser does not play it. Press ▶ once more.");
    }
  }

  #firstBarHere() {
    const { reader } = this;
    const [page] = reader.paper.visible;
    const place = (reader.score.parts[reader.part].places ?? [])
      .find((each) => each.page >= page && (each.movement ?? 0) === this.#reference.movement);
    return place ? playedBar(this.#reference.bars, place.first, 0) : -1;
  }

  /** A tap on a bar plays from there. */
  #tapped({ page, x, y }) {
    const { reader } = this;
    const place = placeAt(reader.score.parts[reader.part], page, x, y);
    const isHit = place?.box && y >= place.box[1] - 0.02 && y <= place.box[3] + 0.02
      && (place.movement ?? 0) === this.#reference.movement;
    const index = isHit ? playedBar(this.#reference.bars, place.first, Math.max(this.#shown, 0)) : -1;
    if (index < 0) return false;
    this.#sound.currentTime = this.#reference.bars[index][1] + 0.005;
    this.#start();
    this.#follow();
    return true;
  }

  /** Marks the bar that sounds; turns the page when the player would need the next. */
  #follow() {
    const { reader } = this;
    if (!this.#sound || !reader.score) return;
    const { bars, movement } = this.#reference;
    const seconds = this.#sound.currentTime;
    const index = barAt(bars, seconds);
    if (index === this.#shown && this.#sound.paused) return;
    const part = reader.score.parts[reader.part];
    if (index !== this.#shown) {
      this.#shown = index;
      const bar = bars[Math.max(index, 0)][0];
      this.bar.textContent = String(bar);
      const place = index < 0 ? null : placeOf(part, bar, movement, index);
      reader.paper.mark("heard", place?.box ? { page: place.page, box: place.box, point: null } : null);
    }
    const isEarly = this.#sound.paused ? 0 : Math.min(reader.preferences?.value.leadSeconds ?? 1, 4);
    const soon = barAt(bars, seconds + isEarly * this.#sound.playbackRate);
    const next = soon < 0 ? null : placeOf(part, bars[soon][0], movement, soon);
    // In a session the room turns pages.
    if (next && !reader.content?.isRunning && !reader.turner.isSeen(next)) reader.turner.go(next.page, next.box);
  }

  #paint() {
    if (!this.#sound) return;
    const isPlaying = !this.#sound.paused;
    this.play.textContent = isPlaying ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }
}
