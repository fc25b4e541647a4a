// A metronome for the player alone: beats with an accent, heard or only seen. (metronome.js flashes the orchestra's
// tempo.)

export const tempi = { least: 30, most: 300 };
const ahead = 0.12; // s for which clicks are given to the sound card beforehand
const look = 40; // ms between two looks

/** The tempo of taps, in beats a minute: the median of the last intervals; null for fewer than two taps. */
export function tappedTempo(times) {
  const recent = times.slice(-9);
  const gaps = recent.slice(1).map((time, index) => time - recent[index]).sort((a, b) => a - b);
  if (gaps.length === 0) return null;
  const middle = gaps[gaps.length >> 1];
  return middle > 0 ? Math.min(Math.max(60_000 / middle, tempi.least), tempi.most) : null;
}

/** Taps that belong together: a pause of two seconds begins anew. */
export function addTap(times, now) {
  return times.length > 0 && now - times.at(-1) > 2_000 ? [now] : [...times.slice(-8), now];
}

export class Beat {
  tempo = 90; // beats a minute
  beats = 4; // a bar; the first is accented
  parts = 1; // clicks a beat
  isHeard = true;
  isRunning = false;
  #context = null;
  #timer = null;
  #count = 0; // clicks since the start
  #next = 0; // when the next one is due, in seconds of the clock
  #waiting = []; // timers of flashes

  /** `flash({ beat, isFirst, isPart })` is called when a beat sounds. `makeContext` gives an AudioContext or null. */
  constructor(flash, makeContext = () => (globalThis.AudioContext ? new AudioContext({ latencyHint: "interactive" })
    : null)) {
    this.flash = flash;
    this.makeContext = makeContext;
  }

  get #now() {
    return this.#context ? this.#context.currentTime : performance.now() / 1_000;
  }

  async start() {
    this.stop();
    this.isRunning = true;
    // A clock of sound even where nothing is heard: it does not falter while pages are painted.
    this.#context = this.makeContext();
    await this.#context?.resume?.().catch(() => {});
    if (!this.isRunning) return;
    this.#count = 0;
    this.#next = this.#now + 0.08;
    this.#timer = setInterval(() => this.#plan(), look);
    this.#plan();
  }

  stop() {
    this.isRunning = false;
    clearInterval(this.#timer);
    this.#waiting.forEach(clearTimeout);
    this.#waiting = [];
    this.#context?.close?.().catch?.(() => {});
    this.#context = null;
  }

  #plan() {
    const now = this.#now;
    // After the device slept, missed beats are not made up for.
    if (this.#next < now - 0.2) this.#next = now + 0.02;
    while (this.#next < now + ahead) {
      const click = this.#count % (this.beats * this.parts);
      const [beat, isPart] = [Math.floor(click / this.parts), click % this.parts !== 0];
      const isFirst = click === 0;
      if (this.isHeard) this.#click(this.#next, isFirst, isPart);
      const latency = this.isHeard ? this.#context?.outputLatency || 0 : 0;
      const wait = Math.max(0, (this.#next - now + latency) * 1_000);
      this.#waiting = [...this.#waiting.slice(-20), setTimeout(() => this.flash({ beat, isFirst, isPart }), wait)];
      this.#count += 1;
      this.#next += 60 / this.tempo / this.parts;
    }
  }

  #click(at, isFirst, isPart) {
    const context = this.#context;
    if (!context?.createOscillator) return;
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = isFirst && this.beats > 1 ? 1_760 : isPart ? 880 : 1_175;
    gain.gain.setValueAtTime(isPart ? 0.18 : isFirst ? 0.7 : 0.4, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.05);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.06);
  }
}
