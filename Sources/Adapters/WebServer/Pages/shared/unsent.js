// What is not sent yet, kept in this browser for the person who made it: a reload, a closed lid or a dead network loses
// nothing, and whoever signs in here next does not send it.
import { pageID } from "./ids.js";
import { keep, readKept, storage } from "./kept.js";
import { wallClock } from "./wallclock.js";

const rest = 5_000; // ms between two signs of life of a page that keeps something
const forgottenAfter = 15_000; // ms without a sign of life, after which another page takes it over
const takenMark = '{"taken"'; // begins what stands in the place of what another page took over
const longestSleep = 7 * 24 * 3_600_000; // ms for which that stands there

/** As it is kept under `PREFIX.DOCUMENT.PAGE.PERSON`. */
const plainShape = (place, value) => ({ of: place.split(".")[0], ...value });

/**
 * Everything that is kept under a prefix: [{ key, of, by, beat, entries }], `of` being the document.
 * `shape(place, value)` reads what an earlier version kept; `place` is the key after the prefix.
 */
function kept(prefix, shape = plainShape) {
  return Object.keys(storage() ?? {}).filter((key) => key.startsWith(prefix)).map((key) => {
    const value = readKept(key);
    return { key, ...(value && shape(key.slice(prefix.length), value)) };
  }).filter(({ entries }) => entries?.length > 0);
}

/** Other people who left something of a document here. */
export const peopleWithUnsent = (prefix, of, me, shape) => [...new Set(kept(prefix, shape)
  .filter((each) => each.of === String(of) && each.by !== undefined && each.by !== me).map(({ by }) => by))];

/** The number of entries that are kept of a document. */
export const unsentCount = (prefix, of, shape) => kept(prefix, shape)
  .filter((each) => each.of === String(of)).reduce((sum, { entries }) => sum + entries.length, 0);

export class Unsent {
  #place;
  #page = pageID("baton.edit.page");
  #prefix;
  #beat = setInterval(() => this.#live(), rest);
  #entries = [];
  #looked = wallClock();
  #left;
  #taken;

  /** False if there was no room, or keeping is forbidden: then it lasts as long as the page. */
  isKept = true;

  /**
   * `of` is the document, `me` the name of whoever edits it.
   * `left()` is called, again and again, while something lies here that a page which died left, for `takeLeft`;
   * `taken()` if another page has taken over what this one kept, because this one slept: it lets go of it then.
   */
  constructor(prefix, of, me, { shape = plainShape, left = () => {}, taken = () => {} } = {}) {
    this.of = String(of);
    this.me = me;
    this.shape = shape;
    [this.#left, this.#taken] = [left, taken];
    this.#prefix = prefix;
    this.#place = `${prefix}${of}.${this.#page}.${encodeURIComponent(me)}`;
  }

  /**
   * What this person left here: on this page before a reload, and on pages that are gone. Takes what at most so many
   * pages left; the rest stays for the next time.
   */
  take(mostPages = Infinity) {
    return this.#takeOver(this.#pages().slice(0, mostPages), []);
  }

  /** The same while the page is open: what pages that have died since left, beside what this one keeps. */
  takeLeft(mostPages = Infinity) {
    return this.#takeOver(this.#pages().filter((each) => !this.#isOwn(each)).slice(0, mostPages), this.#entries);
  }

  /** Looks whether what this page keeps is still its own. */
  look() {
    if (!storage()?.getItem(this.#place)?.startsWith(takenMark)) return;
    keep(this.#place, null);
    this.#entries = [];
    this.#taken();
  }

  #live() {
    const wasAsleep = wallClock() - this.#looked > 2 * rest;
    this.#looked = wallClock();
    this.look();
    if (this.#entries.length > 0) this.keep(this.#entries);
    // After this device slept, the pages that are alive give a sign first.
    if (!wasAsleep && this.#pages().some((each) => !this.#isOwn(each))) this.#left();
  }

  #isOwn({ key }) {
    return key.slice(this.#prefix.length).split(".").includes(this.#page);
  }

  /** What this person kept on this page and on pages that are gone; this page first, then the oldest. */
  #pages() {
    return kept(this.#prefix, this.shape).filter((each) => each.of === this.of && (each.by ?? this.me) === this.me
      && (this.#isOwn(each) || wallClock() - (each.beat ?? 0) > forgottenAfter))
      .sort((one, other) => this.#isOwn(other) - this.#isOwn(one) || (one.beat ?? 0) - (other.beat ?? 0));
  }

  #takeOver(pages, own) {
    const entries = pages.flatMap((each) => each.entries);
    this.keep([...own, ...entries]);
    if (!this.isKept) return entries;
    for (const key of Object.keys(storage())) {
      if (key.startsWith(this.#prefix) && readKept(key)?.taken < wallClock() - longestSleep) keep(key, null);
    }
    for (const { key } of pages) if (key !== this.#place) keep(key, { taken: wallClock() });
    return entries;
  }

  keep(entries) {
    this.#entries = entries;
    try {
      if (entries.length === 0) storage()?.removeItem(this.#place);
      else {
        const { of, me } = this;
        storage().setItem(this.#place, JSON.stringify({ of, by: me, beat: wallClock(), entries }));
      }
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }

  close() {
    clearInterval(this.#beat);
  }
}
