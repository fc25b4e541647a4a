// The metronome's panel: tempo by taps, buttons or from the recording; heard, or only seen.
import { find, make } from "/shared/dom.js";
import { addTap, Beat, tappedTempo, tempi } from "./beat.js";
import { playedBar, tempoAt } from "./references.js";
import { quick } from "./store.js";
import { notice } from "./words.js";

const key = "beat";

export class BeatPanel {
  #taps = [];
  #dots = null;

  constructor(reader, references) {
    this.reader = reader;
    this.references = references;
    this.edge = make("div", { id: "beat-edge", "aria-hidden": "true" });
    find("reader").append(this.edge);
    this.beat = new Beat((flash) => this.#flash(flash));
    Object.assign(this.beat, quick.get(key));
  }

  open(dock) {
    const { beat } = this;
    const number = make("output", { id: "beat-tempo" });
    const button = (text, label, run, traits = {}) => {
      const made = make("button", { type: "button", text, "aria-label": label, ...traits });
      made.addEventListener("click", run);
      return made;
    };
    this.start = button("", "", () => this.toggle(), { id: "beat-start", class: "primary round" });
    const sound = button("", "Sound", () => {
      beat.isHeard = !beat.isHeard;
      this.#keep();
    }, { id: "beat-sound" });
    const select = (label, id, values, value, set) => {
      const made = make("select", { id, "aria-label": label },
        ...values.map(([each, text]) => make("option", { value: String(each), text })));
      made.value = String(value);
      made.addEventListener("change", () => {
        set(Number(made.value));
        this.#keep();
      });
      return made;
    };
    this.#dots = make("span", { class: "beat-dots", "aria-hidden": "true" });
    this.repaint = () => {
      number.textContent = String(Math.round(beat.tempo));
      this.start.textContent = beat.isRunning ? "■" : "▶";
      this.start.setAttribute("aria-label", beat.isRunning ? "Stop" : "Start");
      sound.textContent = beat.isHeard ? "Heard" : "Silent";
      sound.setAttribute("aria-pressed", String(beat.isHeard));
      if (this.#dots.childElementCount !== beat.beats) {
        this.#dots.replaceChildren(...Array.from({ length: beat.beats }, () => make("i", {})));
      }
    };
    dock.open("metronome", "Metronome", [this.start,
      make("span", { class: "beat-tempo" }, button("−", "Slower", () => this.#set(beat.tempo - 1)), number,
        button("+", "Faster", () => this.#set(beat.tempo + 1))),
      button("Tap", "Tap the tempo", () => this.tap(), { id: "beat-tap" }),
      select("Beats in a bar", "beat-beats",
        Array.from({ length: 12 }, (_, index) => [index + 1, `${index + 1} ${index === 0 ? "beat" : "beats"}`]),
        beat.beats, (beats) => (beat.beats = beats)),
      select("Clicks in a beat", "beat-parts", [[1, "♩"], [2, "♪♪"], [3, "triplets"], [4, "♬♬"]], beat.parts,
        (parts) => (beat.parts = parts)), sound,
      this.references.all.length > 0
        ? button("As recorded here", "Tempo of the recording at the first bar on the stand", () => this.#asRecorded(),
          { id: "beat-recorded" }) : null, this.#dots], () => this.close());
    this.repaint();
  }

  close() {
    this.beat.stop();
    this.repaint = null;
  }

  toggle() {
    const { beat, reader } = this;
    if (beat.isRunning) beat.stop();
    else if (beat.isHeard && reader.live.isFollowing) {
      return notice("The orchestra plays: set the metronome to silent to see it.");
    } else beat.start();
    this.repaint?.();
  }

  /** The orchestra begins: nothing else sounds. */
  hush() {
    if (!this.beat.isRunning || !this.beat.isHeard) return;
    this.beat.stop();
    this.repaint?.();
  }

  tap() {
    this.#taps = addTap(this.#taps, performance.now());
    const tempo = tappedTempo(this.#taps);
    if (tempo) this.#set(tempo);
  }

  #asRecorded() {
    const { reader, references, beat } = this;
    const [page] = reader.paper.visible;
    const place = (reader.score.parts[reader.part].places ?? []).find((each) => each.page >= page && !each.steps);
    const reference = references.of(place?.movement ?? 0) ?? references.all[0];
    const index = place ? playedBar(reference.bars, place.first) : 0;
    // Of four bars, so that no single one's rubato decides.
    const last = Math.min(index + 4, reference.bars.length - 1);
    const span = (reference.bars[last]?.[1] ?? 0) - (reference.bars[index]?.[1] ?? 0);
    const tempo = last > index && index >= 0 ? (60 * beat.beats * (last - index)) / span
      : tempoAt(reference, index, beat.beats);
    if (!tempo || index < 0) return notice("The recording does not have this bar.");
    this.#set(tempo);
    notice(`${Math.round(tempo)} beats a minute from bar ${reference.bars[index][0]}, with ${beat.beats} beats a bar.`);
  }

  #set(tempo) {
    this.beat.tempo = Math.min(Math.max(tempo, tempi.least), tempi.most);
    this.#keep();
  }

  #keep() {
    const { tempo, beats, parts, isHeard } = this.beat;
    quick.put(key, { tempo, beats, parts, isHeard });
    this.repaint?.();
  }

  #flash({ beat, isFirst, isPart }) {
    if (isPart) return;
    this.edge.dataset.first = String(isFirst);
    this.edge.getAnimations().forEach((animation) => animation.cancel());
    this.edge.animate([{ opacity: isFirst ? 1 : 0.6 }, { opacity: 0 }], { duration: 200, easing: "ease-out" });
    [...(this.#dots?.children ?? [])].forEach((dot, index) => dot.classList.toggle("on", index === beat));
  }
}
