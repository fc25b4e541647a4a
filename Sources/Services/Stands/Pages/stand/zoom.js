// The size of the music on the stand and the part of it that is seen: calculation only, in CSS pixels of the stage.

const mostZoom = 4;
const nearlyWhole = 1.04; // fingers that let go here meant the whole page

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

export class Zoom {
  scale = 1;
  x = 0; // where the stage's left upper corner has moved to
  y = 0;
  #frame = { width: 0, height: 0 };
  #bounds = { left: 0, top: 0, right: 0, bottom: 0 };

  get isWhole() {
    return this.scale === 1;
  }

  /** New music or a new stage: `bounds` is where the whole of it lies on a stage as large as `frame`. */
  lay(frame, bounds) {
    this.#frame = frame;
    this.#bounds = bounds;
    this.whole();
  }

  whole() {
    Object.assign(this, { scale: 1, x: 0, y: 0 });
  }

  /** Zooms so that what lay under `from` comes to lie under `to`, as far as the paper goes. */
  to(scale, from, to = from) {
    const fresh = clamp(scale, 1, mostZoom);
    const ratio = fresh / this.scale;
    this.x = to.x - (from.x - this.x) * ratio;
    this.y = to.y - (from.y - this.y) * ratio;
    this.scale = fresh;
    this.#keep();
  }

  pan(across, down) {
    this.x += across;
    this.y += down;
    this.#keep();
  }

  /** Shows the whole page if almost the whole page is shown. */
  round() {
    if (this.scale < nearlyWhole) this.whole();
  }

  #keep() {
    const { left, top, right, bottom } = this.#bounds;
    this.x = kept(this.x, this.scale, left, right, this.#frame.width);
    this.y = kept(this.y, this.scale, top, bottom, this.#frame.height);
  }
}

/** Along one direction: paper larger than the stage leaves none of it empty; smaller paper grows where it lies. */
function kept(offset, scale, from, to, room) {
  const ends = [-from * scale, room - to * scale];
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if ((to - from) * scale > room) return clamp(offset, least, most);
  const middle = (from + to) / 2;
  return clamp(middle - middle * scale, least, most);
}
