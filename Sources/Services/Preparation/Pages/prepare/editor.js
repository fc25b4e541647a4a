// The editor of one piece: what is chosen, what is heard and what is on the screen, and everything that can be done.
import { newID } from "/shared/ids.js";
import { notice } from "/shared/notice.js";
import { barName, clock, counted, isDoubtful, numberAt, passes } from "./bars.js";
import { spectrumTable, stageColours } from "./colours.js";
import { barAt, barEnd, firstAt } from "./hits.js";
import { Overview } from "./overview.js";
import { Player } from "./player.js";
import { soundAddress } from "./server.js";
import { Sound } from "./sound.js";
import { Stage } from "./stage.js";

const around = 1.2; // seconds heard before and after a bar that is checked
const apart = 1e-3; // seconds between two bars, at least, where a time is typed
const followAt = 0.35; // share of the width at which the playhead stays while the music scrolls
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

export class Editor {
  piece;
  player = new Player();
  stage;
  overview;
  selection = null; // {from, to}: ids of bars
  taps = null; // TapSession while bars are tapped
  ask = {}; // what needs a question or another part of the page, by name; pieceview.js has them
  #places = new Map();
  #passes = [];
  #bars = null;
  #sound = null;
  #soundKey = "";
  #isFollowing = true;
  #takers = new Set();

