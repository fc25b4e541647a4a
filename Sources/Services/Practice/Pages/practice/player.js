// Plays a tab. Everything is scheduled ahead in the audio clock, and what is shown is read from it, so that neither a
// busy page nor the screen's rhythm changes the tempo.
import { outputLatency, outputName } from "/shared/latency.js";
import { Band } from "./band.js";
import { Plan } from "./plan.js";
import { Timeline } from "./timeline.js";

/** The lead with which bars are scheduled, in seconds, and the interval at which it is checked, in milliseconds. */
const ahead = 0.8;
const rhythm = 60;
/** The seconds between the press and the first sound, and those in which the sound must have begun. */
const leadIn = 0.12;
const patience = 2.5;

export const silenceSentence = "This device gives no sound. Check that a loudspeaker or headphones are connected and " +
  "that no other program keeps them, then press Play again.";
export const interruptedSentence = "The sound was interrupted, so playing has stopped. Press Play to begin again.";

export class Player {
  #context = null;
  #makeContext;
  #band = null;
  #plan = null;
  #timeline = null;
  #begun = 0;
  #taken = [];
  #timer = null;
  #state = "idle";
  #run = 0;
  #changed;
  #lastClock = 0;
  #clockSeen = 0;
  #options = null;
  #output = "output"; // its name, under which its latency is kept

  /**
   * `changed(state, sentence)` is called with "idle", "starting" or "playing", and with a sentence if it stopped by
   * itself. `makeContext` gives the audio context; a rendering one may be given.
   */
  constructor(changed, makeContext = () => new AudioContext({ latencyHint: "interactive" })) {
    this.#changed = changed;
    this.#makeContext = makeContext;
  }

  get isPlaying() {
    return this.#state !== "idle";
  }

  get state() {
    return this.#state;
  }

  get context() {
    return this.#context;
  }

  /** The sounds that are scheduled or heard. */
  get soundCount() {
    return this.#band?.soundCount ?? 0;
  }

  /**
   * Plays a tab; does nothing while it plays already. Options: those of Plan, `metronome`, `tracks` (numbers), and
   * `music` and `clicks`, which are loudnesses.
   */
  async play(tab, options = {}) {
    if (this.#state !== "idle") return;
    this.#state = "starting";
    const run = (this.#run += 1);
    this.#changed("starting", null);
    const isOurs = () => run === this.#run;
    try {
      this.#context ??= this.#open();
      await this.#awake(isOurs);
    } catch {
      if (isOurs()) this.stop(silenceSentence);
      return;
    }
    if (isOurs()) this.start(tab, options);
  }

  /** Begins at once in a context that runs, or renders. */
  start(tab, options = {}) {
    this.#context ??= this.#open();
    /** @type {Record<string, any>} */
    const { metronome = true, tracks, music, clicks, ...plan } = options;
    this.#options = { metronome, countIn: plan.countIn ?? 0 };
    this.#timeline = new Timeline(tab, tracks);
    this.#plan = new Plan(this.#timeline, plan);
    this.#band = new Band(this.#context, { music, clicks });
    this.#band.prepare(this.#timeline.notes.flat(), this.#timeline.tracks);
    this.#taken = [];
    this.#begun = this.#context.currentTime + leadIn;
    [this.#lastClock, this.#clockSeen] = [this.#context.currentTime, performance.now()];
    this.#state = "playing";
    this.#timer = setInterval(() => this.schedule(), rhythm);
    this.schedule();
    this.#changed("playing", null);
  }

  #open() {
    const context = this.#makeContext();
    // A context that renders has no sound that could be interrupted.
    if ("startRendering" in context) return context;
    outputName().then((name) => (this.#output = name));
    context.addEventListener("statechange", () => {
      if (this.#state === "playing" && context.state !== "running") this.stop(interruptedSentence);
    });
    return context;
  }

  async #awake(isOurs) {
    const context = this.#context;
    const before = context.currentTime;
    const deadline = performance.now() + 1000 * patience;
    let failed = false;
    if (context.state !== "running") context.resume().catch(() => (failed = true));
    while (context.state !== "running" || context.currentTime === before) {
      if (!isOurs()) return;
      if (failed || performance.now() > deadline) throw new Error("no sound");
      await new Promise((resume) => setTimeout(resume, 10));
    }
  }

  /** Schedules the bars that begin soon, and ends when all has sounded. */
  schedule() {
    if (this.#state !== "playing") return;
    const now = this.#context.currentTime;
    this.#watchClock(now);
    if (this.#state !== "playing") return;
    while (this.#plan.nextStart !== null && this.#begun + this.#plan.nextStart < now + ahead) this.#scheduleBar(now);
    this.#taken = this.#taken.filter((bar) => this.#begun + bar.start + bar.seconds > now - 1);
    if (this.#plan.nextStart === null && now > this.#begun + this.#plan.end + 0.05) this.stop(null);
  }

  #watchClock(now) {
    if (now !== this.#lastClock) [this.#lastClock, this.#clockSeen] = [now, performance.now()];
    else if (performance.now() - this.#clockSeen > 1000 * patience) this.stop(silenceSentence);
  }

  #scheduleBar(now) {
    const bar = this.#plan.take();
    this.#taken.push(bar);
    if (this.#options.metronome || bar.bar === null) {
      for (const { time, isAccented } of bar.clicks) {
        if (this.#begun + time >= now) this.#band.click(this.#begun + time, isAccented);
      }
    }
    bar.notes.forEach((note, index) => {
      // A page that was held up for longer than it schedules ahead leaves out what is over.
      if (this.#begun + note.time < now) return;
      const next = note.techniques.slides ? bar.notes.slice(index + 1).find(
        (each) => each.string === note.string && each.track === note.track)?.pitch ?? null : null;
      this.#band.note(note, this.#begun + note.time, this.#begun + note.end, this.#timeline.tracks[note.track], next);
    });
  }

  /** The place of the sound that is heard now: { bar (null while counting in), at in quarters, pass, speed }; or null.
      */
  position() {
    if (this.#state !== "playing") return null;
    const { outputLatency: told, baseLatency = 0 } = this.#context;
    const latency = outputLatency(this.#output, told || baseLatency);
    const time = this.#context.currentTime - latency - this.#begun;
    const bar = this.#taken.find((each) => each.start <= time && time < each.start + each.seconds);
    return bar ? { bar: bar.bar, at: bar.place(time), pass: bar.pass, speed: bar.speed } : null;
  }

  /** Stops at once; harmless if nothing plays. `sentence` says why it stopped by itself. */
  stop(sentence = null) {
    if (this.#state === "idle") return;
    this.#state = "idle";
    this.#run += 1;
    clearInterval(this.#timer);
    this.#band?.stop();
    [this.#band, this.#plan, this.#taken] = [null, null, []];
    this.#changed("idle", sentence);
  }
}
