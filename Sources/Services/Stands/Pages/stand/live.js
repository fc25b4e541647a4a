// The live position as this stand receives it: the bar that sounds, the rest to count, and if it is known at all.
import { find } from "/shared/dom.js";
import { Metronome } from "./metronome.js";
import { placeOf } from "./places.js";
import { Countdown, Pace, restAt } from "./rests.js";

const stale = 4_000; // ms after which a word is no longer where the music is

export class Live {
  #word = null;
  #heardAt = 0;
  #pace = new Pace();
  #countdown = new Countdown();
  #beats = 0;

  constructor(reader) {
    this.reader = reader;
    this.metronome = new Metronome(find("edge"), this.#pace);
    setInterval(() => this.#word && performance.now() - this.#heardAt > stale && this.silent(), 1_000);
  }

  /** The follower leads now. */
  get isFollowing() {
    return this.#word !== null && ["playing", "coasting"].includes(this.#word.trust);
  }

  /** The page of this part that holds the bar that sounds; null if nobody knows. */
  get page() {
    const part = this.reader.score?.parts[this.reader.part];
    const measure = this.isFollowing ? this.#word.measure ?? null : null;
    return part && measure !== null ? placeOf(part, measure, this.#word.movement)?.page ?? null : null;
  }

  /** The bar of a movement that is played for sure; null if none is. */
  barOf(movement) {
    const { trust, movement: heard, measure } = this.#word ?? {};
    return trust === "playing" && (heard ?? 0) === movement ? measure ?? null : null;
  }

  /** The bar that sounds in so many seconds, as far as can be foreseen: the present one or the next; null if nobody
      knows. */
  barAhead(seconds) {
    const measure = this.isFollowing ? this.#word.measure ?? null : null;
    if (measure === null) return null;
    const share = this.#pace.share(performance.now() / 1000);
    const left = share === null ? Infinity : (1 - share) * this.#pace.seconds;
    return { measure: left < seconds ? measure + 1 : measure, movement: this.#word.movement };
  }

  hear(word) {
    this.#word = word;
    this.#heardAt = performance.now();
    const measure = word.trust === "playing" || word.trust === "coasting" ? word.measure ?? null : null;
    this.#pace.hear(measure, performance.now() / 1000, word.trust === "playing" && !word.jumped);
    this.paint();
  }

  /** Nobody says where the music is: nothing is claimed. */
  silent() {
    if (!this.#word) return;
    this.#word = { ...this.#word, trust: "waiting", measure: null };
    this.#pace.forget();
    this.paint();
  }

  clear() {
    this.#word = null;
    this.paint();
  }

  paint() {
    const { reader } = this;
    const { look, chrome } = reader;
    const part = reader.score?.parts[reader.part];
    const word = this.#word;
    const measure = this.isFollowing ? word.measure ?? null : null;
    const place = part && measure !== null ? placeOf(part, measure, word.movement) : null;
    reader.paper?.mark("now", look.value.bar && place?.box && place.first === place.last
      ? { page: place.page, box: place.box, point: null } : null);
    if (!chrome) return;
    find("fall-in").hidden = this.page === null || (reader.turner.showsMusic ?? reader.shows(this.page));
    chrome.sign("sign-lost", word?.trust === "lost" ? "Pages wait: the place is lost" : "");
    this.#rest(part && measure !== null && look.value.rests ? restAt(part, word.movement, measure) : null);
    const beats = look.value.flash && this.isFollowing ? look.value.beats : 0;
    if (beats !== this.#beats) this.metronome.run((this.#beats = beats));
  }

  #rest(rest) {
    const sign = find("sign-rest");
    sign.hidden = rest === null || rest.measures < 2;
    if (sign.hidden) return;
    sign.dataset.entry = rest.left <= 2 ? String(rest.left) : "";
    const share = Math.min(this.#pace.share(performance.now() / 1000) ?? 0, 1);
    const seconds = this.#pace.seconds && rest.left > 1
      ? ` · ${Math.round(this.#countdown.show(rest, (rest.left - share) * this.#pace.seconds))} s` : "";
    const entry = rest.left === 1 ? "Entry next bar" : `Entry at ${rest.entry}${seconds}`;
    sign.replaceChildren(Object.assign(document.createElement("strong"), { textContent: String(rest.counted) }),
      Object.assign(document.createElement("span"), { textContent: ` of ${rest.measures}` }),
      Object.assign(document.createElement("em"), { textContent: entry }));
  }
}
