// What is certain of the stroke under way, on small canvases where the pen has been: browsers copy a changed canvas as
// a whole, and draw everything below it anew.
import { make } from "/shared/dom.js";

export const tileSize = 256; // CSS pixels of the screen
const mostSpare = 24; // canvases that are kept for the next stroke

/** A canvas for ink that is not a remark yet. The essential layout is set on it: a style sheet may come late. */
export function inkCanvas(name) {
  const element = make("canvas", { class: `remark-${name}`, "aria-hidden": "true" });
  Object.assign(element.style, { position: "absolute", inset: "0 auto auto 0", willChange: "transform" });
  return { element, brush: element.getContext("2d", { desynchronized: true }) };
}

/** Lays an empty square canvas of `size` CSS pixels of the screen with its upper left corner there on the page. */
export function layCanvas({ element, brush }, { left, top, size, scale, zoom }) {
  const pixels = Math.round(size * scale);
  if (element.width !== pixels) Object.assign(element, { width: pixels, height: pixels });
  const side = `${size / zoom}px`;
  Object.assign(element.style,
    { width: side, height: side, transform: `translate(${left / zoom}px, ${top / zoom}px)` });
  brush.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
}

export class WetInk {
  #tiles = new Map(); // "column row" → tile of the stroke under way
  #spare = []; // empty tiles

  /** Begins over `root`, whose size on the screen is `across` by `down` CSS pixels. `style` is that of the brush. */
  begin(root, { across, down, scale, zoom }, style, isBroad) {
    this.root = root;
    this.scale = scale;
    this.zoom = zoom;
    this.style = style;
    this.isBroad = isBroad;
    this.ends = [Math.ceil(across / tileSize) - 1, Math.ceil(down / tileSize) - 1];
  }

  /** Lets `paint(brush)` draw in each tile that `box` (left, top, right, bottom in CSS pixels) touches. */
  draw([left, top, right, bottom], paint) {
    const [column, row] = [Math.max(0, Math.floor(left / tileSize)), Math.max(0, Math.floor(top / tileSize))];
    const lastColumn = Math.min(this.ends[0], Math.floor(right / tileSize));
    const lastRow = Math.min(this.ends[1], Math.floor(bottom / tileSize));
    for (let y = row; y <= lastRow; y += 1) {
      for (let x = column; x <= lastColumn; x += 1) paint(this.#tile(x, y).brush);
    }
  }

  end() {
    for (const tile of this.#tiles.values()) {
      tile.element.remove();
      if (this.#spare.length < mostSpare) this.#spare.push(tile);
    }
    this.#tiles.clear();
  }

  #tile(column, row) {
    const name = `${column} ${row}`;
    let tile = this.#tiles.get(name);
    if (tile) return tile;
    tile = this.#spare.pop() ?? inkCanvas("wet");
    const { element, brush } = tile;
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.clearRect(0, 0, element.width, element.height);
    layCanvas(tile, { left: column * tileSize, top: row * tileSize, size: tileSize, scale: this.scale,
      zoom: this.zoom });
    Object.assign(brush, this.style);
    element.classList.toggle("broad", this.isBroad);
    this.root.append(element);
    this.#tiles.set(name, tile);
    return tile;
  }
}
