// Converts between a page as it lies in its file and the upright page that is shown: it is turned by quarters, then
// straightened about its middle. It computes as PageForm.swift does. Points are shares of the page's width and height.

const clamp = (value, least = 0, most = 1) => Math.min(Math.max(value, least), most);

export class Form {
  /** `size` is the page's `{ width, height }` in its file; `tilt` in degrees clockwise. */
  constructor({ width, height }, turns = 0, tilt = 0) {
    this.filedWidth = width;
    this.filedHeight = height;
    this.turns = turns & 3;
    this.tilt = tilt;
    this.width = turns % 2 ? height : width;
    this.height = turns % 2 ? width : height;
    this.sine = Math.sin((tilt * Math.PI) / 180);
    this.cosine = Math.cos((tilt * Math.PI) / 180);
  }

  get isPlain() {
    return this.turns === 0 && this.tilt === 0;
  }

  /** Converts a point of the file's page to the upright page. */
  upright([x, y]) {
    const turned = [[x, y], [1 - y, x], [1 - x, 1 - y], [y, 1 - x]][this.turns];
    return this.#rotated(turned, this.sine);
  }

  /** Converts a point of the upright page to the file's page. */
  filed(point) {
    const [x, y] = this.#rotated(point, -this.sine);
    return [[x, y], [y, 1 - x], [1 - x, 1 - y], [1 - y, x]][this.turns];
  }

  /** The upright box around a box, kept on the page. */
  uprightBox(box) {
    return this.isPlain ? [...box] : around(box, (point) => this.upright(point));
  }

  /** The box of the file's page around an upright box, kept on the page. */
  filedBox(box) {
    return this.isPlain ? [...box] : around(box, (point) => this.filed(point));
  }

  /** @param {number[]} point */
  #rotated([x, y], sine) {
    if (sine === 0) return [x, y];
    const [across, down] = [(x - 0.5) * this.width, (y - 0.5) * this.height];
    return [0.5 + (across * this.cosine - down * sine) / this.width,
      0.5 + (across * sine + down * this.cosine) / this.height];
  }
}

function around([left, top, right, bottom], move) {
  const corners = [[left, top], [right, top], [left, bottom], [right, bottom]].map(move);
  const [across, down] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [clamp(Math.min(...across)), clamp(Math.min(...down)), clamp(Math.max(...across)), clamp(Math.max(...down))];
}

/** Draws the shown part of a page into a frame of a canvas, turned and straightened. Without a form, as it is. */
export function drawUpright(brush, image, form, [left, top, right, bottom], width, height) {
  const [across, down] = [width / (right - left), height / (bottom - top)]; // of the whole page
  brush.save();
  brush.translate(-left * across, -top * down);
  if (form && !form.isPlain) {
    brush.translate(across / 2, down / 2);
    brush.rotate(((form.turns * 90 + form.tilt) * Math.PI) / 180);
    const [wide, high] = form.turns % 2 ? [down, across] : [across, down];
    brush.drawImage(image, -wide / 2, -high / 2, wide, high);
  } else brush.drawImage(image, 0, 0, across, down);
  brush.restore();
}
