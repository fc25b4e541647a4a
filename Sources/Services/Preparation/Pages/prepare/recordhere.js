// A recording from the server's sound device. The server records all that it hears as the evening; the piece takes the
// part between Start and Stop, so the device is opened only once.
import { Dialog } from "/shared/dialog.js";
import { icon, make, write } from "/shared/dom.js";
import { keep, readKept, storage } from "/shared/kept.js";
import { heardFrom } from "/shared/level.js";
import { duration } from "/shared/numbers.js";
import { EventStream } from "/shared/stream.js";
import { wallClock } from "/shared/wallclock.js";
import { EveningPlayer } from "./eveningplayer.js";
import { evenings, presentPlace } from "./server.js";

const place = "baton.prepare.recording"; // {evening, from, to}: what was begun, kept over a reload
const quietest = -60; // dB of full scale at which the meter is empty
const leadIn = 0.5; // s before Start, for those who press it late
const settling = 1200; // ms until the recording's file has what was heard at Stop
const lookEvery = 1000; // ms

const session = storage("sessionStorage");

class RecordHere {
  #take;
  #range = readKept(place, session); // without `to` while it is recorded
  #now = null; // the present place, as the server tells it
  #player = new EveningPlayer();
  #heard = false; // the player has the range
  #level = make("p", { class: "hint", "aria-live": "off" });
  #meter = make("meter", { min: quietest, max: 0, value: quietest, "aria-label": "Level of the sound" });
  #time = make("p", { class: "record-time", role: "timer" });
  #state = make("p", { role: "status" });
  #device = make("p", {}, make("a", { href: "/start", text: "Choose the sound device" }));
  #start = make("button", { type: "button", class: "chief", text: "Start", onclick: () => this.#begin() });
  #stop = make("button", { type: "button", class: "chief", text: "Stop", onclick: () => this.#end() });
  #again = make("button", { type: "button", text: "Record again", onclick: () => this.#drop() });
  #use = make("button", { type: "button", class: "chief", text: "Use this recording", onclick: () => this.#finish() });
  #dialog;
  #stream;
  #timer;

  constructor(take) {
    this.#take = take;
    this.#dialog = new Dialog({ sign: icon("close"), closed: () => this.#close() });
    this.#dialog.show("Record here", make("div", { class: "question record-here" },
      make("p", { class: "hint", text: "The server records what its sound device hears. All who prepare pieces will "
        + "hear the part that you record here." }),
      make("div", { class: "level" }, this.#meter, this.#level), this.#time, this.#state, this.#device,
      this.#player.element, make("div", { class: "row end" }, this.#again, this.#start, this.#stop, this.#use)));
    this.#stream = new EventStream(() => "/api/events", {
      heard: (name, value) => {
        const meters = name === "snapshot" ? value.meters : name === "meters" ? value : null;
        if (meters) this.#showLevel(meters);
      },
    }, { greeting: "snapshot", silentAfter: 6_000, retryAfter: () => 1_000 });
    this.#stream.start();
    this.#timer = setInterval(() => this.#look(), lookEvery);
    this.#look();
  }

  get #isRecording() {
    return this.#range !== null && this.#range.to === undefined;
  }

  #close() {
    clearInterval(this.#timer);
    this.#stream.stop();
    this.#player.stop();
    this.#dialog.element.remove();
  }

  async #look() {
    try {
      this.#now = await presentPlace();
    } catch (refusal) {
      this.#now = { evening: this.#range?.evening ?? null, seconds: null, sentence: refusal.message };
    }
    // A restart of the server goes on with the same evening; another evening has its own first sound.
    if (this.#isRecording && this.#now.evening && this.#now.evening !== this.#range.evening) this.#keep(null);
    if (this.#range?.to !== undefined && !this.#heard) await this.#listen();
    this.#show();
  }

  #keep(range) {
    this.#range = range;
    keep(place, range, session);
  }

  async #begin() {
    await this.#look();
    const { evening, title, seconds } = this.#now;
    if (seconds === null) return;
    this.#keep({ evening, title, from: Math.max(0, seconds - leadIn), at: wallClock() });
    this.#show();
    this.#stop.focus();
  }

  async #end() {
    this.#stop.disabled = true;
    await this.#look();
    // Without sound at the moment, what was heard before is taken.
    const to = this.#now.seconds ?? this.#range.newest ?? null;
    if (to !== null && to > this.#range.from) this.#keep({ ...this.#range, to });
    this.#stop.disabled = false;
    this.#show();
    await new Promise((done) => setTimeout(done, settling));
    await this.#listen();
    this.#show();
    this.#use.focus();
  }

  /** Gives the player what was recorded. */
  async #listen() {
    if (this.#range?.to === undefined || this.#heard) return;
    const list = await evenings().catch(() => null);
    const evening = list?.evenings.find(({ name }) => name === this.#range.evening);
    if (list && !evening) return this.#keep(null);
    if (!evening || this.#heard) return;
    this.#heard = true;
    this.#player.show(evening, this.#range);
  }

  #drop() {
    this.#player.stop();
    this.#heard = false;
    this.#keep(null);
    this.#show();
    this.#start.focus();
  }

  #finish() {
    const { evening, from, to, at } = this.#range;
    const time = new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    this.#keep(null);
    this.#dialog.close();
    this.#take({ evening, from, to, title: `Recorded here at ${time}` });
  }

  #showLevel({ peakDb, inputLost, ...meters }) {
    const isKnown = !inputLost && Number.isFinite(peakDb);
    this.#meter.value = isKnown ? Math.max(quietest, peakDb) : quietest;
    write(this.#level, inputLost ? "No sound arrives." : heardFrom({ peakDb, ...meters }));
  }

  #show() {
    const now = this.#now ?? { seconds: null, sentence: "" };
    const isOver = this.#range?.to !== undefined;
    if (this.#isRecording && now.seconds !== null) this.#range.newest = now.seconds;
    const length = (this.#range?.to ?? this.#range?.newest ?? NaN) - (this.#range?.from ?? NaN);
    write(this.#time, Number.isFinite(length) ? duration(length) : "");
    write(this.#state, isOver ? this.#heard ? "Listen to it, and use it or record again." : "One moment …"
      : this.#isRecording ? now.seconds === null ? now.sentence : "Recording."
        : now.seconds === null ? now.sentence : "Ready to record.");
    this.#device.hidden = isOver || now.seconds !== null || now.evening === null;
    this.#start.hidden = isOver || this.#isRecording;
    this.#start.disabled = now.seconds === null;
    this.#stop.hidden = !this.#isRecording;
    this.#again.hidden = !isOver;
    this.#use.hidden = !isOver;
    this.#use.disabled = !this.#heard;
    this.#player.element.hidden = !this.#heard;
  }
}

/** Records from the server's sound device; `take({evening, title, from, to})` is called with what was recorded. */
export const recordHere = (take) => new RecordHere(take);
