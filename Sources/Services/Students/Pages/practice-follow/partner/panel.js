// The partner on the page: which recording plays along and how, what it does, and what joins the microphone, the
// follower and the sound.
import { find, make, mark, write } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { keptLatency, outputName } from "/shared/latency.js";
import { BarTimes } from "./bartimes.js";
import { HeldSound } from "./held.js";
import { Leak, Thinner } from "./leak.js";
import { Partner } from "./partner.js";
import { PartnerSound, readRecordings } from "./partnersound.js";
import { Hearing } from "./student.js";

const key = "baton-partner"; // in this browser: recording by piece, mode, speed, volume
const inputDelay = 0.015; // s that a microphone usually takes

const words = {
  ready: "It begins when you do.", entering: "Begins with you …", together: "Plays with you.",
  ending: "Plays to the bar line …",
  waiting: "Waits for you.", holding: "Holds with you.", alone: "Plays on its own.", done: "The end.",
};

export class PartnerPanel {
  #recordings = [];
  #piece = null;
  #bars = null;
  #sound = null;
  #partner = null;
  #hearing = new Hearing();
  #thinner = null;
  #leak = null; // whether the microphone hears the partner
  #origin = null; // frames of the audio clock before the microphone's first sample
  #held = null; // for how long the student's instrument sounds the same
  #holds = []; // the fermatas of the piece, as places in played bars
  #block = { frame: 0, count: 0, thinned: [] }; // the newest of the microphone
  #rate = 48_000;
  #expect;
  #begin = 0; // the played bar at which the student says to begin

