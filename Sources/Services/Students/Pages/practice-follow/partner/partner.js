// The partner: a recording that plays with a student. A state machine: events in, effects out, no clock and no sound.
// Times are seconds of the audio clock, places seconds of the partner's recording.
import { Holds } from "./holding.js";
import { fastest, slowest } from "./stretch.js";
import { Student } from "./student.js";

/** With the student and waiting where he stops; with him and going on where he stops; at its own speed. */
export const modes = ["waits", "goes-on", "steady"];

const pullSeconds = 0.6; // in which a distance is made up
const mostPull = 0.3; // of the pace, faster or slower, to make up a distance
const farOff = 0.7; // s: the partner goes there at once
const barsAhead = 2; // that the student may be ahead of a partner who cannot be faster
const [leastPatience, mostPatience] = [0.6, 1.6]; // s without the student until he has stopped: half a bar, within this
const longestUnknown = 4; // s that the partner plays on if there is sound, but no place
const leastSilence = 0.35; // s before a sound that is a beginning
const leastEntering = 0.5; // s of sound before the follower can know anything
const longestEntering = 4; // s until the follower must know where the student is
const newestAnswers = 1.2; // s in which an answer is new
const nearBarLine = 0.1; // of a bar
const justBegun = 0.4; // of a bar: whoever stops so shortly after a bar line has stopped at it
const leastStanding = 0.4; // s for which the follower sees no progress until a note is held
const leastLasting = 0.8; // s for which a held note sounds the same
const movedOn = 0.3; // s of progress after a hold of which nobody knows the end
const barsPast = 1; // that the student is past a hold although nothing else was heard
const coarseness = 0.004; // changes of speed below this are not worth an order

/**
 * Each event gives a list of orders: `{ place, rate, isPlaying, stopAt }` for the sound, each field if it changes, and
 * `expect`, the played bar from which the follower expects the student.
 * `state`: ready (silent until the student begins), entering (began with the student's first sound; whether he is there
 * is not sure yet), together, ending (plays to the bar line at which it waits), waiting (silent), holding (the student
 * holds a note: plays to its end and is silent there), alone (plays without the student), done.
 */
export class Partner {
  state = "ready";
  #bars;
  #mode;
  #speed;
  #rate = null;
  #student = new Student();
  #loudAt = -Infinity; // the newest sound of the student
  #delay; // s from the audio clock to the ear and from the string to the audio clock
  #stopAt = null;
  #entry; // the place from which it goes on with the student's first sound
  #enteredAt = 0;
  #misled = false; // the microphone hears the partner
  #since = null; // when what the student sounds now began; null in silence
  #holds;
  #movedAt = null; // since when the student moves on although the partner holds

