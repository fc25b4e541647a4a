// Scores and pictures of their pages: from this device where they are kept, else from the server.
import { ask } from "/shared/api.js";
import { laidScore } from "./layout.js";
import { pictures, things } from "./store.js";

/** The size of the pictures that this device keeps. */
export const pictureSize = Math.max(screen.width, screen.height) * devicePixelRatio > 1_900 ? "large" : "medium";

// Rises when the server draws thumbnails in another way: kept ones are then not used any more.
const drawing = { thumbnail: "2" };

/** The name of the edition to which pictures of a part belong: it stays the same while only the layout or the measures
    change. */
export const edition = (score, part) => score.images?.[part] ?? score.revision ?? "";
const pictureKey = (score, part, page, kind) =>
  `${score.id}/${edition(score, part)}/${part}/${page}/${kind}${drawing[kind] ?? ""}`;
const address = (score, part, page, kind) =>
  `/api/scores/${score.id}/parts/${part}/pages/${page}?size=${kind}` +
  `&r=${encodeURIComponent(edition(score, part))}${drawing[kind] ? `&v=${drawing[kind]}` : ""}`;

/** A score: kept or fetched. With `fresh`, the server's where it answers. Throws Refusal where there is neither. */
export async function score(id, fresh = false) {
  const kept = await things.get(`score:${id}`);
  if (kept && !fresh) return kept;
  try {
    const found = await ask(`/api/scores/${id}`, { patience: 6_000 });
    await things.put(`score:${id}`, found);
    return found;
  } catch (refusal) {
    if (kept && refusal.status === 0) return kept;
    throw refusal;
  }
}

const white = new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="2" height="3"></svg>'],
  { type: "image/svg+xml" });

/** The picture of a page as its file has it, as a Blob; kept once it was seen. The page is its position on a laid
    score, or its number on one as the server gives it. Throws where it is neither kept nor to be had; with `isKeeping`
    also where this device has no room for it. */
export async function picture(whole, part, position, kind = pictureSize, isKeeping = false) {
  const laid = whole.parts[part]?.pages[position];
  if (laid?.isBlank) return white;
  const page = laid?.page ?? position;
  const key = pictureKey(whole, part, page, kind);
  const kept = await pictures.get(key);
  if (kept) return kept;
  if (kind === "thumbnail") {
    const large = await pictures.get(pictureKey(whole, part, page, pictureSize));
    if (large) return large;
  }
  const response = await fetch(address(whole, part, page, kind),
    { credentials: "same-origin", signal: AbortSignal.timeout(20_000) });
  if (!response.ok) throw new Error(`The server has no picture of page ${page + 1} (${response.status}).`);
  const blob = await sized(await response.blob(), laid);
  // The music does not wait until it is kept.
  const keeping = pictures.put(key, blob);
  if (isKeeping && !(await keeping)) throw new Error("There is no room left on this device.");
  return blob;
}

/** The picture of a page that is zoomed: the largest there is, or what there is without the server. */
export async function largePicture(whole, part, page) {
  if (pictureSize === "large") return picture(whole, part, page);
  return picture(whole, part, page, "large").catch(() => picture(whole, part, page));
}

/** Some browsers paint an SVG only where it says how large it is. */
export async function sized(blob, paper) {
  if (!blob.type.startsWith("image/svg") || !paper) return blob;
  const { filedWidth: width = paper.width, filedHeight: height = paper.height } = paper.form ?? {};
  const text = await blob.text();
  const root = text.match(/<svg\b[^>]*>/)?.[0] ?? "";
  if (root === "" || /\swidth=/.test(root)) return blob;
  return new Blob([text.replace(root, root.replace("<svg", `<svg width="${width}" height="${height}"`))],
    { type: "image/svg+xml" });
}

/** Scores kept whole on this device: `{ id: revision }`. */
export async function downloads() {
  return (await things.get("downloads")) ?? {};
}

/** Fetches all pages of a score and calls `progress(done, all)`. Continues after an interruption. */
export async function download(id, progress) {
  navigator.storage?.persist?.().catch(() => {});
  const whole = laidScore(await score(id, true));
  const pages = whole.parts.flatMap((part, index) => part.pages.map((_, page) => [index, page]));
  const all = pages.length;
  let done = 0;
  progress(0, all);
  const lane = async () => {
    for (let next = pages.shift(); next; next = pages.shift()) {
      await picture(whole, next[0], next[1], pictureSize, true);
      done += 1;
      progress(done, all);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  await things.put("downloads", { ...(await downloads()), [id]: whole.revision ?? "" });
}

/** Takes a score off this device. */
export async function discard(id) {
  const kept = await downloads();
  delete kept[id];
  await things.put("downloads", kept);
  await things.remove(`score:${id}`);
  await pictures.removeAll(`${id}/`);
}
