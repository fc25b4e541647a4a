/* global currentFrame, sampleRate */
// Collects what the microphone hears into blocks of 16-bit samples. Its clock is the count of samples.

class BlockCollector extends AudioWorkletProcessor {
  #size; // samples of a block
  #samples;
  #filled = 0;
  #first = 0; // the sample count at the block's first sample
  #origin = 0; // the frame at which counting began
  #sequence = 0;
  #isStopped = false;

  constructor({ processorOptions }) {
    super();
    this.#size = Math.max(1, Math.round(sampleRate * processorOptions.blockMilliseconds / 1000));
    this.#samples = new Int16Array(this.#size);
    this.port.onmessage = () => {
      this.#flush();
      this.#isStopped = true;
    };
  }

  process([channels]) {
    if (this.#isStopped) return false;
    const length = channels[0]?.length ?? 0;
    // The count begins with the first whole block, because a microphone starts with pauses.
    if (this.#sequence === 0 && (length === 0 || this.#origin + this.#filled !== currentFrame)) {
      [this.#origin, this.#filled] = [currentFrame, 0];
    }
    const now = currentFrame - this.#origin;
    // A microphone that gives nothing later, or frames that were skipped, leave a gap in the count.
    if (this.#first + this.#filled !== now) this.#flush(now);
    for (let index = 0; index < length; index += 1) {
      let sum = 0;
      for (const channel of channels) sum += channel[index];
      const value = Math.round(sum / channels.length * 32768);
      this.#samples[this.#filled] = Math.max(-32768, Math.min(32767, value));
      this.#filled += 1;
      if (this.#filled === this.#size) this.#flush(now + index + 1);
    }
    return true;
  }

  #flush(next = this.#first + this.#filled) {
    if (this.#filled > 0) {
      const samples = this.#samples.slice(0, this.#filled);
      const frame = this.#origin + this.#first; // in the clock of the context
      this.port.postMessage({ sequence: this.#sequence, firstSample: this.#first, frame, samples }, [samples.buffer]);
      this.#sequence += 1;
    }
    this.#filled = 0;
    this.#first = next;
  }
}

registerProcessor("block-collector", BlockCollector);
