// The measures of a part while they are worked on: every change can be taken back.
import { UndoStack } from "/shared/undo.js";
import { covers, halved, movementAt, numberAt, numberedFrom, ordered, shared } from "./places.js";
import { isTogether, merged, stacked } from "./merging.js";

const mostSteps = 300;

/** A place without doubt. */
function sure({ isDoubtful, ...place }) { return place; }

export class Draft {
  /** `watch` is called after every change. */
  constructor(places, watch) {
    this.places = places;
    this.selected = -1;
    /** Indices of places chosen beside the selected one. */
    this.others = new Set();
    this.watch = watch;
    this.steps = new UndoStack(mostSteps); // { places, selected } that were there before
    this.saved = JSON.stringify(shared(places));
    /** Numbers after a change follow it by themselves. */
    this.follows = true;
  }

  get current() { return this.places[this.selected] ?? null; }
  get isSaved() { return JSON.stringify(shared(this.places)) === this.saved; }

  markSaved() {
    this.saved = JSON.stringify(shared(this.places));
    this.watch();
  }

  /** Shows the places that somebody else has saved; the own ones come back by undo. */
  take(places) {
    this.become(places);
    this.markSaved();
  }

  /** The indices of all chosen places, rising. */
  get group() {
    return this.selected < 0 ? [] : [...new Set([...this.others, this.selected])].sort((one, other) => one - other);
  }

  /** `how`: only this one, `toggle` it, or everything up to it (`range`). */
  select(index, how = "only") {
    const from = this.selected;
    const isPlace = index >= 0 && index < this.places.length;
    if (!isPlace || from < 0 || how === "only") {
      this.others.clear();
      this.selected = isPlace ? index : -1;
    } else if (how === "range") {
      const [low, high] = from < index ? [from, index] : [index, from];
      for (let at = low; at <= high; at += 1) this.others.add(at);
      this.selected = index;
    } else if (this.group.includes(index)) {
      this.others.delete(index);
      if (index === from) this.selected = [...this.others].at(-1) ?? -1;
      this.others.delete(this.selected);
    } else {
      this.others.add(from);
      this.selected = index;
    }
    this.watch();
  }

  /** Chooses these places, the last as the selected one. */
  selectAll(indices) {
    this.others = new Set(indices.slice(0, -1));
    this.selected = indices.at(-1) ?? -1;
    this.watch();
  }

  /** Replaces the places; `chosen` is the place that is selected then. */
  become(places, chosen = null) {
    this.steps.push({ places: this.places, selected: this.selected });
    this.others.clear();
    const sorted = ordered(places);
    this.places = sorted;
    this.selected = chosen ? sorted.indexOf(chosen) : Math.min(this.selected, sorted.length - 1);
    this.watch();
  }

