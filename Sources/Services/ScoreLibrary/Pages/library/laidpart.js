// A part as it is laid, for marking its measures: pages in their order and upright, but not straightened, so that
// frames stay upright boxes of the file's page. What is marked is kept on the pages of the file.
import { Form } from "/shared/pageform.js";

/** The part with pages and places by position. `pages` have their `page` in the file and their `form`. */
export function laidPart(part) {
  const laid = (part.layout?.pages ?? part.pages.map((_, page) => ({ page })))
    .filter(({ page }) => page < part.pages.length);
  const pages = laid.map(({ page, turn = 0 }) => {
    const form = new Form(part.pages[page], turn);
    return { width: form.width, height: form.height, page, form };
  });
  const position = new Map(pages.map(({ page }, at) => [page, at]));
  const shown = part.places.filter(({ page }) => position.has(page));
  const places = shown.map((place) => {
    const at = position.get(place.page);
    return { ...place, page: at, box: place.box ? pages[at].form.uprightBox(place.box) : null };
  });
  // Measures of pages that are left out are kept as they are.
  return { ...part, pages, places, unseen: part.places.filter(({ page }) => !position.has(page)) };
}

/** The places as they are kept: by pages of the file, the unseen ones where their numbers belong. */
export function filedPlaces(places, part) {
  const filed = places.map(({ box, ...rest }) => {
    const { page, form } = part.pages[rest.page];
    return { ...rest, page, ...(box ? { box: form.filedBox(box) } : {}) };
  });
  if (part.unseen.length === 0) return filed;
  const seen = new Set(filed.map((place) => `${place.movement ?? 0} ${place.first}`));
  return [...filed, ...part.unseen.filter((place) => !seen.has(`${place.movement ?? 0} ${place.first}`))]
    .sort((a, b) => (a.movement ?? 0) - (b.movement ?? 0) || a.first - b.first);
}

/** Lays a page's picture, as its file has it, over its upright paper. */
export function layImage(image, { form }) {
  const isOnSide = form.turns % 2 === 1;
  const [width, height] = isOnSide ? [(form.height / form.width) * 100, (form.width / form.height) * 100] : [100, 100];
  Object.assign(image.style, form.turns === 0
    ? { position: "", left: "", top: "", width: "", height: "", transform: "" }
    : { position: "absolute", left: "50%", top: "50%", width: `${width}%`, height: `${height}%`,
      transform: `translate(-50%, -50%) rotate(${form.turns * 90}deg)` });
}
