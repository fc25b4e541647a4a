// The state of the editor, without buttons and keys: the tab with its history, the cursor, the chosen length. It
// refuses changes while the tab is played.
import { UndoStack } from "/shared/undo.js";
import {
  Impossible, copyBars, erase, insertBars, insertRest, putNote, putRest, removeBars, setLength, toggleTechnique,
} from "./edits.js";
import { beatsOf, freePlaces, isRest, meters, mostFret } from "/shared/tabmodel.js";
import { pitchName } from "./instruments.js";

/** Two digits within this time, in milliseconds, are one fret. */
const digitPatience = 900;

export class Editor {
  /** The bars that were copied last. */
  static copied = null;
  #steps = new UndoStack(); // { tab } that was there before
  #digit = null;
  #changed;
  #refused;

  cursor = { track: 0, bar: 0, slot: 0, string: 1 };
  length = { value: "1/4", dots: 0 };
  /** True while nothing may be changed. */
  isLocked = false;

  /** `changed(what)` is called after each change of the tab or the cursor; `refused(sentence)` if one is impossible. */
  constructor(tab, { changed, refused }) {
    this.tab = tab;
    [this.#changed, this.#refused] = [changed, refused];
  }

  get canUndo() {
    return this.#steps.canUndo;
  }

  get canRedo() {
    return this.#steps.canRedo;
  }

  get track() {
    return this.tab.tracks[this.cursor.track];
  }

  get strings() {
    return Math.max(1, this.track.strings.length);
  }

  /**
   * Changes the tab by `edit(tab)`, which gives a new one or throws Impossible; `joins` makes one step of it and the
   * one before. False if nothing changed.
   */
  edit(edit, joins = false) {
    if (this.isLocked) return false;
    try {
      const { tab } = this;
      this.tab = edit(tab);
      if (this.tab === tab) return false;
      if (!joins || !this.#steps.continued()) this.#steps.push({ tab });
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      this.#refused(error.message);
      return false;
    }
    this.#fitCursor();
    this.#changed("tab");
    return true;
  }

  /** The tab goes on as a copy under another title, also while it is played; so do the steps with the present one. */
  retitle(title) {
    const old = this.tab.title;
    const renamed = (tab) => (tab.title === old ? { ...tab, title } : tab);
    this.#steps.each((step) => (step.tab = renamed(step.tab)));
    this.tab = renamed(this.tab);
  }

  undo() {
    if (!this.isLocked && this.#steps.undo((step) => this.#swap(step))) this.#after();
  }

  redo() {
    if (!this.isLocked && this.#steps.redo((step) => this.#swap(step))) this.#after();
  }

  #swap({ tab }) {
    const now = { tab: this.tab };
    this.tab = tab;
    return now;
  }

  #after() {
    this.#digit = null;
    this.#fitCursor();
    this.#changed("tab");
  }

  // MARK: The cursor

  slots(bar) {
    const beats = beatsOf(this.tab, this.cursor.track, bar);
    return beats.length + freePlaces(beats, meters(this.tab)[bar].quarters).length;
  }

  #fitCursor() {
    const { cursor, tab } = this;
    const track = Math.min(cursor.track, tab.tracks.length - 1);
    const bar = Math.min(cursor.bar, tab.bars.length - 1);
    this.cursor = { ...cursor, track, bar };
    this.cursor.slot = Math.max(0, Math.min(cursor.slot, this.slots(bar) - 1));
    this.cursor.string = Math.min(cursor.string, this.strings);
  }

  moveTo(place) {
    this.#digit = null;
    this.cursor = { ...this.cursor, ...place };
    this.#fitCursor();
    this.#changed("cursor");
  }

  /** One place on or back; over the bar's end into the next one. */
  step(by) {
    let { bar, slot } = this.cursor;
    slot += by;
    if (slot < 0) {
      if (bar === 0) return;
      bar -= 1;
      slot = this.slots(bar) - 1;
    } else if (slot >= this.slots(bar)) {
      if (bar + 1 >= this.tab.bars.length) return;
      bar += 1;
      slot = 0;
    }
    this.moveTo({ bar, slot });
  }

  stepBar(by) {
    this.moveTo({ bar: Math.max(0, Math.min(this.tab.bars.length - 1, this.cursor.bar + by)), slot: 0 });
  }

  stepString(by) {
    this.moveTo({ string: Math.max(1, Math.min(this.strings, this.cursor.string + by)) });
  }

  // MARK: Writing

  get beat() {
    return beatsOf(this.tab, this.cursor.track, this.cursor.bar)[this.cursor.slot] ?? null;
  }

  get note() {
    return this.beat?.notes?.find((note) => note.string === this.cursor.string) ?? null;
  }

  setFret(fret, joins = false) {
    let slot = this.cursor.slot;
    const isDone = this.edit((tab) => {
      const [changed, at] = putNote(tab, this.cursor, fret, this.length);
      slot = at;
      return changed;
    }, joins);
    if (isDone && slot !== this.cursor.slot) {
      this.cursor = { ...this.cursor, slot };
      this.#changed("cursor");
    }
    return isDone;
  }

  /** A digit of a fret: a second one soon after the first completes it. */
  type(digit, now = performance.now()) {
    const before = this.#digit && now - this.#digit.at < digitPatience ? this.#digit.value : null;
    const both = before === null ? null : before * 10 + digit;
    const fret = both !== null && both <= mostFret ? both : digit;
    if (this.isLocked) return;
    this.setFret(fret, fret === both);
    this.#digit = { value: fret, at: fret === both ? -Infinity : now };
  }

  rest() {
    let slot = this.cursor.slot;
    this.edit((tab) => {
      const [changed, at] = putRest(tab, this.cursor, this.length);
      slot = at;
      return changed;
    });
    this.moveTo({ slot });
  }

  erase() {
    this.edit((tab) => erase(tab, this.cursor));
  }

  insert() {
    this.edit((tab) => insertRest(tab, this.cursor, this.length));
  }

  /** The length of the beat at the cursor, or the one that is written next. */
  get shownLength() {
    const { beat } = this;
    return beat ? { value: beat.value ?? "1/4", dots: beat.dots ?? 0, tuplet: beat.tuplet ?? null } : this.length;
  }

  toggleDot() {
    this.chooseLength({ ...this.shownLength, dots: this.shownLength.dots ? 0 : 1 });
  }

  toggleTriplet() {
    this.chooseLength({ ...this.shownLength, tuplet: this.shownLength.tuplet ? null : [3, 2] });
  }

  /** Chooses a length for what is written next, and gives it to the beat at the cursor. */
  chooseLength(length) {
    if (this.isLocked) return;
    // Before writing, a triplet is chosen in either order: "3" and then "1/8", or the other way round.
    const before = this.beat ? null : this.length.tuplet ?? null;
    this.length = { value: length.value ?? this.length.value, dots: length.dots ?? 0,
      tuplet: length.tuplet === undefined ? before : length.tuplet };
    if (!this.edit((tab) => setLength(tab, this.cursor, this.length))) this.#changed("cursor");
  }

  toggle(technique, value = true) {
    this.edit((tab) => toggleTechnique(tab, this.cursor, technique, value));
  }

  // MARK: Bars

  /** Keeps bars to paste them; those of the loop, or the cursor's. Also in another tab of this page. */
  copyBars([first, last] = [this.cursor.bar, this.cursor.bar]) {
    Editor.copied = copyBars(this.tab, first, Math.min(last, this.tab.bars.length - 1));
    return Editor.copied.bars.length;
  }

  /** Puts the copied bars before the cursor's bar; the cursor stands on the first of them. */
  pasteBars() {
    if (!Editor.copied) return this.#refused("Nothing was copied yet.");
    if (this.edit((tab) => insertBars(tab, this.cursor.bar, Editor.copied))) this.moveTo({ slot: 0 });
    return undefined;
  }

  insertBar() {
    if (this.edit((tab) => insertBars(tab, this.cursor.bar))) this.moveTo({ slot: 0 });
  }

  removeBars([first, last] = [this.cursor.bar, this.cursor.bar]) {
    return this.edit((tab) => removeBars(tab, first, Math.min(last, tab.bars.length - 1)));
  }

  /** Describes the cursor's place and the note there, in words. */
  describe() {
    const { bar, string } = this.cursor;
    const open = this.track.strings[string - 1];
    const words = [`Bar ${bar + 1}`, `string ${string}${open === undefined ? "" : `, ${pitchName(open)}`}`];
    if (!this.beat) words.push("empty");
    else if (isRest(this.beat)) words.push(`rest ${this.beat.value ?? "1/4"}`);
    else {
      words.push(this.note ? `fret ${this.note.fret}` : "no note on this string");
      words.push(`length ${this.beat.value ?? "1/4"}${this.beat.dots ? " dotted" : ""}`);
    }
    return words.join(", ");
  }
}