  /** `holds` are the fermatas of the score: the beginning and the end of what is held, as places. */
  constructor({ bars, mode = "waits", speed = 1, delay = 0, holds = [] }) {
    [this.#bars, this.#mode, this.#speed, this.#delay] = [bars, mode, speed, delay];
    this.#holds = new Holds(holds, bars.end);
    this.#student.forget(speed);
    this.#entry = bars.begin;
  }

  /** True while the partner goes by the student. */
  get listens() {
    return this.#mode !== "steady" && !this.#misled;
  }

  /** Another mode or speed, a share of the recording's own. */
  choose({ mode = this.#mode, speed = this.#speed }) {
    [this.#mode, this.#speed] = [mode, speed];
    if (!this.#isHeard) return [];
    if (!this.listens) return [...this.#goOn(), ...this.#at(speed)];
    return this.state === "alone" ? this.#at(speed) : [];
  }

  /** The microphone hears the partner, or does not any more: what it hears is not the student. */
  misled(isMisled) {
    if (isMisled === this.#misled) return [];
    this.#misled = isMisled;
    this.#student.forget();
    return isMisled && this.#isHeard ? [...this.#goOn(), ...this.#at(this.#speed)] : [];
  }

  /** Somebody begins the partner at a place, whether the student plays or not. */
  begin(place) {
    this.state = "alone";
    this.#stopAt = null;
    this.#student.forget(this.#speed);
    this.#rate = this.#speed;
    return [{ place, rate: this.#rate, isPlaying: true, stopAt: null }];
  }

  /** The student says at which place he begins: the partner is silent until then. */
  ready(place) {
    this.state = "ready";
    this.#entry = place;
    this.#student.forget(this.#speed);
    return [{ isPlaying: false, stopAt: null }];
  }

  /** The follower's answer: `place` and `confidence` of the student at the instant `at`. */
  heard(answer) {
    // Answers that were on their way when the follower was told where to expect the student do not count.
    const isOld = this.state === "entering" && answer.at < this.#enteredAt + leastEntering;
    if (!isOld) this.#student.heard(answer);
    return [];
  }

  /** The student's instrument sounds in a block that begins at this instant: a partner who waits begins. */
  sounds(at) {
    const isBeginning = at - this.#loudAt > leastSilence;
    this.#loudAt = at;
    if (!isBeginning || !this.listens || !["ready", "waiting"].includes(this.state)) return [];
    return this.#enter(at, this.#entry);
  }

  /** Notes since when the student's sound has been the same; null in silence. Called with each block. */
  lasts(since) {
    this.#since = since;
  }

  /** Begins with the student at a place. The follower is told the bar if the place is at its beginning. */
  #enter(at, place) {
    this.state = "entering";
    this.#enteredAt = at;
    this.#stopAt = null;
    this.#rate = this.#limited(this.#student.pace);
    const bar = this.#bars.place(this.#entry);
    const isBarLine = Math.abs(bar - Math.round(bar)) < nearBarLine;
    const order = { place, rate: this.#rate, isPlaying: true, stopAt: null };
    return [isBarLine ? { ...order, expect: Math.round(bar) } : order];
  }

  /** Told often: the partner is at `place` at the instant `at`. */
  tick({ at, place }) {
    if (this.#isHeard && place >= this.#bars.end) return this.#done();
    if (!this.listens) return [];
    switch (this.state) {
      case "together": return this.#together(at, place);
      case "ending": return this.#hasStopped(at) ? this.#ending(place) : this.#join(at, place);
      case "alone": return this.#hasStopped(at) ? [] : this.#join(at, place);
      case "entering": return this.#entering(at, place);
      case "holding": return this.#holding(at);
      case "done": return this.#isBackBeforeTheEnd(at) ? this.#join(at, null) : [];
      default: return this.#hasStopped(at) ? [] : this.#join(at, null);
    }
  }

  #together(at, place) {
    if (this.#mode === "waits") {
      const end = this.#holds.at(place);
      if (end !== null) return this.#hold(at, place, end);
      const isHeld = this.#student.stands > leastStanding && this.#since !== null && at - this.#since > leastLasting;
      if (isHeld) return this.#hold(at, place, null);
    }
    if (this.#hasStopped(at)) return this.#mode === "waits" ? this.#endAtBarLine(at, place) : this.#goOn();
    return this.#keepWith(at, place);
  }

  /** Holds with the student: to the end of what is held, or silent at once if nobody knows it. */
  #hold(at, place, end) {
    this.state = "holding";
    this.#holds.begin(at, place, end, this.#student.pace);
    [this.#stopAt, this.#movedAt] = [end, null];
    if (end === null) return [{ isPlaying: false, stopAt: null }];
    this.#entry = end;
    return [{ stopAt: end }];
  }

  /** Goes on with the next sound of the student, from the end of the hold; else when the follower sees him move on. */
  #holding(at) {
    const { end } = this.#holds;
    const { pace } = this.#student;
    if (this.#holds.isOver(this.#since)) {
      this.#student.forget();
      return this.#enter(at, end + (at - this.#since + this.#delay) * pace);
    }
    const isMoving = this.#student.stands === 0 && this.#student.age(at) < newestAnswers;
    this.#movedAt = isMoving ? this.#movedAt ?? at : null;
    const wanted = this.#student.place(at + this.#delay);
    const isPast = end === null ? at - this.#movedAt > movedOn
      : wanted > end + barsPast * this.#bars.length(this.#bars.place(end));
    return isMoving && wanted !== null && isPast ? this.#join(at, null) : [];
  }

  /** Orders that bring the partner nearer to the student. */
  #keepWith(at, place) {
    const wanted = this.#student.place(at + this.#delay);
    if (wanted === null) return [];
    const { pace } = this.#student;
    const distance = wanted - place;
    const far = pace > fastest && distance > 0 ? barsAhead * this.#bars.length(this.#bars.place(place)) : farOff;
    if (Math.abs(distance) > far) return this.#goTo(wanted);
    const pull = Math.max(-mostPull, Math.min(mostPull, distance / pullSeconds));
    return this.#at(pace * (1 + pull));
  }

  /** The student is heard: with him from here on. `place` is null if the partner is silent. */
  #join(at, place) {
    const wanted = this.#student.place(at + this.#delay);
    if (wanted === null || wanted >= this.#bars.end) return [];
    this.state = "together";
    if (place === null || Math.abs(wanted - place) > farOff) return this.#goTo(wanted);
    const isEnding = this.#stopAt !== null;
    this.#stopAt = null;
    return [...(isEnding ? [{ stopAt: null }] : []), ...this.#keepWith(at, place)];
  }

  #goTo(place) {
    this.#stopAt = null;
    this.#rate = this.#limited(this.#student.pace);
    return [{ place: Math.max(0, place), rate: this.#rate, isPlaying: true, stopAt: null }];
  }

  /** The bar line nearest to where the student stopped; a partner that is past it falls silent at once. */
  #endAtBarLine(at, place) {
    const stopped = this.#student.expected(Math.min(at, this.#loudAt)) ?? place;
    const bar = Math.max(0, this.#bars.place(stopped));
    const line = Math.floor(bar) + (bar - Math.floor(bar) < justBegun ? 0 : 1);
    this.state = "ending";
    this.#entry = this.#bars.seconds(Math.min(this.#bars.count, line));
    this.#stopAt = Math.max(place, this.#entry);
    return [{ stopAt: this.#stopAt }];
  }

  #ending(place) {
    if (place < this.#stopAt) return [];
    if (this.#entry >= this.#bars.end) return this.#done();
    return [this.#wait()];
  }

  #wait() {
    this.state = "waiting";
    this.#stopAt = null;
    this.#student.forget();
    return { isPlaying: false, stopAt: null };
  }

  /** Soon the follower says where the student is; if not, the sound was no music, and the partner waits again. */
  #entering(at, place) {
    const isSure = this.#student.place(at) !== null;
    if (isSure) return this.#join(at, place);
    const wasNothing = at - this.#loudAt > leastPatience || at - this.#enteredAt > longestEntering;
    return wasNothing ? [this.#wait()] : [];
  }

  #goOn() {
    const wasHeldUp = this.#stopAt !== null || this.state === "holding";
    this.state = "alone";
    this.#stopAt = null;
    return wasHeldUp ? [{ isPlaying: true, stopAt: null }] : [];
  }

  #done() {
    this.state = "done";
    this.#stopAt = null;
    return [{ isPlaying: false, stopAt: null }];
  }

  #at(rate) {
    const limited = this.#limited(rate);
    if (this.#rate !== null && Math.abs(limited - this.#rate) < coarseness) return [];
    this.#rate = limited;
    return [{ rate: limited }];
  }

  #limited(rate) {
    return Math.min(fastest, Math.max(slowest, rate));
  }

  /** True while the partner plays. */
  get #isHeard() {
    return ["entering", "together", "ending", "holding", "alone"].includes(this.state);
  }

  /** True if the instrument was silent for half a bar, or if for longer nobody knows where the student is. */
  #hasStopped(at) {
    const place = this.#student.place(at);
    if (place === null) return at - this.#loudAt > leastPatience || this.#student.age(at) > longestUnknown;
    const half = this.#bars.length(this.#bars.place(place)) / this.#student.pace / 2;
    return at - this.#loudAt > Math.min(mostPatience, Math.max(leastPatience, half));
  }

  #isBackBeforeTheEnd(at) {
    const place = this.#student.place(at);
    return !this.#hasStopped(at) && place !== null && place < this.#bars.end - 2;
  }
}
