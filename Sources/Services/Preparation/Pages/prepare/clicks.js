// Short clicks at exact times, beside the recording.

const pitch = 1760; // Hz

export class Clicks {
  #context = null;
  #sounding = new Set();

  /** Browsers allow sound only after a key or finger: called from there. */
  wake() {
    const Context = window.AudioContext ?? window.webkitAudioContext;
    if (!Context) return;
    this.#context ??= new Context({ latencyHint: "interactive" });
    if (this.#context.state === "suspended") this.#context.resume().catch(() => {});
  }

  /** One click in so many seconds from now. */
  at(wait) {
    const context = this.#context;
    if (!context || context.state !== "running") return;
    const when = context.currentTime + wait;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.5, when);
    volume.gain.exponentialRampToValueAtTime(0.001, when + 0.045);
    tone.connect(volume).connect(context.destination);
    tone.start(when);
    tone.stop(when + 0.05);
    this.#sounding.add(tone);
    tone.onended = () => this.#sounding.delete(tone);
  }

  /** Takes back the clicks that were planned. */
  silence() {
    for (const tone of this.#sounding) tone.stop();
    this.#sounding.clear();
  }

  close() {
    this.silence();
    this.#context?.close().catch(() => {});
    this.#context = null;
  }
}
