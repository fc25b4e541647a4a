/* global currentFrame, sampleRate */
// Plays the partner's recording, stretched, and tells the page where it is in the clock of the sound output.
import { Thinner } from "./leak.js";
import { Parts, Stretcher } from "./stretch.js";

const toldEvery = 0.04; // s

class PartnerPlayer extends AudioWorkletProcessor {
  #parts;
  #stretcher;
  #told = 0;
  #thinner = new Thinner(sampleRate);
  #thinned = [];
  #begin = 0; // of them, in frames

  constructor({ processorOptions: { size, length } }) {
    super();
    this.#parts = new Parts(size, length);
    this.#stretcher = new Stretcher(this.#parts, sampleRate);
    this.port.onmessage = ({ data }) => this.#obey(data);
  }

  #obey(order) {
    if (order.samples) this.#parts.put(order.part, order.samples);
    for (const number of order.dropped ?? []) this.#parts.drop(number);
    if (order.rate !== undefined) this.#stretcher.rate = order.rate;
    if (order.place !== undefined) this.#stretcher.goTo(order.place * sampleRate);
    if (order.stopAt !== undefined) this.#stretcher.stopAt(order.stopAt === null ? null : order.stopAt * sampleRate);
    if (order.isPlaying !== undefined) this.#stretcher.isPlaying = order.isPlaying;
  }

  process(_, [[first, ...others]]) {
    if (currentFrame - this.#told >= toldEvery * sampleRate) {
      this.#told = currentFrame;
      const { place, rate, isPlaying, isStarved } = this.#stretcher;
      this.port.postMessage({ at: currentFrame / sampleRate, place: place / sampleRate, rate, isPlaying, isStarved,
        sound: { begin: Math.round(this.#begin / this.#thinner.count), samples: this.#thinned } });
      [this.#thinned, this.#begin] = [[], currentFrame];
    }
    this.#stretcher.take(first);
    for (const sample of this.#thinner.take(first)) this.#thinned.push(sample);
    for (const channel of others) channel.set(first);
    return true;
  }
}

registerProcessor("partner-player", PartnerPlayer);
