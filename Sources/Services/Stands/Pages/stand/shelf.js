// Scores and pictures of their pages: from this device where they are kept, else from the server.
import { ask } from "/shared/api.js";
import { pictures, things } from "./store.js";

/** The size of the pictures that this device keeps. */
export const pictureSize = Math.max(screen.width, screen.height) * devicePixelRatio > 1_900 ? "large" : "medium";

// Rises when the server draws thumbnails in another way: those that are kept count no more.
const drawing = { thumbnail: "2" };

const pictureKey = (score, part, page, kind) =>
  `${score.id}/${score.revision ?? ""}/${part}/${page}/${kind}${drawing[kind] ?? ""}`;
const address = (score, part, page, kind) =>
  `/api/scores/${score.id}/parts/${part}/pages/${page}?size=${kind}` +
  `&r=${encodeURIComponent(score.revision ?? "")}${drawing[kind] ? `&v=${drawing[kind]}` : ""}`;

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

/** The picture of a page, as a Blob; kept once it was seen. Throws where it is neither kept nor to be had. */
export async function picture(whole, part, page, kind = pictureSize) {
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
  const blob = await sized(await response.blob(), whole.parts[part]?.pages[page]);
  await pictures.put(key, blob);
  return blob;
}

/** The picture of a page that is zoomed: the largest there is, or what there is without the server. */
export async function largePicture(whole, part, page) {
  if (pictureSize === "large") return picture(whole, part, page);
  return picture(whole, part, page, "large").catch(() => picture(whole, part, page));
}

/** Some browsers paint an SVG only where it says how large it is. */
async function sized(blob, paper) {
  if (!blob.type.startsWith("image/svg") || !paper) return blob;
  const text = await blob.text();
  const root = text.match(/<svg\b[^>]*>/)?.[0] ?? "";
  if (root === "" || /\swidth=/.test(root)) return blob;
  return new Blob([text.replace(root, root.replace("<svg", `<svg width="${paper.width}" height="${paper.height}"`))],
    { type: "image/svg+xml" });
}

/** Scores kept whole on this device: `{ id: revision }`. */
export async function downloads() {
  return (await things.get("downloads")) ?? {};
}

/** Fetches all pages of a score; `progress(done, all)` is told. Goes on where it was broken off. */
export async function download(id, progress) {
  navigator.storage?.persist?.().catch(() => {});
  const whole = await score(id, true);
  const pages = whole.parts.flatMap((part, index) => part.pages.map((_, page) => [index, page]));
  const all = pages.length;
  let done = 0;
  progress(0, all);
  const lane = async () => {
    for (let next = pages.shift(); next; next = pages.shift()) {
      await picture(whole, next[0], next[1]);
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
