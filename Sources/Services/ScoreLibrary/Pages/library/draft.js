// The measures of a part while they are worked on: every change can be taken back.
import { covers, halved, movementAt, numberAt, numberedFrom, ordered } from "./places.js";

const mostSteps = 300;

export class Draft {
  /** `watch` is called after every change. */
  constructor(places, watch) {
    this.places = places;
    this.selected = -1;
    this.watch = watch;
    this.past = [];
    this.future = [];
    this.saved = JSON.stringify(places);
    /** Numbers after a change follow it by themselves. */
    this.follows = true;
  }

  get current() { return this.places[this.selected] ?? null; }
  get isSaved() { return JSON.stringify(this.places) === this.saved; }

  markSaved() {
    this.saved = JSON.stringify(this.places);
    this.watch();
  }

  select(index) {
    this.selected = index >= 0 && index < this.places.length ? index : -1;
    this.watch();
  }

  /** Replaces the places; `chosen` is the place that is selected then. */
  become(places, chosen = null) {
    this.past.push({ places: this.places, selected: this.selected });
    if (this.past.length > mostSteps) this.past.shift();
    this.future = [];
    const sorted = ordered(places);
    this.places = sorted;
    this.selected = chosen ? sorted.indexOf(chosen) : Math.min(this.selected, sorted.length - 1);
    this.watch();
  }

  undo() { this.#step(this.past, this.future); }
  redo() { this.#step(this.future, this.past); }

  #step(from, to) {
    const state = from.pop();
    if (!state) return;
    to.push({ places: this.places, selected: this.selected });
    ({ places: this.places, selected: this.selected } = state);
    this.watch();
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

  /** Adds frames that were found on a page, where none covers them; gives back how many. */
  addAll(page, boxes) {
    const here = this.places.filter((place) => place.page === page && place.box);
    const fresh = boxes.filter((box) => !here.some((place) => covers(place.box, box)));
    if (fresh.length === 0) return 0;
    // A page of which only the ends were known is known better now.
    const kept = this.places.filter((place) => place.page !== page || place.box);
    const made = fresh.map((box) => ({ movement: 0, page, first: 1, last: 1, box }));
    const sorted = ordered([...kept, ...made]);
    const index = sorted.indexOf(sorted.find((place) => made.includes(place)));
    for (const place of made) place.movement = movementAt(sorted, index);
    this.#place(sorted, index, numberAt(sorted, index), true, true);
    return fresh.length;
  }

  remove() {
    if (!this.current) return;
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

  split(at = 0.5) {
    if (!this.current?.box) return;
    const [left, right] = halved(this.current, at);
    const places = this.places.toSpliced(this.selected, 1, left, right);
    const areSingle = left.first === left.last && right.first === right.last;
    if (areSingle) this.#place(places, this.selected + 1, right.first, true);
    else this.become(places, right);
  }

  /** Gives the selected place another frame; its number stays. */
  frame(box) {
    if (!this.current) return;
    const moved = { ...this.current, box };
    this.become(this.places.with(this.selected, moved), moved);
  }

  /** Numbers the selected place, and what follows it in its movement. */
  number(first, onwards = this.follows) {
    if (!this.current || !Number.isInteger(first)) return;
    if (onwards) return this.#place(this.places, this.selected, first, true);
    const place = { ...this.current, first, last: first + this.current.last - this.current.first };
    this.become(this.places.with(this.selected, place), place);
  }

  /** How many measures the selected frame holds. */
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
