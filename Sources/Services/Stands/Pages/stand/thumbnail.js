// Small pictures of pages.
import { drawUpright } from "/shared/pageform.js";
import { fitted } from "./written.js";

/** Fills a canvas with the picture of a page; `paper` is the laid page, if it is known how it is laid, and `map` that
    of a page in another key. Throws where it cannot be read. */
export async function paintThumbnail(canvas, blob, paper = null, map = null) {
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const brush = canvas.getContext("2d", { alpha: false });
    brush.fillStyle = "#fff";
    brush.fillRect(0, 0, canvas.width, canvas.height);
    const drawn = map ? fitted(image, map, canvas.width, canvas.height) : image;
    drawUpright(brush, drawn, paper?.form, [0, 0, 1, 1], canvas.width, canvas.height);
  } finally {
    URL.revokeObjectURL(url);
  }
}
