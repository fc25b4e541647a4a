// A part in another key than it has, for one reader of this device: engraved anew by the server, on the same pages.
// Each new page is drawn to fit the part's own one, so that measures, remarks and turns stay where they are.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { edition, sized } from "./shelf.js";
import { pictures, quick, things } from "./store.js";

const patience = 90_000; // ms: a full score takes ten seconds to be engraved, on a busy machine several times as long
const nameOf = (whole, part, interval) => `${whole.id}/${edition(whole, part)}/${part}/written/${interval}`;
const address = (whole, part, interval) => `/api/scores/${whole.id}/parts/${part}/written/${interval}`;

/** The interval by which a user reads a part higher than it is written; null for as it is. */
export const readingOf = (user, score, part) => quick.get(`written.${user}.${score}.${part}`)?.interval ?? null;

export function setReading(user, score, part, interval) {
  quick.put(`written.${user}.${score}.${part}`, { interval: interval || null });
}

/** True if a part can be read in another key. */
export const isRewritable = (whole, part) => whole.rewritable?.[part] === true;

/** True if a part was engraved from music that the server does not have any more. */
export const isMusicMissing = (whole, part) => whole.musicMissing?.[part] === true;

/** Asks the server for a part in another key: `{ images, pages }`, with the map of each page of the file. Throws a
    Refusal if it is neither kept here nor available. */
export async function writtenPart(whole, part, interval) {
  const key = `written:${nameOf(whole, part, interval)}`;
  const kept = await things.get(key);
  if (kept) return kept;
  const found = await ask(address(whole, part, interval), { patience });
  await things.put(key, found);
  return found;
}

/** A page in another key: `{ blob, map }`. The page is its number in the file. Throws where it is not to be had; with
    `isKeeping` also where this device has no room for it. */
export async function writtenPicture(whole, part, page, interval, isKeeping = false) {
  const { images, pages } = await writtenPart(whole, part, interval);
  const key = `${nameOf(whole, part, interval)}/${page}`;
  const kept = await pictures.get(key);
  if (kept) return { blob: kept, map: pages[page] };
  const response = await fetch(`${address(whole, part, interval)}/pages/${page}?r=${encodeURIComponent(images)}`,
    { credentials: "same-origin", signal: AbortSignal.timeout(patience) });
  if (!response.ok) throw new Error(`The server does not have page ${page + 1} in this key (${response.status}).`);
  const paper = whole.parts[part].pages.find((each) => (each.page ?? page) === page);
  const { filedWidth: width = paper.width, filedHeight: height = paper.height } = paper.form ?? {};
  const blob = await sized(await response.blob(), { width, height: height / pages[page].y.at(-1)[1] });
  const keeping = pictures.put(key, blob);
  if (isKeeping && !(await keeping)) throw new Error("There is no room left on this device.");
  return { blob, map: pages[page] };
}

/** Keeps the pages of a part in the key that a user reads; gives their bytes, 0 if it is read as it is. */
export async function keepWritten(whole, part, user) {
  const interval = readingOf(user, whole.id, part);
  if (!interval || !isRewritable(whole, part)) return 0;
  const { pages } = await writtenPart(whole, part, interval);
  let bytes = 0;
  for (let page = 0; page < pages.length; page += 1) {
    bytes += (await writtenPicture(whole, part, page, interval, true)).blob.size;
  }
  return bytes;
}

/** Draws a page in another key so that each measure and staff lies where the part's own page has it; `width` and
    `height` in pixels. */
export function fitted(image, map, width, height) {
  const tall = Math.round(height / map.y.at(-1)[1]);
  const source = white(width, tall, image);
  const page = white(width, height);
  const brush = page.getContext("2d", { alpha: false });
  let top = 0;
  for (const { bottom, x } of map.systems) {
    for (const [fromTop, fromBottom, toTop, toBottom] of stretches(map.y, top, bottom)) {
      const [up, down] = [Math.round(fromTop * height), Math.round(fromBottom * height)];
      for (const [fromLeft, fromRight, toLeft, toRight] of stretches(x, 0, 1)) {
        const [left, right] = [Math.round(fromLeft * width), Math.round(fromRight * width)];
        if (right > left && down > up) {
          brush.drawImage(source, toLeft * width, toTop * tall, (toRight - toLeft) * width, (toBottom - toTop) * tall,
            left, up, right - left, down - up);
        }
      }
    }
    top = bottom;
  }
  return page;
}

/** The stretches between two places of the part's page: where each begins and ends there, and on the new page. */
export function stretches(knots, from, to) {
  const found = [];
  for (let at = 1; at < knots.length; at += 1) {
    const [[a, b], [c, d]] = [knots[at - 1], knots[at]];
    const [begin, end] = [Math.max(a, from), Math.min(c, to)];
    if (begin >= end) continue;
    const there = (place) => b + ((place - a) / (c - a)) * (d - b);
    found.push([begin, end, there(begin), there(end)]);
  }
  return found;
}

function white(width, height, image = null) {
  const canvas = make("canvas");
  Object.assign(canvas, { width, height });
  const brush = canvas.getContext("2d", { alpha: false });
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, width, height);
  if (image) brush.drawImage(image, 0, 0, width, height);
  return canvas;
}
