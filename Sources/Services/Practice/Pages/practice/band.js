// Turns a plan's notes and clicks into sounds of an audio context at exact times of its clock. It works the same in a
// context that renders, by which its times are measured.
import { click, drum, pluck, timbreOf } from "./plucked.js";

const dynamics = { ppp: 0.25, pp: 0.35, p: 0.5, mp: 0.65, mf: 0.8, f: 0.9, ff: 1, fff: 1.1 };
/** The seconds in which a damped string falls silent, and those in which all is stopped. */
const damping = 0.012;
const stopping = 0.005;
/** The most buffers that are kept; a buffer of four seconds has about 0.7 MB. */
const mostBuffers = 96;

export class Band {
  #context;
  #out;
  #music;
  #clicks;
  #buffers = new Map();
  #sounding = new Set();
  #strings = new Map();

  constructor(context, { music = 1, clicks = 0.7 } = {}) {
    this.#context = context;
    this.#out = context.createGain();
    this.#out.connect(context.destination);
    this.#music = this.#gain(0.32 * music, this.#out);
    this.#clicks = this.#gain(clicks, this.#out);
  }

  /** The number of sounds that are scheduled or heard. */
  get soundCount() {
    return this.#sounding.size;
  }

  #gain(value, to) {
    const gain = this.#context.createGain();
    gain.gain.value = value;
    gain.connect(to);
    return gain;
  }

  #buffer(key, make) {
    let buffer = this.#buffers.get(key);
    if (!buffer) {
      const samples = make(this.#context.sampleRate);
      buffer = this.#context.createBuffer(1, samples.length, this.#context.sampleRate);
      buffer.copyToChannel(samples, 0);
      if (this.#buffers.size >= mostBuffers) this.#buffers.delete(this.#buffers.keys().next().value);
      this.#buffers.set(key, buffer);
    }
    return buffer;
  }

  #sound(note, { program, percussion }) {
    if (percussion) return this.#buffer(`drum ${note.pitch}`, (rate) => drum(note.pitch, rate));
    const { dead, palmMute, harmonic } = note.techniques;
    const timbre = dead || palmMute ? "muted" : timbreOf(program);
    const sounding = Math.min(108, Math.max(20, note.pitch + (harmonic ? 12 : 0)));
    return this.#buffer(`${timbre} ${sounding} ${dead ? "dead" : ""}`,
      (rate) => pluck(sounding, timbre, rate, dead ? 0.06 : 4));
  }

  /** Makes the sounds of these notes beforehand, so that none is late. */
  prepare(notes, tracks) {
    for (const note of notes) {
      if (this.#buffers.size >= mostBuffers) return;
      this.#sound(note, tracks[note.track]);
    }
    for (const isAccented of [true, false]) this.#buffer(`click ${isAccented}`, (rate) => click(isAccented, rate));
  }

  /** A click at this time of the context's clock. */
  click(time, isAccented) {
    this.#start(this.#buffer(`click ${isAccented}`, (rate) => click(isAccented, rate)), this.#clicks, time);
  }

  /** A note from `time` to `end` of the context's clock; `next` is the pitch it slides to, or null. */
  note(note, time, end, track, next = null) {
    const { techniques } = note;
    const gain = this.#context.createGain();
    const accent = techniques.accent === "heavy" ? 1.35 : techniques.accent === "accent" ? 1.2 : 1;
    const level = (dynamics[note.dynamic] ?? 0.8) * accent * (techniques.ghost ? 0.5 : 1);
    const until = techniques.letRing ? end + 1 : techniques.staccato ? (time + end) / 2 : end;
    // A string sounds once: what is struck on it damps what sounded there before.
    const key = `${note.track} ${note.voice} ${note.string ?? note.pitch}`;
    const before = this.#strings.get(key);
    if (before && before.until > time) before.damp(time);
    gain.gain.setValueAtTime(level, time);
    gain.connect(this.#music);
    const source = this.#start(this.#sound(note, track), gain, time, until + damping, gain);
    const damp = (at) => {
      gain.gain.cancelScheduledValues(at);
      gain.gain.setValueAtTime(level, at);
      gain.gain.linearRampToValueAtTime(0, at + damping);
    };
    if (!track.percussion) damp(until);
    this.#strings.set(key, { until, damp });
    this.#bend(source.playbackRate, note, time, until, next);
  }

  #bend(rate, { techniques, pitch }, time, end, next) {
    const length = end - time;
    const ratio = (semitones) => 2 ** (semitones / 12);
    if (techniques.bend?.length) {
      for (const { at, semitones } of techniques.bend) {
        const [place, height] = [at, semitones].map((text) => {
          const [over, under = "1"] = String(text).split("/");
          return Number(over) / Number(under);
        });
        rate.linearRampToValueAtTime(ratio(height), time + place * length);
      }
    } else if (next !== null && techniques.slides?.some((kind) => kind === "shift" || kind === "legato")) {
      rate.setValueAtTime(1, time + length * 0.6);
      rate.linearRampToValueAtTime(ratio(next - pitch), end);
    } else if (techniques.vibrato && length > 0.15) {
      const depth = techniques.vibrato === "wide" ? 0.6 : 0.3;
      const points = Math.max(2, Math.ceil(length * 40));
      rate.setValueCurveAtTime(Float32Array.from({ length: points }, (_, index) => ratio(
        depth * 0.5 * (1 - Math.cos(2 * Math.PI * 5.5 * length * index / (points - 1))))), time, length);
    }
  }

  #start(buffer, to, time, end = null, owned = null) {
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(to);
    source.start(time);
    if (end !== null) source.stop(end);
    this.#sounding.add(source);
    source.onended = () => {
      this.#sounding.delete(source);
      source.disconnect();
      owned?.disconnect();
    };
    return source;
  }

  /** Ends all sounds, also those to come, within a few milliseconds. The band cannot be used afterwards. */
  stop() {
    const now = this.#context.currentTime;
    this.#out.gain.setValueAtTime(1, now);
    this.#out.gain.linearRampToValueAtTime(0, now + stopping);
    for (const source of this.#sounding) {
      source.onended = null;
      source.stop(now + stopping);
    }
    this.#sounding.clear();
    this.#strings.clear();
  }
}
