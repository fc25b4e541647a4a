// What was played, in the memory of this page: the blocks of a microphone, and the WAV file that they make. Pure.

const mostSamples = 30 * 60 * 48_000; // 173 MB
const headerBytes = 44;

export class PlayedSound {
  #parts = []; // Int16Arrays, silence for gaps included
  #count = 0; // samples
  #lost = 0;

  /** Takes a block of shared/microphone.js. What comes after half an hour is not kept. */
  add({ firstSample, samples }) {
    if (this.#count + samples.length > mostSamples) return;
    const gap = Math.min(firstSample - this.#count, mostSamples - samples.length - this.#count);
    if (gap > 0) {
      this.#parts.push(new Int16Array(gap));
      this.#lost += gap;
    }
    this.#parts.push(samples);
    this.#count += Math.max(gap, 0) + samples.length;
  }

  /** Samples, with the silence. */
  get count() {
    return this.#count;
  }

  /** Samples of silence for what the microphone did not give. */
  get lost() {
    return this.#lost;
  }

  get bytes() {
    return headerBytes + 2 * this.#count;
  }

  /** A WAV file of one channel of 16 bits. @param {number} rate samples a second */
  wav(rate) {
    const header = new DataView(new ArrayBuffer(headerBytes));
    const text = (place, letters) => [...letters].forEach((letter, index) =>
      header.setUint8(place + index, letter.charCodeAt(0)));
    text(0, "RIFF");
    header.setUint32(4, this.bytes - 8, true);
    text(8, "WAVEfmt ");
    header.setUint32(16, 16, true);
    header.setUint16(20, 1, true); // PCM
    header.setUint16(22, 1, true); // one channel
    header.setUint32(24, rate, true);
    header.setUint32(28, 2 * rate, true);
    header.setUint16(32, 2, true);
    header.setUint16(34, 16, true);
    text(36, "data");
    header.setUint32(40, 2 * this.#count, true);
    return new Blob([header, ...this.#parts], { type: "audio/wav" });
  }
}
