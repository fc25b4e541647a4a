// Finds the remarks near a point of a page: boxes in the cells of a grid.
import { clamp, whole } from "./geometry.js";

const cells = 24;
const cell = whole / cells;

export class Grid {
  #cells = new Map();

  /** `entries`: { box: [left, top, right, bottom], … } in the order they are drawn in. */
  constructor(entries, ratio) {
    this.rows = Math.max(1, Math.ceil((whole * ratio) / cell));
    entries.forEach((entry, order) => {
      this.#each(entry.box, (key) => {
        const list = this.#cells.get(key);
        if (list) list.push([order, entry]);
        else this.#cells.set(key, [[order, entry]]);
      });
    });
  }

  /** The entries whose boxes come within `reach` of a point, the uppermost first. Cost: what is in a few cells. */
  near(x, y, reach) {
    const found = new Map();
    this.#each([x - reach, y - reach, x + reach, y + reach], (key) => {
      for (const [order, entry] of this.#cells.get(key) ?? []) {
        const [left, top, right, bottom] = entry.box;
        if (x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach) found.set(order, entry);
      }
    });
    return [...found].sort((a, b) => b[0] - a[0]).map(([, entry]) => entry);
  }

  #each([left, top, right, bottom], visit) {
    const column = (x) => clamp(Math.floor(x / cell), 0, cells - 1);
    const row = (y) => clamp(Math.floor(y / cell), 0, this.rows - 1);
    for (let r = row(top); r <= row(bottom); r += 1) {
      for (let c = column(left); c <= column(right); c += 1) visit(r * cells + c);
    }
  }
}
