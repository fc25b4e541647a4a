// The tuner: the note that the microphone hears, as it is written for this instrument, and how far it is off.
import { make } from "/shared/dom.js";
import { knownProblem, openMicrophone } from "/shared/microphone.js";
import { noteOf, pitchOf, SteadyPitch, transpositions } from "./pitch.js";
import { quick } from "./store.js";

const heard = 4_096; // samples that are judged at once
const inTune = 5; // cents
const key = "tuner";

export class Tuner {
  #microphone = null;
  #opening = 0;
  #samples = new Float32Array(heard);
  #steady = new SteadyPitch();
  #tone = null;
  #value = { concertA: 440, instrument: 0, ...quick.get(key) };

  open(dock) {
    const opening = (this.#opening += 1);
    const value = this.#value;
    const note = make("strong", { id: "tuner-note", text: "–" });
    const cents = make("output", { id: "tuner-cents", text: "" });
    const needle = make("i", {});
    const scale = make("span", { class: "tuner-scale", "aria-hidden": "true" }, make("b", {}), needle);
    const say = make("p", { id: "tuner-say", class: "hint", role: "status", text: "The microphone starts …" });
    const shownA = make("output", { text: String(value.concertA) });
    const concertA = make("input", { type: "range", id: "tuner-a", min: 415, max: 466, step: 1,
      value: String(value.concertA), "aria-label": "Concert pitch A in hertz" });
    concertA.addEventListener("input", () => {
      value.concertA = Number(concertA.value);
      shownA.textContent = concertA.value;
      this.#keep();
      if (this.#tone) this.#tone.frequency.value = value.concertA;
    });
    const instrument = make("select", { id: "tuner-instrument", "aria-label": "Written for" },
      ...transpositions.map(([text], index) => make("option", { value: String(index), text })));
    instrument.value = String(value.instrument);
    instrument.addEventListener("change", () => {
      value.instrument = Number(instrument.value);
      this.#keep();
    });
    this.paint = (hertz) => {
      /** @type {{ name?: string, octave?: number, cents?: number }} */
      const { name, octave, cents: off } = hertz === null ? {}
        : noteOf(hertz, { concertA: value.concertA, written: transpositions[value.instrument]?.[1] ?? 0 });
      note.textContent = name ?? "–";
      if (name) note.append(make("sub", { text: String(octave) }));
      const rounded = Math.round(off ?? 0);
      cents.textContent = name ? `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded)} cents` : "";
      dock.element.dataset.tune = !name ? "" : Math.abs(off) <= inTune ? "good" : off > 0 ? "sharp" : "flat";
      needle.style.left = `${50 + (off ?? 0)}%`;
      needle.hidden = !name;
    };
    dock.open("tuner", "Tuner", [make("span", { class: "tuner-note" }, note, cents), scale,
      make("label", { class: "slide" }, make("small", { text: "A =" }), concertA, shownA), instrument,
      this.#toneButton(), say], () => this.close());
    this.paint(null);
    const known = knownProblem();
    if (known) return void (say.textContent = known.message);
    openMicrophone({
      blockMilliseconds: 50,
      block: ({ samples }) => this.#hear(samples),
      ended: (problem) => (say.textContent = problem.message),
    }).then((microphone) => {
      if (opening !== this.#opening) return void microphone.stop();
      this.#microphone = microphone;
      say.textContent = microphone.warnings[0] ?? "";
    }, (problem) => {
      if (opening === this.#opening) say.textContent = problem.message;
    });
  }

  close() {
    this.#opening += 1;
    this.#microphone?.stop();
    this.#microphone = null;
    this.#samples.fill(0);
    this.#stopTone();
  }

  #hear(samples) {
    const count = Math.min(samples.length, heard);
    this.#samples.copyWithin(0, count);
    for (let index = 0; index < count; index += 1) {
      this.#samples[heard - count + index] = samples[samples.length - count + index] / 32_768;
    }
    if (!this.#microphone || this.#tone) return;
    this.paint(this.#steady.take(pitchOf(this.#samples, this.#microphone.rate)?.hertz ?? null));
  }

  /** A tone to tune to; nothing is heard by the microphone meanwhile. */
  #toneButton() {
    const button = make("button", { type: "button", id: "tuner-tone", text: "Sound A", "aria-pressed": "false" });
    button.addEventListener("click", () => {
      if (this.#tone) this.#stopTone();
      else this.#startTone();
      button.setAttribute("aria-pressed", String(this.#tone !== null));
    });
    return button;
  }

  #startTone() {
    const context = new AudioContext();
    this.#tone = context.createOscillator();
    const gain = context.createGain();
    gain.gain.setValueAtTime(0, context.currentTime);
    gain.gain.linearRampToValueAtTime(0.2, context.currentTime + 0.05);
    this.#tone.type = "triangle";
    this.#tone.frequency.value = this.#value.concertA;
    this.#tone.connect(gain).connect(context.destination);
    this.#tone.start();
    this.paint(null);
  }

  #stopTone() {
    this.#tone?.context.close();
    this.#tone = null;
  }

  #keep() {
    quick.put(key, this.#value);
  }
}