  constructor(piece) {
    this.piece = piece;
    this.stage = new Stage({
      choose: (index, isRange) => this.choose(index, { isRange, seeks: true }),
      seek: (seconds) => this.seek(seconds),
      move: (index, seconds, all) => this.moveBar(this.bars[index], seconds, all),
      insert: (seconds) => this.insertAt(seconds),
      looped: (from, to) => this.#chooseRange(from, to),
      tip: (index, seconds, all) => this.#tip(index, seconds, all),
      looked: () => {
        this.#isFollowing = false;
        this.overview.redraw();
      },
    });
    this.overview = new Overview(this.stage.view, (seconds) => {
      this.stage.view.put(seconds, 0.5);
      this.#isFollowing = false;
      this.stage.redraw();
      this.overview.redraw();
    });
    this.stage.scene.placeOf = (id) => this.placeOf(id);
    this.player.onChange(() => this.#played());
    piece.onChange((why) => this.#changed(why));
  }

  /** Calls back with "edit", "others", "load", "job", "jobEnded", "place" (another bar sounds), "choice", "playing". */
  onChange(take) {
    this.#takers.add(take);
  }

  // MARK: What is there

  get bars() {
    return this.piece.draft?.bars ?? [];
  }

  placeOf(id) {
    return this.#places.get(id) ?? -1;
  }

  /** The chosen bars' first and last index; null if none is chosen. */
  get chosen() {
    if (!this.selection) return null;
    const [from, to] = [this.placeOf(this.selection.from), this.placeOf(this.selection.to)];
    return from < 0 ? null : { from, to: Math.max(from, to) };
  }

  get chosenBar() {
    return this.chosen ? this.bars[this.chosen.from] : null;
  }

  get doubts() {
    return this.bars.filter(isDoubtful);
  }

  nameOf(bar) {
    return barName(bar, this.#passes[this.placeOf(bar.id)]);
  }

  endOf(index) {
    return barEnd(this.bars, index, this.piece.draft.end, this.stage.view.length);
  }

  // MARK: Choosing and hearing

  choose(index, { isRange = false, seeks = false, shows = true } = {}) {
    const bar = this.bars[Math.min(Math.max(index, 0), this.bars.length - 1)];
    if (!bar) return;
    if (isRange && this.chosen) {
      const [from, to] = [this.chosen.from, this.placeOf(bar.id)].sort((a, b) => a - b);
      this.selection = { from: this.bars[from].id, to: this.bars[to].id };
    } else this.selection = { from: bar.id, to: bar.id };
    if (seeks && !isRange) this.player.seek(bar.seconds);
    if (shows && this.stage.view.reveal(bar.seconds)) this.overview.redraw();
    if (this.player.loop) this.#setLoop();
    this.#showChoice();
    this.#tell("choice");
  }

  chooseNone() {
    this.selection = null;
    this.#showChoice();
    this.#tell("choice");
  }

  /** Chooses the bar before or after the chosen one, or the one that sounds. */
  step(by, isRange = false) {
    const at = this.chosen ? (isRange && by > 0 ? this.chosen.to : this.chosen.from)
      : barAt(this.bars, this.player.seconds + 0.002);
    this.choose(at + by, { isRange, seeks: true });
  }

  seek(seconds) {
    this.player.seek(seconds);
    this.#isFollowing = true;
    const index = barAt(this.bars, seconds);
    if (index >= 0 && !this.taps) this.choose(index, { shows: false });
    this.#tell("place");
  }

  playOrPause() {
    this.#isFollowing = true;
    this.player.toggle();
  }

  /** Plays from the chosen bar on. */
  playChosen() {
    this.#isFollowing = true;
    if (this.chosen) this.player.play(this.chosenBar.seconds);
    else this.player.play();
  }

  /** Plays a little before and after a bar, with clicks. */
  hear(bar = this.chosenBar) {
    if (!bar) return;
    this.player.loop = null;
    this.#showLoop();
    this.player.play(Math.max(bar.seconds - around, 0), bar.seconds + around);
    this.#tell("playing");
  }

  toggleLoop() {
    if (this.player.loop) this.player.loop = null;
    else if (this.chosen) this.#setLoop();
    else notice("Choose the bars to loop first: click one, then another with Shift.", { seconds: 5 });
    this.#showLoop();
    this.#tell("playing");
  }

  toggleClicks() {
    this.player.hasClicks = !this.player.hasClicks;
    this.#tell("playing");
  }

  speed(by) {
    this.player.rate += by;
    this.#tell("playing");
  }

  // MARK: Looking

  zoom(factor) {
    const { view } = this.stage;
    const head = view.x(this.player.seconds);
    view.zoom(factor, head >= 0 && head <= view.width ? head : view.width / 2);
    this.looked();
  }

  showAll() {
    this.stage.view.showAll();
    this.looked();
  }

  showChosen() {
    if (!this.chosen) return;
    this.stage.view.show(this.bars[this.chosen.from].seconds, this.endOf(this.chosen.to));
    this.looked();
  }

  showTime(from, to) {
    this.stage.view.show(from, to);
    this.looked();
  }

  pan(share) {
    this.stage.view.pan(share * this.stage.view.width);
    this.#isFollowing = false;
    this.looked();
  }

  looked() {
    this.stage.redraw();
    this.overview.redraw();
  }

  toggleSpectrum() {
    this.stage.set({ hasSpectrum: !this.stage.scene.hasSpectrum });
    this.#tell("playing");
  }

  toggleMovesAll() {
    this.stage.set({ movesAll: !this.stage.scene.movesAll });
    this.#tell("playing");
  }

  /** The colours have changed. */
  recolour() {
    this.stage.set({ colours: stageColours() });
    if (this.#sound) this.#sound.colours = spectrumTable(document.documentElement.dataset.theme);
    this.overview.colours = this.stage.scene.colours;
    this.looked();
  }

  // MARK: Editing

  /** Between which moments a bar can begin while its neighbours stay, and a sentence that says so. */
  roomOf(bar) {
    const place = this.placeOf(bar.id);
    const [before, after] = [this.bars[place - 1], this.bars[place + 1]];
    const end = this.piece.main ? this.stage.view.length : Infinity;
    const named = (neighbour) => `${this.nameOf(neighbour)} (${clock(neighbour.seconds, 3)})`;
    const bounds = [before ? `after ${named(before)}` : "", after ? `before ${named(after)}`
      : this.piece.main ? `before the recording ends (${clock(end, 3)})` : ""].filter(Boolean);
    return { from: before ? before.seconds + apart : 0, to: after ? after.seconds - apart : end,
      words: `It can only begin ${bounds.join(" and ")}.` };
  }

  moveBar(bar, seconds, all = this.stage.scene.movesAll) {
    if (!bar) return;
    const place = this.placeOf(bar.id);
    const least = place > 0 ? this.bars[place - 1].seconds + 0.005 : 0;
    const by = Math.min(all ? Math.max(seconds, least) : Math.max(seconds, 0), this.stage.view.length) - bar.seconds;
    if (Math.abs(by) < 1e-4) return;
    const milliseconds = `${by >= 0 ? "+" : "−"}${Math.abs(1000 * by).toFixed(0)} ms`;
    const words = `move ${this.nameOf(bar)}${all ? " and all after it" : ""} ${milliseconds}`;
    const move = { bar: bar.id, seconds: bar.seconds + by };
    this.piece.edit(words, all ? { shift: { from: bar.id, by } } : { move });
  }

  nudge(by, all) {
    const bar = this.chosenBar;
    if (bar) this.moveBar(bar, bar.seconds + by, all);
  }

  /** Puts a bar in; bars after it count on if they did before. */
  insertAt(seconds) {
    const { bars } = this;
    const place = firstAt(bars, seconds);
    const printed = numberAt(bars, place);
    const next = bars[place];
    const id = newID();
    /** @type {import("/shared/exchanged").DraftEdit[]} */
    const edits = [{ insert: { bar: id, seconds, printed } }];
    if (next && place > 0 && next.printed === printed) edits.push({ renumber: { from: next.id, number: printed + 1 } });
    if (this.piece.edit(`put in bar ${printed}`, ...edits)) this.choose(this.placeOf(id), { shows: false });
  }

  insertHere() {
    this.insertAt(this.player.seconds);
  }

  /** Takes the chosen bars out; bars after them count on if they did before. */
  deleteChosen() {
    const { chosen, bars } = this;
    if (!chosen) return;
    const gone = bars.slice(chosen.from, chosen.to + 1);
    const next = bars[chosen.to + 1];
    const edits = gone.map(({ id }) => ({ delete: { bar: id } }));
    if (next && next.printed === gone.at(-1).printed + 1) {
      edits.unshift({ renumber: { from: next.id, number: gone[0].printed } });
    }
    const label = gone.length === 1 ? `take out ${this.nameOf(gone[0])}` : `take out ${counted(gone.length, "bar")}`;
    if (this.piece.edit(label, ...edits)) this.choose(Math.min(chosen.from, this.bars.length - 1), { shows: false });
  }

  moveHere() {
    if (this.chosenBar) this.moveBar(this.chosenBar, this.player.seconds);
  }

  endHere() {
    this.piece.edit("end the piece here", { end: { seconds: this.player.seconds } });
  }

  accept(bar = this.chosenBar) {
    if (!bar) return;
    this.piece.edit(`${this.nameOf(bar)} is right`, { check: { bar: bar.id, checked: true } });
  }

  nextDoubt(by) {
    const doubts = this.doubts;
    if (doubts.length === 0) return notice("No bar is left to check.", { tone: "good", seconds: 3 });
    const at = this.chosenBar?.seconds ?? this.player.seconds;
    const next = by > 0 ? doubts.find(({ seconds }) => seconds > at + 1e-6) ?? doubts[0]
      : doubts.findLast(({ seconds }) => seconds < at - 1e-6) ?? doubts.at(-1);
    this.checkBar(next);
    return null;
  }

  /** Shows a bar to check closely and plays around it. */
  checkBar(bar) {
    this.choose(this.placeOf(bar.id), { shows: false });
    const { view } = this.stage;
    if (view.span > 14 || view.span < 2) view.show(bar.seconds - 4, bar.seconds + 4);
    else view.put(bar.seconds, 0.5);
    this.looked();
    this.hear(bar);
  }

  // MARK: Together

  close() {
    this.player.close();
    this.stage.close();
    this.overview.close();
    this.#sound?.close();
    this.piece.close();
  }

  #setLoop() {
    const { from, to } = this.chosen;
    this.player.loop = { from: this.bars[from].seconds, to: this.endOf(to) };
    this.#showLoop();
  }

  #showLoop() {
    this.stage.set({ loop: this.player.loop });
  }

  #chooseRange(one, other) {
    const [from, to] = [Math.min(one, other), Math.max(one, other)].map((seconds) =>
      Math.max(barAt(this.bars, seconds), 0));
    if (!this.bars[from]) return;
    this.selection = { from: this.bars[from].id, to: this.bars[to].id };
    if (this.player.loop) this.#setLoop();
    this.#showChoice();
    this.#tell("choice");
  }

  #tip(index, seconds, all) {
    const bar = this.bars[index];
    const by = 1000 * (seconds - bar.seconds);
    return `${all ? "From bar" : "Bar"} ${bar.printed} · ${clock(seconds)} · ${by >= 0 ? "+" : "−"}${
      Math.abs(by).toFixed(0)} ms`;
  }

