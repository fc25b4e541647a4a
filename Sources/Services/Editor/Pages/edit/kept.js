// Edits that were typed and not yet sent, kept in the browser, so that a dead network or a closed lid loses nothing.
import { wallClock } from "/shared/wallclock.js";

const prefix = "baton.edit.unsent.";
export const titlesPrefix = "baton.edit.titles.";
const forgottenAfter = 15_000; // milliseconds without a sign of life from the page that kept it

/** Unsent edits of one concert by this page; those of a page that died are taken over, by the same person only. */
export class Kept {
  #concert;
  #page;
  #me;

  constructor(concert, me) {
    this.#concert = concert;
    this.#me = me;
    this.#page = pageName();
  }

  /** All unsent edits found, oldest first. */
  take() {
    const found = [];
    for (const key of keys(`${prefix}${this.#concert}.`)) {
      const { beat = 0, by = this.#me, entries = [] } = read(key);
      const mine = key === this.#key;
      if (by !== this.#me || (!mine && wallClock() - beat < forgottenAfter)) continue;
      found.push(...entries);
      if (!mine) localStorage.removeItem(key);
    }
    this.keep(found);
    return found;
  }

  keep(entries) {
    try {
      if (entries.length === 0) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, JSON.stringify({ beat: wallClock(), by: this.#me, entries }));
    } catch {
      // No room or not allowed: the edits live as long as the page.
    }
  }

  get #key() {
    return `${prefix}${this.#concert}.${this.#page}.${encodeURIComponent(this.#me)}`;
  }
}

/** Other people who left unsent edits of a concert in this browser; theirs are sent when they sign in here. */
export function unsentOfOthers(concert, me) {
  const names = keys(`${prefix}${concert}.`).map(read)
    .filter(({ by, entries }) => by !== undefined && by !== me && entries?.length).map(({ by }) => by);
  return [...new Set(names)];
}

/** The same for the titles of a piece, which ./titlebook.js keeps. */
export function unsentTitlesOfOthers(folder, me) {
  const names = keys(titlesPrefix).map(read)
    .filter((kept) => kept.by !== undefined && kept.by !== me && kept.folder === folder).map(({ by }) => by);
  return [...new Set(names)];
}

/** The number of unsent edits of a concert that this browser keeps. */
export const unsentOf = (concert) => keys(`${prefix}${concert}.`)
  .reduce((sum, key) => sum + (read(key).entries?.length ?? 0), 0);

function pageName() {
  try {
    const name = sessionStorage.getItem("baton.edit.page") ?? Math.random().toString(36).slice(2);
    sessionStorage.setItem("baton.edit.page", name);
    return name;
  } catch {
    return "only";
  }
}

function keys(start) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(start));
  } catch {
    return [];
  }
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}
