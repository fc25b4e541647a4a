// Systems read one after the other, for screens on which a whole page is too small: each as wide as the screen, and
// systems that are still too small cut at bar lines. Calculation only.
import { systemsOf } from "./cuts.js";

const idealWidth = 760; // px that a page should be wide, so that its notes can be read
const between = 10; // px between two rows
const settling = 2_000; // ms for which a turn by hand stays, wherever the music is
// Of a system's height, what is shown above and below it: at least, and at most where systems lie that far apart. High
// and low notes, tempos and signs of a single staff need more room than the staff itself.
const [beyond, farBeyond] = [0.3, 1.5];
const lap = 0.2; // of the paper up to the middle between two systems: shown by both rows, each its own ink

const middle = ([, top, , bottom]) => (top + bottom) / 2;

/** True if a part says where the measures are on most of its pages. */
export function hasSystems(part) {
  const known = new Set((part.places ?? []).filter(({ box }) => box).map(({ page }) => page));
  return known.size > 0 && known.size * 2 >= part.pages.length;
}

/** Half of the usual distance between the systems of a page; 0 for a single one. */
function halfGap(systems) {
  const gaps = systems.slice(1).map((system, at) => (system.top - systems[at].bottom) / 2).sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? 0;
}

/** A system and its neighbours, each as [top, bottom]. */
function neighbourhood(systems, at) {
  const [own, above, below] = [systems[at], systems[at - 1], systems[at + 1]]
    .map((system) => (system ? [system.top, system.bottom] : null));
  return above || below ? { own, above, below } : null;
}

/** The rows of a part on a screen: `[{ page, box, width, systems }]`, boxes in shares of the page; `width` is the share
    of the page that is as wide as the screen; `systems` are the row's system and its neighbours, if there are any. */
export function rowsOf(part, { width, height }) {
  const rows = [];
  part.pages.forEach((paper, page) => {
    if (paper.isBlank) return;
    const [left, top, right, bottom] = paper.crop ?? [0, 0, 1, 1];
    const boxes = part.places.filter((place) => place.page === page && place.box).map(({ box }) => box);
    const systems = systemsOf(boxes);
    if (systems.length === 0) return void rows.push({ page, box: [left, top, right, bottom], width: right - left });
    const half = halfGap(systems);
    systems.forEach((system, at) => {
      const high = system.bottom - system.top;
      const room = (gap) => Math.max(beyond * high, Math.min(gap * (1 + lap), farBeyond * high));
      // At the page's edges a single staff, which is hardly higher than half a gap, shares the paper with no neighbour.
      const edge = (high < 1.5 * half ? 2 * half : half) / (1 + lap);
      const [over, under] = [room(at > 0 ? half : edge), room(at + 1 < systems.length ? half : edge)];
      const share = (1 + lap) / 2;
      const above = at > 0 ? system.top - share * (system.top - systems[at - 1].bottom) : Math.min(top, system.top);
      const below = at + 1 < systems.length ? system.bottom + share * (systems[at + 1].top - system.bottom)
        : Math.max(bottom, system.bottom);
      const [from, to] = [Math.max(above, system.top - over, 0), Math.min(below, system.bottom + under, 1)];
      const own = boxes.filter((box) => middle(box) >= system.top && middle(box) <= system.bottom)
        .sort((a, b) => a[0] - b[0]);
      const edges = [Math.min(left, own[0][0]), Math.max(own.at(-1)[2], right)];
      rows.push(...pieces(own, edges, { page, from, to, paper, width, height })
        .map((row) => ({ ...row, systems: neighbourhood(systems, at) })));
    });
  });
  return rows;
}

/**
 * One system as one row, or as several of like width, cut where measures end.
 * @param {import("/shared/exchanged").Box[]} measures
 * @param {number[]} edges
 * @param {any} size
 */
function pieces(measures, [left, right], { page, from, to, paper, width, height }) {
  const wide = right - left;
  // As large as can be read, but no higher than the screen.
  const largest = (height - 2 * between) / (((to - from) * paper.height) / paper.width);
  const wanted = Math.min(idealWidth, largest);
  const count = Math.min(Math.max(Math.ceil((wide * wanted) / width - 0.25), 1), measures.length);
  const ends = [];
  for (let piece = 1; piece < count; piece += 1) {
    const ideal = left + (wide * piece) / count;
    const end = measures.map((box) => box[2]).filter((at) => at > (ends.at(-1) ?? left) && at < right - 0.02)
      .sort((a, b) => Math.abs(a - ideal) - Math.abs(b - ideal))[0];
    if (end !== undefined) ends.push(end);
  }
  const cuts = [left, ...ends, right];
  const share = Math.max(...cuts.slice(1).map((end, at) => end - cuts[at]));
  return cuts.slice(1).map((end, at) => ({ page, box: [cuts[at], from, end, to], width: share }));
}

