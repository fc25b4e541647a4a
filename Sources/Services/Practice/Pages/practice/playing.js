// The bar that plays: Play and Stop, click, loop, tempo, speed; what is marked comes from the audio clock.
import { find, make, mark, write } from "/shared/dom.js";
import { Awake } from "/shared/awake.js";
import { Dialog } from "/shared/dialog.js";
import { keep, readKept } from "/shared/kept.js";
import { setTempo } from "./edits.js";
import { Player } from "./player.js";

const settingsKey = "baton-practice-playing";
const usual = { metronome: true, countIn: 0, speed: 100, step: 0, target: 100, onlyThis: false };

/** A number kept within bounds; the fallback where it is none. */
const bounded = (value, least, most, fallback) => {
  const number = Number(value);
  return Number.isFinite(number) && value !== "" ? Math.min(most, Math.max(least, Math.round(number))) : fallback;
};

export class Playing {
  unlocked = () => {}; // called when it has ended
  #editor;
  #sheet;
  #say;
  #settings = { ...usual, ...readKept(settingsKey) };
  #loop = null;
  #frame = null;
  #dialog = new Dialog({ id: "playing-dialog", closesOutside: true });
  #awake = new Awake((sentence) => this.#say(sentence, "plain"));

  constructor({ editor, sheet, say }) {
    [this.#editor, this.#sheet, this.#say] = [editor, sheet, say];
    this.player = new Player((state, sentence) => this.#changed(state, sentence));
    find("play").onclick = () => this.play();
    find("stop").onclick = () => this.stop();
    find("metronome").onclick = () => this.#set({ metronome: !this.#settings.metronome });
    find("loop").onclick = () => this.toggleLoop();
    find("settings").onclick = () => this.#openSettings();
    // Leaving the page ends the sound at once, and nothing plays when somebody comes back.
    addEventListener("pagehide", () => this.stop());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.stop());
  }

  get isPlaying() {
    return this.player.isPlaying;
  }

  get loop() {
    return this.#loop;
  }

  #set(change) {
    this.#settings = { ...this.#settings, ...change };
    keep(settingsKey, this.#settings);
    this.show();
  }

  /** Shows the buttons as they stand. */
  show() {
    const { metronome, speed, step, target, countIn } = this.#settings;
    mark(find("metronome"), "aria-pressed", String(metronome));
    mark(find("loop"), "aria-pressed", String(this.#loop !== null));
    write(find("loop"), this.#loop ? `Loop ${this.#loop[0] + 1}${this.#loop[1] > this.#loop[0]
      ? `–${this.#loop[1] + 1}` : ""}` : "Loop");
    const editor = this.#editor();
    if (!editor) return;
    const speeds = step > 0 && target > speed ? `${speed} → ${target} %` : `${speed} %`;
    write(find("settings"), `♩ = ${editor.tab.tempo} · ${speeds}${countIn ? " · count-in" : ""}`);
    find("stop").disabled = !this.isPlaying;
  }

  /** A tab was opened: nothing of the one before stays. */
  reset() {
    this.stop();
    this.setLoop(null);
  }

  // MARK: The loop

  setLoop(loop) {
    this.#loop = loop;
    this.#sheet.setLoop(loop);
    this.show();
  }

  /** Loops the cursor's bar, or ends the loop. */
  toggleLoop() {
    if (this.isPlaying) return;
    const { bar } = this.#editor().cursor;
    this.setLoop(this.#loop ? null : [bar, bar]);
  }

  /** A tap on a bar's head: loops the bar, takes it into the loop, or ends a loop of this bar alone. */
  tapBar(bar) {
    if (this.isPlaying) return;
    if (!this.#loop) this.setLoop([bar, bar]);
    else if (this.#loop[0] === bar && this.#loop[1] === bar) this.setLoop(null);
    else if (bar >= this.#loop[0] && bar <= this.#loop[1]) this.setLoop([bar, bar]);
    else this.setLoop([Math.min(bar, this.#loop[0]), Math.max(bar, this.#loop[1])]);
  }

  // MARK: Playing

  play(from = 0) {
    if (this.isPlaying) return;
    const editor = this.#editor();
    const { metronome, countIn, speed, step, target, onlyThis } = this.#settings;
    const last = editor.tab.bars.length - 1;
    const loop = this.#loop && [Math.min(this.#loop[0], last), Math.min(this.#loop[1], last)];
    this.player.play(editor.tab, {
      metronome, countIn, loop, from, speed: speed / 100, step: loop ? step / 100 : 0, target: target / 100,
      tracks: onlyThis ? [editor.cursor.track] : undefined,
    });
  }

  stop() {
    this.player.stop();
  }

  toggle(from = 0) {
    if (this.isPlaying) this.stop();
    else this.play(from);
  }

  #changed(state, sentence) {
    const isPlaying = state !== "idle";
    document.body.dataset.playing = state;
    this.#editor().isLocked = isPlaying;
    for (const element of document.querySelectorAll("[data-edit]")) {
      if (element.matches("input")) element.readOnly = isPlaying;
      else element.disabled = isPlaying;
    }
    find("play").disabled = isPlaying;
    this.#awake.want(isPlaying);
    this.show();
    cancelAnimationFrame(this.#frame);
    if (state === "playing") this.#look();
    else {
      this.#sheet.showSounding(null);
      write(find("where"), "");
    }
    if (sentence) this.#say(sentence, "bad");
    if (!isPlaying) this.unlocked();
  }

  #look() {
    this.#frame = requestAnimationFrame(() => this.#look());
    const place = this.player.position();
    if (place?.bar === null) write(find("where"), "Counting in");
    else if (place) {
      const speed = place.speed === 1 ? "" : ` · ${Math.round(place.speed * 100)} %`;
      write(find("where"), `Bar ${place.bar + 1}${speed}${this.#loop ? ` · pass ${place.pass + 1}` : ""}`);
    }
    this.#sheet.showSounding(place && place.bar !== null ? place : null);
  }

  // MARK: Settings

  #openSettings() {
    const editor = this.#editor();
    const settings = this.#settings;
    const number = (label, id, value, [least, most, step], act) => {
      const input = make("input", { type: "number", id, min: least, max: most, step, value, inputmode: "numeric" });
      const slide = make("input", { type: "range", min: least, max: most, step, value, "aria-label": label });
      const take = (wanted) => {
        const taken = bounded(wanted, least, most, value);
        input.value = slide.value = taken;
        act(taken);
      };
      input.onchange = () => take(input.value);
      slide.oninput = () => (input.value = slide.value);
      slide.onchange = () => take(slide.value);
      return make("div", { class: "number" }, make("label", { for: id, text: label }), slide, input);
    };
    const choice = (label, id, isSet, act) => make("label", { class: "check" },
      make("input", { type: "checkbox", id, checked: isSet, onchange: ({ target }) => act(target.checked) }), label);
    this.#dialog.show("How to play",
      number("Tempo, quarters a minute", "tempo", editor.tab.tempo, [60, 180, 1], (tempo) => {
        editor.edit((tab) => (tab.tempo === tempo ? tab : setTempo(tab, tempo)));
        this.show();
      }),
      number("Speed, %", "speed", settings.speed, [40, 120, 1], (speed) => this.#set({ speed })),
      number("Faster by % with each pass of a loop", "step", settings.step, [0, 20, 1], (step) => this.#set({ step })),
      number("Up to %", "target", settings.target, [40, 120, 1], (target) => this.#set({ target })),
      choice("Count one bar in", "count-in", settings.countIn > 0, (isSet) => this.#set({ countIn: isSet ? 1 : 0 })),
      editor.tab.tracks.length > 1 ? choice("Only this instrument", "only-this", settings.onlyThis,
        (onlyThis) => this.#set({ onlyThis })) : null);
  }
}
