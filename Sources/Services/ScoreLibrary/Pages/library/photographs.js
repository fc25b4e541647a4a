// Photographs of printed pages: those chosen together become the pages of one PDF, upright and in the order of their
// names, before they are sent.
import { make } from "/shared/dom.js";

const longest = 3508; // pixels of a page: A4 at 300 dots per inch
const longestPoints = 842; // A4
const quality = 0.85;
const mostPhotographs = 200; // of one part
const camera = /^(img|image|dsc[nf]?|pxl|photo|scan|screenshot)?[\s_\-\d]*$/i; // names that say nothing

/** True for a picture that browsers may be able to read. */
export const isPhotograph = (file) =>
  file.type.startsWith("image/") || /\.(jpe?g|png|webp|heic|heif)$/i.test(file.name);

/** A name for the PDF of these photographs. */
export function nameOf(photographs) {
  const names = photographs.map(({ name }) => name.replace(/\.[^.]*$/, ""));
  let [common] = names;
  for (const name of names) while (!name.startsWith(common)) common = common.slice(0, -1);
  if (names.length > 1) common = common.replace(/[\s_\-\d]+$/, "");
  return `${camera.test(common) ? "Photographed pages" : common}.pdf`;
}

/** The PDF; `tell(number)` hears which photograph is being read. Refused with a sentence that names the photograph. */
export async function pdfOf(photographs, tell) {
  if (photographs.length > mostPhotographs) {
    throw new Error(`These are ${photographs.length} photographs; add at most ${mostPhotographs} at a time.`);
  }
  const sorted = photographs.toSorted((one, other) =>
    one.name.localeCompare(other.name, undefined, { numeric: true }));
  const pages = [];
  for (const [index, photograph] of sorted.entries()) {
    tell(index + 1);
    pages.push(await pageOf(photograph));
  }
  return new File(written(pages), nameOf(photographs), { type: "application/pdf" });
}

/** A photograph as JPEG, turned as the camera says. */
async function pageOf(photograph) {
  let picture;
  try {
    picture = await createImageBitmap(photograph);
  } catch {
    throw new Error(`“${photograph.name}” cannot be read as a picture; save it as JPEG, then add it again.`);
  }
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = make("canvas", { width, height });
  const brush = canvas.getContext("2d", { alpha: false });
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, width, height);
  brush.drawImage(picture, 0, 0, width, height);
  picture.close();
  const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
  if (!jpeg) throw new Error(`“${photograph.name}” is too large for this browser; make it smaller, then add it again.`);
  return { jpeg, width, height };
}

/** The pieces of a PDF with one picture on each page. */
function written(pages) {
  const pieces = [];
  const starts = [];
  let length = 0;
  const add = (piece) => {
    pieces.push(piece);
    length += piece.size ?? piece.length; // all text is ASCII
  };
  const object = (...content) => {
    starts.push(length);
    add(`${starts.length} 0 obj\n`);
    content.forEach(add);
    add("\nendobj\n");
  };
  add("%PDF-1.4\n");
  object("<< /Type /Catalog /Pages 2 0 R >>");
  const first = (index) => 3 + 3 * index; // a page, its content, its picture
  const kids = pages.map((_, index) => `${first(index)} 0 R`).join(" ");
  object(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  for (const [index, { jpeg, width, height }] of pages.entries()) {
    const points = longestPoints / Math.max(width, height);
    const [across, down] = [width, height].map((side) => (side * points).toFixed(2));
    const drawing = `q ${across} 0 0 ${down} 0 0 cm /P Do Q`;
    object(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${across} ${down}] /Contents ${first(index) + 1} 0 R `
      + `/Resources << /XObject << /P ${first(index) + 2} 0 R >> >> >>`);
    object(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`);
    object(`<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB `
      + `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.size} >>\nstream\n`, jpeg, "\nendstream");
  }
  const table = length;
  add(`xref\n0 ${starts.length + 1}\n0000000000 65535 f \n`);
  for (const start of starts) add(`${String(start).padStart(10, "0")} 00000 n \n`);
  add(`trailer\n<< /Size ${starts.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return pieces;
}
