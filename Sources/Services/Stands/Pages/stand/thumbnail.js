// Small pictures of pages.

/** Fills a canvas with the picture of a page. Throws where it cannot be read. */
export async function paintThumbnail(canvas, blob) {
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const brush = canvas.getContext("2d", { alpha: false });
    brush.fillStyle = "#fff";
    brush.fillRect(0, 0, canvas.width, canvas.height);
    brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  } finally {
    URL.revokeObjectURL(url);
  }
}
