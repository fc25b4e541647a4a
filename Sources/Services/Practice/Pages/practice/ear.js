// The dialog for sound that the page hears: input meter, tuner, and the latency of this device.
import { make, mark, write } from "/shared/dom.js";
import { Dialog } from "/shared/dialog.js";
import { keep, readKept } from "/shared/kept.js";
import { findLatency, keepLatency, keptLatency, outputName } from "/shared/latency.js";
import { openMicrophone } from "/shared/microphone.js";
import { PitchDetector, centsFrom, noteOf } from "/shared/pitch.js";
import { pitchName } from "./instruments.js";

const tuningKey = "baton-practice-a4";
const inTune = 5; // cents
const clickCount = 10;
const clickEvery = 0.63; // s, no multiple of anything
const blockMilliseconds = 50;

export class Ear {
  #dialog = new Dialog({ id: "ear", closed: () => this.#close() });
  #strings;
  #microphone = null;
  #detector = null;
  #output = "output";
  #listening = null; // { begin, parts } while clicks are measured
  #a4 = readKept(tuningKey) ?? 440;
  #parts = {};
  #run = 0;

  /** `strings()` gives the open strings of the tab as MIDI pitches, with its capo; none without a tab. */
  constructor(strings) {
    this.#strings = strings;
  }

