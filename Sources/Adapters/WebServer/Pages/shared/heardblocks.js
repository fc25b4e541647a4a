// Gives the blocks of a microphone to a follower, and says where the music is. Pure: no audio interface, no network.
import { fractions } from "./follower.js";

const mostSilence = 60; // s of a gap that are followed as silence
const jump = 1; // s of music between two positions that are no playing on
const hesitation = 0.15; // s of music that must have passed in a bar that is shown (docs/web-engine.md)
const mostZeros = 0.5; // of the samples of a block in which a room sounds

/**
 * Where a student is.
 * @typedef {object} Position
 * @property {number} heard       samples that were heard, silence for missing ones included
 * @property {number} lost        samples that the microphone did not give
 * @property {number} seconds     of the take, at the newest report
 * @property {string} state       see `Report` in follower.js
 * @property {number} [played]    index of the played bar, from 0
 * @property {number} [bar]       its printed number
 * @property {number} [fraction]  the part of the bar that has passed
 * @property {number} [place]     second of the piece
 * @property {number} tempo
 * @property {number} confidence
 * @property {number} jumps       times that the student went to another place
 * @property {number} restarts    times that the follower broke and was started again
 */

/**
 * A block as a room sounds. A microphone that is muted, or a gate that shuts, gives zeros, which mean to the follower
 * that the sound is lost and the music goes on; for a student they are silence. So zeros become the softest noise.
 * @param {Int16Array} samples
 */
export function roomy(samples) {
  const zeros = samples.reduce((count, sample) => count + (sample === 0 ? 1 : 0), 0);
  if (zeros <= mostZeros * samples.length) return samples;
  return samples.map((sample) => (sample === 0 ? Math.floor(3 * Math.random()) - 1 : sample));
}

/**
 * The index of the bar that has surely begun: the follower's place is off by some hundredths of a second, and a slide
 * is never early.
 * @param {{ onset: number }[]} bars of the model
 * @param {{ played?: number, place?: number, tempo: number }} position
 */
export function surelyBegun(bars, { played = 0, place = 0, tempo }) {
  let index = played;
  while (index > 0 && bars[index].onset > place - hesitation * tempo) index -= 1;
  return index;
}

export class HeardBlocks {
  #follower;
  #rate;
  #heard = 0;
  #lost = 0;
  #jumps = 0;
  #place = null;
  #newest = null; // the follower's report

  /** @param {any} follower a `Follower` @param {number} rate samples a second */
  constructor(follower, rate) {
    [this.#follower, this.#rate] = [follower, rate];
  }

  /** Waits for the music at a played bar, from 0. @param {number} played */
  beginAt(played) {
    this.#follower.beginAt(played);
  }

  /**
   * Hears a block of shared/microphone.js; a gap before it is silence.
   * @returns {Position}
   */
  hear({ firstSample, samples }) {
    const gap = Math.min(firstSample - this.#heard, mostSilence * this.#rate);
    if (gap > 0) {
      this.#lost += gap;
      this.#push(new Float32Array(gap));
    }
    this.#push(fractions(roomy(samples)));
    this.#heard = firstSample + samples.length;
    return this.#position();
  }

  #push(samples) {
    const report = this.#follower.push(samples);
    if (!report) return;
    if (report.reference !== null) {
      if (this.#place !== null && Math.abs(report.reference - this.#place) > jump) this.#jumps += 1;
      this.#place = report.reference;
    }
    this.#newest = report;
  }

  #position() {
    const { live = 0, state = "waiting", played, measure, fraction, reference, tempo = 1, confidence = 0 } =
      this.#newest ?? {};
    const known = played === null || played === undefined ? {} : { played, bar: measure, fraction };
    const place = reference === null || reference === undefined ? {} : { place: reference };
    return { heard: this.#heard, lost: this.#lost, seconds: live, state, ...known, ...place, tempo, confidence,
      jumps: this.#jumps, restarts: this.#follower.restarts };
  }
}
