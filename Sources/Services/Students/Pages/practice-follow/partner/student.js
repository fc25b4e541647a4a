// Estimates the student's place at any instant from the follower's answers, which are some tenths of a second old.
// Times are seconds of the audio clock, places seconds of the partner's recording. Pure: no clock of its own.

const remembered = 2.5; // s of answers from which the pace is found
const fading = 0.5; // s in which an answer loses two thirds of its weight
const steadiness = 0.08; // s²: the weight of the pace so far
const farOff = 0.6; // s beside the expected place: another place, if more answers agree
const agreeing = 0.25; // s
const provenAfter = 0.35; // s that answers agree on another place
const longestGuess = 2.5; // s after the newest answer
const leastConfidence = 0.35;
const standing = 0.05; // of the recording's speed: a place that moves on more slowly stands still
const [slowestPace, fastestPace] = [0.2, 2];

export class Student {
  #answers = []; // { at, place }, one unbroken passage
  #elsewhere = []; // the same for another place that is not proven yet
  #line = null; // { at, place, pace }
  #told = null; // the newest sure answer
  #stoodAt = null; // since when the answers name the same place
  #pace = 1; // before anything is known of it

  /** Begins anew: nothing is known, and the pace is as given. */
  forget(pace = this.#pace) {
    [this.#answers, this.#elsewhere, this.#line, this.#pace] = [[], [], null, pace];
  }

  /**
   * Takes an answer: where the student was at an instant; gives true if it was a jump. Answers that stand still say
   * that a note is held, and nothing of the pace.
   */
  heard({ at, place, state, confidence }) {
    if (state !== "following" || !(confidence >= leastConfidence) || !Number.isFinite(place)) return false;
    if (this.#told && at <= this.#told.at) return false;
    const stands = this.#told !== null && Math.abs(place - this.#told.place) < standing * (at - this.#told.at);
    this.#stoodAt = stands ? this.#stoodAt ?? this.#told.at : null;
    this.#told = { at, place };
    if (stands) return false;
    const newest = this.#answers.at(-1);
    if (newest && at <= newest.at) return false;
    if (!newest || (this.#line && at - newest.at > longestGuess + provenAfter)) return this.#begin(at, place);
    if (Math.abs(place - this.expected(at)) <= farOff) {
      this.#elsewhere = [];
      this.#answers.push({ at, place });
      this.#answers = this.#answers.filter((each) => each.at > at - remembered);
      this.#fit();
      return false;
    }
    const other = this.#elsewhere.at(-1);
    if (other && Math.abs(place - other.place - this.#pace * (at - other.at)) > agreeing) this.#elsewhere = [];
    this.#elsewhere.push({ at, place });
    if (at - this.#elsewhere[0].at < provenAfter) return false;
    [this.#answers, this.#elsewhere] = [this.#elsewhere, []];
    this.#fit();
    return true;
  }

  #begin(at, place) {
    [this.#answers, this.#elsewhere] = [[{ at, place }], []];
    this.#fit();
    return true;
  }

  /** The student's place at an instant if the student goes on as before; null if nothing is known. */
  expected(at) {
    return this.#line && this.#line.place + this.#line.pace * (at - this.#line.at);
  }

  /** A straight line through the answers, of which newer ones weigh more; while they are few, with the old pace. */
  #fit() {
    const now = this.#answers.at(-1).at;
    const weighted = this.#answers.map((each) => ({ ...each, weight: Math.exp((each.at - now) / fading) }));
    const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const at = weighted.reduce((sum, each) => sum + each.weight * each.at, 0) / total;
    const place = weighted.reduce((sum, each) => sum + each.weight * each.place, 0) / total;
    let [spread, product] = [steadiness, steadiness * this.#pace];
    for (const each of weighted) {
      spread += each.weight * (each.at - at) ** 2;
      product += each.weight * (each.at - at) * (each.place - place);
    }
    this.#pace = Math.min(fastestPace, Math.max(slowestPace, product / spread));
    this.#line = { at, place, pace: this.#pace };
  }

  /** Seconds for which the newest answers name the same place. */
  get stands() {
    return this.#stoodAt === null ? 0 : this.#told.at - this.#stoodAt;
  }

  /** Seconds of the recording for each second. */
  get pace() {
    return this.#pace;
  }

  /** The age of the newest answer that was sure; infinite before the first. */
  age(now) {
    return now - (this.#answers.at(-1)?.at ?? -Infinity);
  }

  /** The student's place now or soon; null if the newest answer is too old. */
  place(now) {
    if (!this.#line || this.age(now) > longestGuess) return null;
    return this.expected(now);
  }
}

/** Tells sound from silence by the loudness of blocks, in decibels of full scale. */
export class Hearing {
  #loudest = -100;
  #floor = 0;

  /** True if a block of `seconds` is music and not the noise of the room. */
  isLoud(power, seconds) {
    this.#loudest = Math.max(this.#loudest - 0.5 * seconds, power);
    this.#floor = Math.min(this.#floor + seconds, Math.max(power, -100));
    return power > -75 && power > this.#loudest - 40 && (power > this.#floor + 6 || power > this.#loudest - 15);
  }
}