/** The frames of rows on a screen from one of them on: `[{ index, frame, isWhole }]`. The first is always there. */
export function stacked({ rows, top }, { width, height }, part) {
  const placed = [];
  let y = 0;
  for (let index = top; index < rows.length && y < height; index += 1) {
    const { page, box, width: share } = rows[index];
    const paper = part.pages[page];
    let unit = width / (share * paper.width); // px for a unit of the page
    const high = (box[3] - box[1]) * paper.height;
    if (high * unit > height) unit = height / high;
    const frame = { left: 0, top: y, width: (box[2] - box[0]) * paper.width * unit, height: high * unit };
    if (frame.width < width * 0.98 && index === top && rows[index].width === box[2] - box[0]) {
      frame.left = (width - frame.width) / 2;
    }
    placed.push({ index, frame, isWhole: y + frame.height <= height + 1 });
    y += frame.height + between;
  }
  return placed;
}

/** Knows which rows are seen, and which come next. */
export class SystemTurning {
  top = 0;
  #held = null; // { at, row } since somebody turned away from the music, and the row it was in; null if nobody has
  #row = null; // in which the music was heard last

  /** `now` gives milliseconds. */
  constructor(part, frame, now = () => performance.now()) {
    this.part = part;
    this.frame = frame;
    this.now = now;
    this.rows = rowsOf(part, frame);
  }

  get page() {
    return this.rows[this.top].page;
  }

  get state() {
    return { rows: this.rows, top: this.top };
  }

  /** The number of rows that are seen whole; at least one. */
  #seenFrom(top) {
    const placed = stacked({ rows: this.rows, top }, this.frame, this.part);
    return Math.max(placed.filter(({ isWhole }) => isWhole).length, 1);
  }

  get seen() {
    return this.#seenFrom(this.top);
  }

  /** The pedal, a tap or a swipe. True if something else is seen. */
  press(direction) {
    const before = this.top;
    if (direction === "forward") this.top = Math.min(this.top + this.seen, this.rows.length - 1);
    else {
      let top = Math.max(this.top - 1, 0);
      while (top > 0 && top - 1 + this.#seenFrom(top - 1) >= before) top -= 1;
      this.top = top;
    }
    if (this.top !== before) this.#held = { at: this.now(), row: this.#row };
    return this.top !== before;
  }

  /** The row in which a box of a page lies; the first of the page without a box, or of the next page that has one. */
  rowOf(page, box = null) {
    if (box) {
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      const row = this.rows.findIndex((each) => each.page === page && x >= each.box[0] && x <= each.box[2]
        && y >= each.box[1] && y <= each.box[3]);
      if (row >= 0) return row;
    }
    const row = this.rows.findIndex((each) => each.page >= page);
    return row >= 0 ? row : this.rows.length - 1;
  }

  /** Goes to a row; `isHeld` by a person's order, the player's or a leader's. True if something else is seen. */
  go(row, isHeld = false) {
    const before = this.top;
    this.top = row;
    this.#held = isHeld ? { at: this.now(), row: this.#row } : null;
    return row !== before;
  }

  /** The music will be in a row in a moment: it and the next one are to be seen. True if that moves anything. */
  follow(row) {
    const last = this.top + Math.max(this.seen - 2, 0);
    const isHere = row >= this.top && row <= last;
    this.#row = row;
    if (this.#held) {
      // A stand that was just opened does not know where the music was.
      this.#held.row ??= row;
      // The place that somebody chose stays until the music comes to it, or is clearly elsewhere than it was.
      const isElsewhere = row !== this.#held.row && this.now() - this.#held.at > settling;
      if (!this.shows(row) && !isElsewhere) return false;
      this.#held = null;
    }
    if (isHere) return false;
    return this.go(row);
  }

  release() {
    this.#held = null;
  }

  shows(row) {
    return row >= this.top && row < this.top + this.seen;
  }
}