  #showChoice() {
    this.stage.set({ selection: this.chosen });
    const bar = this.chosenBar;
    this.stage.tell(this.chosen?.from ?? 0, this.bars.length, bar ? `${this.nameOf(bar)}, ${clock(bar.seconds)}${
      isDoubtful(bar) ? ", to be checked" : ""}` : this.bars.length ? "no bar chosen" : "no bars yet");
  }

  #changed(why) {
    const { draft, main } = this.piece;
    if (draft.bars !== this.#bars) {
      this.#bars = draft.bars;
      this.#places = new Map(draft.bars.map(({ id }, index) => [id, index]));
      this.#passes = passes(draft.bars);
      this.player.bars = draft.bars;
      if (this.selection && !this.chosen) this.selection = null;
      if (this.player.loop && this.chosen) this.#setLoop();
    }
    this.#openSound(main);
    this.stage.set({ bars: draft.bars, marks: draft.marks, end: draft.end ?? null });
    this.overview.show({ bars: draft.bars, end: draft.end ?? null, marks: draft.marks,
      placeOf: (id) => this.placeOf(id) });
    this.#showChoice();
    this.#tell(why);
  }

  #openSound(main) {
    const key = main && main.isReady !== false ? main.id : "";
    if (key === this.#soundKey) return;
    this.#soundKey = key;
    this.#sound?.close();
    this.#sound = key ? new Sound(this.piece.id, main, () => this.looked()) : null;
    if (key) this.#sound.colours = spectrumTable(document.documentElement.dataset.theme);
    this.player.open(key ? soundAddress(this.piece.id, main.id) : null, main?.seconds ?? 0);
    this.stage.view.fit({ length: main?.seconds ?? 60 });
    this.stage.view.showAll();
    this.stage.set({ sound: this.#sound });
    this.overview.sound = this.#sound;
  }

  #played() {
    const { player, stage } = this;
    const { seconds } = player;
    if (player.isPlaying && this.#isFollowing && !stage.view.isWhole) this.#follow(seconds);
    stage.set({ head: seconds });
    this.overview.head(seconds);
    this.#tell("place");
  }

  /** The music scrolls under the playhead; for those who want little motion it turns like a page. */
  #follow(seconds) {
    const { view } = this.stage;
    if (isCalm.matches) {
      if (view.reveal(seconds, 0.04)) this.overview.redraw();
      return;
    }
    const share = (seconds - view.from) / view.span;
    if (share < 0 || share > 1) view.put(seconds, followAt);
    else if (share > followAt) view.put(seconds, Math.max(followAt, share - 0.01));
    else return;
    this.overview.redraw();
  }

  #tell(why) {
    for (const take of [...this.#takers]) take(why);
  }
}