  async open() {
    const run = (this.#run += 1);
    this.#show();
    try {
      const microphone = await openMicrophone({
        blockMilliseconds, block: (block) => this.#hear(block), level: (level) => this.#showLevel(level),
        ended: (problem) => this.#say(problem.message),
      });
      if (run !== this.#run) return void microphone.stop();
      this.#microphone = microphone;
      this.#detector = new PitchDetector(microphone.rate);
      this.#say(microphone.warnings.join(" "));
    } catch (problem) {
      if (run === this.#run) this.#say(problem.message);
      return;
    }
    this.#output = await outputName();
    this.#parts.measure.disabled = false;
    this.#showLatency();
  }

  #close() {
    this.#run += 1;
    this.#microphone?.stop();
    [this.#microphone, this.#detector, this.#listening] = [null, null, null];
  }

  #say(sentence) {
    write(this.#parts.say, sentence);
    this.#parts.say.hidden = sentence === "";
  }

  #show() {
    const meter = make("meter", { min: -60, max: 0, low: -45, high: -3, optimum: -20, value: -60,
      "aria-label": "Input level" });
    const strings = this.#strings();
    const a4 = make("input", { type: "number", min: 400, max: 480, step: 1, value: this.#a4,
      onchange: () => this.#tune(Number(a4.value)) });
    this.#parts = {
      say: make("p", { id: "ear-say", role: "alert", hidden: true }), meter,
      levelWords: make("span", { class: "faint" }),
      note: make("p", { id: "tuner-note", text: "–" }), cents: make("p", { id: "tuner-cents", role: "status",
        text: "Play one string." }),
      needle: make("div", { id: "tuner-needle" }),
      strings: strings.map((pitch) => make("li", { text: pitchName(pitch), "data-pitch": pitch })),
      latency: make("p", { id: "latency" }),
      measure: make("button", { type: "button", id: "measure", disabled: true, onclick: () => this.#measure() },
        "Measure the latency"),
    };
    this.#dialog.show("Tuner and microphone", this.#parts.say,
      make("div", { class: "row" }, make("span", { class: "faint", text: "Level" }), meter, this.#parts.levelWords),
      make("section", { id: "tuner", "aria-label": "Tuner" }, this.#parts.note,
        make("div", { id: "tuner-scale", "aria-hidden": "true" }, this.#parts.needle), this.#parts.cents,
        make("ul", { id: "tuner-strings", "aria-label": "Open strings" }, ...this.#parts.strings),
        make("label", { class: "faint" }, "A4 in hertz", a4)),
      make("section", { class: "group" }, make("h2", { text: "Latency" }), this.#parts.latency,
        make("div", { class: "row" }, this.#parts.measure)));
    this.#showLatency();
  }

  #tune(hertz) {
    if (hertz < 400 || hertz > 480) return;
    this.#a4 = hertz;
    keep(tuningKey, hertz);
  }

  #showLevel({ peak, power }) {
    this.#parts.meter.value = Math.max(-60, power);
    write(this.#parts.levelWords, peak > -0.5 ? "Too loud: turn the input down." : power > -50 ? "Good"
      : power > -65 ? "Soft" : "Hardly a sound");
  }

  #hear({ samples, frame }) {
    if (this.#listening) {
      this.#listening.begin ??= frame;
      this.#listening.parts.push(samples);
      return;
    }
    this.#detector?.add(samples);
    const heard = this.#detector?.hear();
    if (heard) this.#showPitch(heard.hertz);
  }

  #showPitch(hertz) {
    // Near an open string, the string counts; else the nearest note.
    const near = this.#strings().find((pitch) => Math.abs(centsFrom(hertz, pitch, this.#a4)) < 150);
    const pitch = near ?? noteOf(hertz, this.#a4).midi;
    const cents = centsFrom(hertz, pitch, this.#a4);
    write(this.#parts.note, pitchName(pitch));
    const isRight = Math.abs(cents) <= inTune;
    mark(this.#parts.note, "data-right", isRight || null);
    const distance = `${Math.abs(Math.round(cents))} cents ${cents > 0 ? "high" : "low"}`;
    write(this.#parts.cents, isRight ? "In tune" : distance);
    this.#parts.needle.style.left = `${50 + Math.max(-50, Math.min(50, cents)) * 0.9}%`;
    for (const item of this.#parts.strings) mark(item, "data-near", item.dataset.pitch === String(near) || null);
  }

  // MARK: Latency

  #showLatency() {
    const kept = this.#microphone && keptLatency(this.#microphone.name, this.#output);
    write(this.#parts.latency, kept ? `Measured for this microphone and output: ${Math.round(1000 * kept)} ms from the `
      + "click to its sound in the microphone. The mark in the music takes account of it."
      : "Not measured for this microphone and output. Take off headphones, be quiet, and measure: ten clicks are "
        + "played and heard back.");
  }

  async #measure() {
    const { context, rate, name } = this.#microphone;
    const { run } = { run: this.#run };
    this.#parts.measure.disabled = true;
    write(this.#parts.latency, "Listening to the clicks …");
    this.#listening = { begin: null, parts: [] };
    const begin = context.currentTime + 0.4;
    const clicks = Array.from({ length: clickCount }, (_, index) => begin + index * clickEvery);
    for (const time of clicks) playClick(context, time);
    await new Promise((done) => setTimeout(done, 1000 * (0.4 + clickCount * clickEvery + 0.6)));
    if (run !== this.#run) return;
    const { begin: first, parts } = this.#listening;
    this.#listening = null;
    this.#parts.measure.disabled = false;
    const { seconds, heard } = findLatency(clicks, joined(parts), rate, (first ?? 0) / rate);
    if (seconds === null) {
      write(this.#parts.latency, context.state !== "running" || context.currentTime < begin
        ? "This device plays no sound. Connect an output, then measure again."
        : heard === 0 ? "No click was heard. Turn the loudspeaker up, take off headphones, then measure again."
          : `Only ${heard} of ${clickCount} clicks were heard clearly. Make it quieter, then measure again.`);
      return;
    }
    keepLatency(name, this.#output, seconds);
    this.#showLatency();
  }
}

function joined(parts) {
  const sound = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    for (const sample of part) sound[place++] = sample / 32768;
  }
  return sound;
}

/** A short tone burst, which begins at once. */
export function playClick(context, time) {
  const length = Math.round(0.006 * context.sampleRate);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < length; index += 1) {
    samples[index] = 0.9 * Math.cos(2 * Math.PI * 2500 * index / context.sampleRate) * (1 - index / length);
  }
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(context.destination);
  source.start(time);
}
