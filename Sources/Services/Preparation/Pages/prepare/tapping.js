// Tapping: the bar with the large button, and what happens to the taps.
import { make, mark, write } from "/shared/dom.js";
import { notice } from "/shared/notice.js";
import { tried } from "/shared/saved.js";
import { barAt } from "./hits.js";
import { clock, counted } from "./bars.js";
import { forgetTaps, keepTaps, keptTaps } from "./kepttaps.js";
import { TapSession, secondsOfTap } from "./taps.js";

const near = 0.3; // seconds from a bar's line that mean this bar
const leadIn = 1; // seconds that are heard before the first tap

export class Tapping {
  element;
  #editor;
  #big = make("button", { type: "button", class: "tap-button" });
  #number = make("span", { class: "tap-number" });
  #say = make("p", { class: "tap-say hint", role: "status" });
  #every = make("select", {}, ...[[1, "every bar"], [2, "every second bar"], [4, "every fourth bar"]]
    .map(([value, text]) => make("option", { value, text })));
  #first = make("input", { type: "number", min: 0, max: 9999, step: 1, inputmode: "numeric" });
  #done;
  #anew;

  constructor(editor) {
    this.#editor = editor;
    this.#big.append(make("span", { class: "tap-word", text: "Tap" }), this.#number);
    // A finger counts when it comes down.
    this.#big.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.tap(event);
    });
    this.#big.addEventListener("click", (event) => event.detail === 0 && this.tap(event));
    this.#every.addEventListener("change", () => {
      if (editor.taps) editor.taps.every = Number(this.#every.value);
      this.#show();
    });
    this.#first.addEventListener("change", () => editor.taps?.taps.length === 0 && this.#renew());
    this.#anew = make("button", { type: "button", class: "plain", text: "Begin anew", title: "Forget these taps",
      onclick: () => this.#forget() });
    this.#done = make("button", { type: "button", class: "chief", text: "Find the bars", onclick: () =>
      this.finish() });
    this.element = make("section", { class: "tapping", "aria-label": "Tapping", hidden: true },
      make("div", { class: "tap-set" },
        make("label", { text: "I tap" }, this.#every),
        make("label", { text: "First bar" }, this.#first), this.#say),
      this.#big,
      make("div", { class: "tap-end" }, this.#anew,
        make("button", { type: "button", class: "plain", text: "Take back", title: "Take the last tap back (Backspace)",
          onclick: () => this.undo() }),
        make("button", { type: "button", class: "plain", text: "Stop",
          title: "Stop without a change (Esc); the taps are kept", onclick: () => this.stop() }),
        this.#done));
  }

  get isOn() {
    return Boolean(this.#editor.taps);
  }

  /** Begins to tap at the playhead; a piece without bars goes on with the taps that were kept. */
  start() {
    const editor = this.#editor;
    if (!editor.piece.main) return notice("Add a recording first.", { tone: "bad" });
    if (!editor.player.isOpen) return notice("The sound is being prepared; try again in a moment.");
    const kept = editor.bars.length === 0 ? this.#kept : null;
    if (kept) return this.#goOn(kept);
    const { seconds } = editor.player;
    const bar = editor.bars[barAt(editor.bars, seconds + near)];
    const isHere = bar && Math.abs(bar.seconds - seconds) < near;
    this.#first.value = String(bar ? bar.printed + (isHere ? 0 : 1) : editor.bars[0]?.printed ?? 1);
    this.#renew();
    this.#open();
    return null;
  }

  /** Goes on where a reload or another page interrupted the tapping. */
  resume() {
    if (this.#kept?.isOpen) this.again();
  }

  /** Goes on with the taps that were put aside, or whose bars were taken back. */
  again() {
    const kept = this.#kept;
    if (kept && !this.isOn) this.#goOn(kept);
  }

  get #kept() {
    const { piece } = this.#editor;
    return piece.main ? keptTaps(piece.id, piece.main.id) : null;
  }

  #goOn({ taps, every }) {
    const session = new TapSession(taps[0].bar, every);
    session.taps = taps;
    this.#editor.taps = session;
    this.#first.value = String(taps[0].bar);
    this.#every.value = String(every);
    this.#editor.player.seek(Math.max(taps.at(-1).seconds - leadIn, 0));
    this.#keep();
    this.#open();
    this.#show();
    return null;
  }

  #open() {
    const editor = this.#editor;
    this.element.hidden = false;
    editor.player.loop = null;
    if (editor.stage.view.span > 30) editor.showTime(editor.player.seconds - 3, editor.player.seconds + 12);
    this.#big.focus({ preventScroll: false });
  }

  #keep(how) {
    const { piece, taps } = this.#editor;
    if (taps && piece.main) keepTaps(piece.id, piece.main.id, taps, how);
  }

  tap(event) {
    const editor = this.#editor;
    if (!editor.taps) return void this.start();
    if (!editor.player.isPlaying) {
      const last = editor.taps.taps.at(-1)?.seconds;
      editor.player.play(last === undefined ? null : Math.max(last - leadIn, 0));
      this.#show();
      return;
    }
    if (editor.taps.tap(Math.max(secondsOfTap(event, editor.player), 0))) {
      this.#big.animate?.([{ transform: "scale(.97)" }, { transform: "none" }], { duration: 90 });
      this.#keep();
      this.#show();
    }
  }

  undo() {
    const taken = this.#editor.taps?.undo();
    if (taken) this.#editor.player.seek(Math.max(taken.seconds - 3, 0));
    this.#keep();
    this.#show();
  }

  /** Ends without a change; the taps can be gone on with. */
  stop() {
    const count = this.#editor.taps?.taps.length ?? 0;
    this.#keep({ isOpen: false });
    this.#close();
    if (count === 0) return;
    notice(`${counted(count, "tap")} put aside.`, { seconds: 12, action: "Go on tapping", act: () => this.again() });
  }

  #forget() {
    const { taps, every } = this.#editor.taps;
    forgetTaps(this.#editor.piece.id);
    this.#editor.player.pause();
    this.#renew();
    notice(`${counted(taps.length, "tap")} forgotten.`, { seconds: 8, action: "Undo",
      act: () => this.#goOn({ taps, every }) });
    this.#big.focus({ preventScroll: true });
  }

  #close() {
    this.#editor.taps = null;
    this.#editor.player.pause();
    this.element.hidden = true;
    this.#editor.stage.set({ taps: null, expected: null });
    this.#editor.stage.element.focus();
  }

  /** Has the server put the taps on the sound, and find the bars in between. */
  async finish() {
    const { taps, every } = this.#editor.taps ?? { taps: [] };
    if (taps.length < 2) return void notice("Tap at least two bars first.", { tone: "bad" });
    const { piece } = this.#editor;
    const replace = piece.draft.bars.length === 0 ? "all" : "range";
    const label = `${counted(taps.length, "tapped bar")}`;
    if (await tried(() => piece.start({ kind: "snap", taps, every, replace }, label))) {
      this.#keep({ isOpen: false });
      this.#close();
    }
  }

  place() {
    if (this.isOn) this.#show();
  }

  #renew() {
    this.#editor.taps = new TapSession(Number(this.#first.value) || 0, Number(this.#every.value));
    this.#show();
  }

  #show() {
    const { taps, stage, player } = this.#editor;
    if (!taps) return;
    stage.set({ taps: taps.taps.slice(), expected: taps.expected });
    write(this.#number, player.isPlaying ? `bar ${taps.next}` : taps.taps.length ? "to go on" : "to begin");
    const last = taps.taps.at(-1);
    const count = counted(taps.taps.length, "tap");
    write(this.#say, last ? `${count}; the last was bar ${last.bar} at ${clock(last.seconds, 1)}.`
      : "Press the button, T or Space: the music starts. Then press at the beginning of each bar.");
    mark(this.#done, "aria-disabled", taps.taps.length < 2);
    this.#anew.hidden = taps.taps.length === 0;
    this.#first.disabled = taps.taps.length > 0;
  }
}