  /** `expect(played)` tells the follower from which played bar the student goes on. */
  constructor(expect) {
    this.#expect = expect;
    const { mode = "waits", speed = 100, volume = 80 } = readKept(key) ?? {};
    find("partner-mode").value = mode;
    find("partner-speed").value = String(speed);
    find("partner-volume").value = String(volume);
    find("partner").addEventListener("change", () => this.#advise());
    find("partner-mode").addEventListener("change", () => this.#chosen());
    find("partner-speed").addEventListener("input", () => this.#chosen());
    find("partner-volume").addEventListener("input", () => this.#chosen());
    find("partner-begin").addEventListener("click", () => this.#press());
  }

  /** Offers the recordings of a piece. */
  async offer(folder) {
    this.#piece = folder;
    const { recordings, holds } = await readRecordings(folder).catch(() => ({ recordings: [], holds: [] }));
    if (this.#piece !== folder) return;
    [this.#recordings, this.#holds] = [recordings, holds];
    const select = find("partner");
    select.replaceChildren(make("option", { value: "", text: "Nobody" }),
      ...recordings.map(({ name }) => make("option", { value: name, text: `Recording “${name}”` })));
    const wanted = readKept(key)?.recordings?.[folder];
    if (recordings.some(({ name }) => name === wanted)) select.value = wanted;
    find("partner-row").hidden = recordings.length === 0;
    this.#advise();
  }

  #advise() {
    find("partner-advice").hidden = find("partner").value === "";
  }

  /** Makes the chosen recording ready to play; nothing if none is. */
  async open(microphone) {
    const recording = this.#recordings.find(({ name }) => name === find("partner").value);
    keep(key, { ...readKept(key), recordings: { ...readKept(key)?.recordings, [this.#piece]: find("partner").value } });
    find("partner-panel").hidden = !recording;
    if (!recording) return undefined;
    const { context, name } = microphone;
    this.#rate = microphone.rate;
    this.#bars = new BarTimes(recording.onsets, recording.end);
    this.#hearing = new Hearing();
    this.#thinner = new Thinner(this.#rate);
    this.#leak = new Leak(this.#rate / this.#thinner.count);
    this.#held = new HeldSound(this.#rate / this.#thinner.count);
    find("partner-leak").hidden = true;
    const guessed = (context.outputLatency || context.baseLatency || 0) + inputDelay;
    const delay = keptLatency(name, await outputName()) ?? guessed;
    const sound = await PartnerSound.open({ context, piece: this.#piece, recording,
      told: (heard) => this.#tick(heard), trouble: (sentence) => write(find("partner-trouble"), sentence) });
    if (context.state === "closed") return sound.close();
    this.#sound = sound;
    this.#partner = new Partner({ bars: this.#bars, delay, ...this.#choice,
      holds: this.#holds.map((hold) => hold.map((place) => this.#bars.seconds(place))) });
    find("partner-panel").dataset.delay = delay.toFixed(4);
    this.#sound.volume = this.#volume;
    this.#sound.want(this.#bars.seconds(this.#begin));
    this.#paint();
    return undefined;
  }

  close() {
    this.#sound?.close();
    [this.#sound, this.#partner, this.#origin, this.#begin] = [null, null, null, 0];
    find("partner-panel").hidden = true;
  }

  get #choice() {
    return { mode: find("partner-mode").value, speed: Number(find("partner-speed").value) / 100 };
  }

  get #volume() {
    return (Number(find("partner-volume").value) / 100) ** 2;
  }

  #chosen() {
    const { mode } = this.#choice;
    keep(key, { ...readKept(key), mode, speed: Number(find("partner-speed").value),
      volume: Number(find("partner-volume").value) });
    if (!this.#partner) return;
    this.#obey(this.#partner.choose(this.#choice));
    this.#sound.volume = this.#volume;
    this.#paint();
  }

  #press() {
    if (!this.#partner) return;
    const place = this.#bars.seconds(this.#begin);
    const isSilent = ["ready", "waiting", "done"].includes(this.#partner.state);
    this.#obey(isSilent ? this.#partner.begin(place) : this.#partner.ready(place));
    this.#paint();
  }

  /** The student says at which played bar to begin. */
  beganAt(played) {
    this.#begin = played;
    if (!this.#partner) return;
    const place = this.#bars.seconds(played);
    this.#sound.want(place);
    const goesAtOnce = !this.#partner.listens && this.#partner.state === "alone";
    this.#obey(goesAtOnce ? this.#partner.begin(place) : this.#partner.ready(place));
    this.#paint();
  }

  /** Takes a block of the microphone. */
  block({ frame, firstSample, samples }) {
    this.#origin ??= frame - firstSample;
    if (!this.#partner) return;
    const thinned = this.#thinner.take(samples).map((sample) => sample / 32_768);
    this.#block = { frame, count: samples.length, thinned };
    const isHeard = this.#leak.heard(Math.round(frame / this.#thinner.count), thinned);
    if (isHeard === null) return;
    this.#obey(this.#partner.misled(isHeard));
    find("partner-leak").hidden = !isHeard;
  }

  /** Takes the loudness of the newest block, in decibels of full scale. */
  level({ power }) {
    const { frame, count, thinned } = this.#block;
    const at = frame / this.#rate;
    const isLoud = this.#hearing.isLoud(power, count / this.#rate);
    if (!this.#partner) return;
    this.#partner.lasts(this.#held.take(at, thinned, power, isLoud));
    if (isLoud) this.#obey(this.#partner.sounds(at));
  }

  /** Takes the follower's position of the student. */
  heard({ seconds, played, fraction, state, confidence }) {
    if (!this.#partner || this.#origin === null || played === undefined) return;
    this.#begin = played;
    this.#obey(this.#partner.heard({
      at: this.#origin / this.#rate + seconds, place: this.#bars.seconds(played + fraction), state, confidence,
    }));
  }

  #tick(heard) {
    if (!this.#partner) return;
    this.#leak.played(heard.sound.begin, heard.sound.samples);
    this.#obey(this.#partner.tick(heard));
    const panel = find("partner-panel");
    panel.dataset.place = this.#bars.place(heard.place).toFixed(3);
    panel.dataset.rate = heard.rate.toFixed(3);
    this.#paint();
    const percent = heard.isPlaying ? ` ${Math.round(100 * heard.rate)} %` : "";
    write(find("partner-percent"), percent);
  }

  #obey(orders) {
    for (const { expect, ...order } of orders) {
      this.#sound.obey(order);
      if (expect !== undefined) this.#expect(expect);
    }
  }

  #paint() {
    if (!this.#partner) return;
    const { state } = this.#partner;
    mark(find("partner-panel"), "data-state", state);
    write(find("partner-state"), words[state]);
    const isSilent = ["ready", "waiting", "done"].includes(state);
    write(find("partner-begin"), isSilent ? "Let it begin" : "Silence it");
    write(find("partner-speed-words"), `${find("partner-speed").value} %`);
  }
}
