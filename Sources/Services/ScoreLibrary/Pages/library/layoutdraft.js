// The layout of a part's pages while somebody works on it: every change can be undone. The file itself does not change.

import { UndoStack } from "/shared/undo.js";

const full = [0, 0, 1, 1];
const mostSteps = 300;
const mostTilt = 10; // degrees
const mostBlank = 200; // empty pages of a part

export class LayoutDraft {
  /** `count` is the number of pages of the file; `watch` is called after every change. */
  constructor(layout, count, watch) {
    this.count = count;
    this.watch = watch;
    this.selected = 0;
    this.steps = new UndoStack(mostSteps); // { state, selected } that were there before
    this.state = stateOf(layout, count);
    this.saved = JSON.stringify(this.state);
  }

  get pages() {
    return this.state.pages;
  }

  get crop() {
    return this.state.crop;
  }

  /** Pages of the file that are left out, by their numbers. */
  get leftOut() {
    const shown = new Set(this.pages.map(({ page }) => page));
    return natural(this.count).map(({ page }) => page).filter((page) => !shown.has(page));
  }

  get isSaved() {
    return JSON.stringify(this.state) === this.saved;
  }

  /** The layout for the server; null if the pages are as in the file. */
  get layout() {
    const isPlain = this.crop === null && JSON.stringify(this.pages) === JSON.stringify(natural(this.count));
    return isPlain ? null : { pages: this.pages, ...(this.crop ? { crop: this.crop } : {}) };
  }

  isBlank({ page }) {
    return page >= this.count;
  }

  markSaved(state) {
    this.saved = JSON.stringify(state);
    this.watch();
  }

  /** Shows the layout that somebody else has saved; the own one comes back by undo. */
  take(layout) {
    const { pages, crop } = stateOf(layout, this.count);
    this.#become(pages, crop);
    this.markSaved(this.state);
  }

  select(position) {
    this.selected = Math.min(Math.max(position, 0), this.pages.length - 1);
    this.watch();
  }

  undo() { this.steps.undo((step) => this.#swap(step)); }
  redo() { this.steps.redo((step) => this.#swap(step)); }

  #swap(step) {
    const now = { state: this.state, selected: this.selected };
    Object.assign(this, step);
    this.watch();
    return now;
  }

  #become(pages, crop = this.crop, selected = this.selected) {
    this.steps.push({ state: this.state, selected: this.selected });
    this.state = { pages, crop };
    this.selected = Math.min(Math.max(selected, 0), pages.length - 1);
    this.watch();
  }

  #change(position, fields) {
    const page = { ...this.pages[position], ...fields };
    // Values that are not set are left out, so that two equal layouts are written the same.
    for (const [name, none] of [["turn", 0], ["tilt", null]]) if (page[name] === none) delete page[name];
    this.#become(this.pages.with(position, page));
  }

  /** Moves a page to another position. */
  move(from, to) {
    if (to < 0 || to >= this.pages.length || from === to) return;
    const pages = [...this.pages];
    pages.splice(to, 0, ...pages.splice(from, 1));
    this.#become(pages, this.crop, to);
  }

  /** Turns a page by quarters, clockwise. */
  turn(position, quarters) {
    this.#change(position, { turn: ((this.pages[position].turn ?? 0) + quarters + 4) % 4 });
  }

  /** Straightens a page by an angle in degrees; null for the angle that was found. */
  straighten(position, degrees) {
    const tilt = degrees === null ? null : Math.round(Math.min(Math.max(degrees, -mostTilt), mostTilt) * 100) / 100;
    this.#change(position, { tilt });
  }

  leaveOut(position) {
    if (this.pages.length > 1) this.#become(this.pages.toSpliced(position, 1));
  }

  /** Shows a page again that was left out: after those of the file that come before it. */
  bringBack(page) {
    const after = this.pages.findLastIndex((each) => !this.isBlank(each) && each.page < page);
    this.#become(this.pages.toSpliced(after + 1, 0, { page }), this.crop, after + 1);
  }

  /** Puts an empty page after a position; false if there are too many. */
  insertBlank(position) {
    const used = new Set(this.pages.map(({ page }) => page));
    let page = this.count;
    while (used.has(page)) page += 1;
    if (page >= this.count + mostBlank) return false;
    this.#become(this.pages.toSpliced(position + 1, 0, { page }), this.crop, position + 1);
    return true;
  }

  /** Margins for the pages that are like this one, or for all; null for those that are found. */
  setCrop(crop) {
    this.#become(this.pages, crop);
  }

  cropPages(page, box, areAlike, found) {
    const now = this.crop ?? found ?? { odd: full, even: full };
    const side = page % 2 === 0 ? "odd" : "even";
    this.#become(this.pages, areAlike ? { odd: box, even: box } : { ...now, [side]: box });
  }

  /** All pages as the file has them, with the margins that are found. */
  reset() {
    this.#become(natural(this.count), null, 0);
  }
}

const natural = (count) => Array.from({ length: count }, (_, page) => ({ page }));

const stateOf = (layout, count) => layout
  ? { pages: layout.pages.map((page) => ({ ...page })), crop: layout.crop ?? null }
  : { pages: natural(count), crop: null };
