// The follower on the page's sound thread: samples in, reports out as messages. Options: engine, model; messages to it:
// { place: second } says where the music is.
/* global sampleRate */
import { Follower } from "./follower.js";

class FollowerProcessor extends AudioWorkletProcessor {
  #follower;
  #silence = new Float32Array(128);

  constructor({ processorOptions: { engine, model } }) {
    super();
    this.#follower = new Follower(engine, model, sampleRate);
    this.port.onmessage = ({ data }) => this.#follower.place(data.place);
  }

  process([input]) {
    // Without a source there is silence, which is time as well.
    const report = this.#follower.push(input[0] ?? this.#silence);
    if (report) this.port.postMessage({ ...report, restarts: this.#follower.restarts });
    return true;
  }
}

registerProcessor("follower", FollowerProcessor);