  undo() { this.steps.undo((step) => this.#swap(step)); }
  redo() { this.steps.redo((step) => this.#swap(step)); }

  #swap(step) {
    const now = { places: this.places, selected: this.selected };
    Object.assign(this, step);
    this.others.clear();
    this.watch();
    return now;
  }

  /** Adds a frame with the number after that of the frame before it. */
  add(page, box) {
    const place = { movement: 0, page, first: 1, last: 1, box };
    const sorted = ordered([...this.places, place]);
    const index = sorted.indexOf(place);
    place.movement = movementAt(sorted, index);
    const number = numberAt(sorted, index);
    this.#place(sorted, index, number, true);
  }

  /**
   * Adds frames that were found on a page, { box, isDoubtful }, where none covers them; gives back how many. Doubt is
   * shown until the frame is changed or confirmed.
   */
  addAll(page, proposed) {
    const here = this.places.filter((place) => place.page === page && place.box);
    const fresh = proposed.filter(({ box }) => !here.some((place) => covers(place.box, box)));
    if (fresh.length === 0) return 0;
    // A page of which only the ends were known is known better now.
    const kept = this.places.filter((place) => place.page !== page || place.box);
    const made = fresh.map(({ box, isDoubtful }) => ({ movement: 0, page, first: 1, last: 1, box,
      ...(isDoubtful ? { isDoubtful } : {}) }));
    const sorted = ordered([...kept, ...made]);
    const index = sorted.indexOf(sorted.find((place) => made.includes(place)));
    const movement = movementAt(sorted, index);
    for (const place of made) place.movement = movement;
    this.#place(sorted, index, numberAt(sorted, index), true, true);
    return fresh.length;
  }

  remove() {
    if (!this.current) return;
    if (this.others.size > 0) return this.#without(this.group);
    const index = this.selected;
    const gone = this.current;
    const rest = this.places.filter((_, at) => at !== index);
    const next = rest[index];
    if (this.follows && next && next.movement === gone.movement && next.page >= gone.page) {
      this.#place(rest, index, gone.first, false);
    } else {
      this.become(rest, rest[Math.min(index, rest.length - 1)]);
    }
  }

  /** Removes several places; what follows takes the number of the first. */
  #without(group) {
    const first = this.places[group[0]];
    const rest = this.places.filter((_, at) => !group.includes(at));
    const next = rest[group[0]];
    if (this.follows && next && next.movement === first.movement) this.#place(rest, group[0], first.first, false);
    else this.become(rest, rest[Math.min(group[0], rest.length - 1)]);
  }

  /** True if the chosen frames can become one: neighbours in reading order, on one page and in one movement. */
  get canMerge() { return isTogether(this.places, this.group); }

  /** Makes the chosen frames one measure; later numbers follow. */
  merge() {
    if (!this.canMerge) return;
    const group = this.group;
    const one = merged(group.map((at) => this.places[at]));
    const places = this.places.toSpliced(group[0], group.length, one);
    if (this.follows) this.#place(places, group[0], one.first, true);
    else this.become(places, one);
  }

  /** Joins every `staves` lines of frames of a page into one, for systems in which each staff got its own frame. */
  stack(page, staves) {
    const places = stacked(this.places, page, staves);
    const index = places.findIndex((place) => place.page === page && place.box);
    if (places.length === this.places.length || index < 0) return 0;
    const gone = this.places.length - places.length;
    this.#place(places, index, places[index].first, true);
    return gone;
  }

  /** The chosen frames are right. */
  confirm() {
    const group = this.group.filter((at) => this.places[at].isDoubtful);
    if (group.length === 0) return;
    const at = this.selected;
    const places = this.places.map((place, index) => (group.includes(index) ? sure(place) : place));
    this.become(places, places[at]);
  }

  /** Moves the chosen frames by shares of the page. */
  shift(moved) {
    const group = this.group.filter((at) => this.places[at].box);
    const chosen = group.map((at) => sure({ ...this.places[at], box: moved(this.places[at].box) }));
    const places = this.places.map((place, at) => (group.includes(at) ? chosen[group.indexOf(at)] : place));
    const selected = places[this.selected];
    this.become(places, selected);
    this.selectAll([...chosen.filter((place) => place !== selected), selected]
      .map((place) => this.places.indexOf(place)));
  }

  split(at = 0.5) {
    if (!this.current?.box) return;
    const [left, right] = halved(sure(this.current), at);
    const places = this.places.toSpliced(this.selected, 1, left, right);
    const areSingle = left.first === left.last && right.first === right.last;
    if (areSingle) this.#place(places, this.selected + 1, right.first, true);
    else this.become(places, right);
  }

  /** Gives the selected place another frame; its number stays. */
  frame(box) {
    if (!this.current) return;
    const moved = sure({ ...this.current, box });
    this.become(this.places.with(this.selected, moved), moved);
  }

  /** Numbers the selected place, and what follows it in its movement. */
  number(first, onwards = this.follows) {
    if (!this.current || !Number.isInteger(first)) return;
    if (onwards) return this.#place(this.places, this.selected, first, true);
    const place = { ...this.current, first, last: first + this.current.last - this.current.first };
    this.become(this.places.with(this.selected, place), place);
  }

  /** Sets the number of measures that the selected frame holds. */
  count(many) {
    if (!this.current || !(many >= 1)) return;
    const place = { ...this.current, last: this.current.first + many - 1 };
    const places = this.places.with(this.selected, place);
    if (this.follows) this.#place(places, this.selected, place.first, true);
    else this.become(places, place);
  }

  /** The selected place and what follows on belong to another movement, which begins here. */
  movement(number, first = 1) {
    if (!this.current) return;
    const old = this.current.movement;
    const places = this.places.map((place, at) => (at >= this.selected && place.movement === old
      ? { ...place, movement: number } : place));
    this.#place(places, this.selected, first, true);
  }

  /** A page of which only the first and the last measure are known; null forgets them. */
  ends(page, first, last) {
    const others = this.places.filter((place) => place.page !== page);
    if (first === null) return this.become(others);
    const before = ordered(others).findLast((place) => place.page < page);
    const place = { movement: before?.movement ?? 0, page, first, last, box: null };
    this.become([...others, place], place);
  }

  #place(places, index, number, chooses, always = false) {
    const numbered = this.follows || always
      ? numberedFrom(places, index, number) : places.with(index,
        { ...places[index], first: number, last: number + places[index].last - places[index].first });
    this.become(numbered, chooses ? numbered[index] : numbered[Math.max(index - 1, 0)]);
  }
}
