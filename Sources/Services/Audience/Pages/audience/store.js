// The content that this phone keeps to read later: a folder for each piece, in the browser's cache under names of its
// own.
import { keep as keepValue, readKept } from "/shared/kept.js";
import { folderOf } from "./concert.js";

const cacheName = "baton-kept";
const headingPath = "/kept/concert.json";
const removedPlace = "baton.audience.removed";

/** Only a secure address may keep anything. */
export const canKeep = () => "caches" in window;
const open = () => caches.open(cacheName);
const piecePath = (folder) => `/kept/${folder}/data.json`;
const imagePath = (image, folder) => `${new URL(image, location.href).pathname}?kept=${folder}`;
const imagesOf = (piece, glossary) => [...new Set([
  ...piece.tracks.flatMap((track) => track.slides).flatMap((slide) => slide.parts).map((part) => part.image),
  ...piece.tracks.flatMap((track) => track.slides).flatMap((slide) => slide.links ?? [])
    .map((link) => glossary[link.item]?.image),
].filter(Boolean))];

async function read(cache, path) {
  const answer = await cache.match(path);
  return answer ? answer.json() : null;
}

const put = (cache, path, value) =>
  cache.put(path, new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } }));

// The folder for content of the whole concert instead of one piece: programme notes, and the app's own pictures.
const shared = "concert";
const sharedOf = (concert) => [concert.programNotes, concert.programNotesText,
  ...(concert.info?.cast ?? []).map(({ image }) => image), ...Object.values(concert.pictures ?? {})].filter(Boolean);
const sharedPath = (address) => `${address}${address.includes("?") ? "&" : "?"}kept=${shared}`;

/** The address of the cover this phone kept, which then costs no request; null if there is none. */
export async function keptCover() {
  if (!canKeep() || !navigator.serviceWorker?.controller) return null;
  const cache = await open();
  const cover = (await read(cache, headingPath))?.pictures?.splash;
  return cover && await cache.match(sharedPath(cover)) ? cover : null;
}

/** The concert as this phone kept it; null if it kept none. */
export async function keptConcert() {
  if (!canKeep()) return null;
  const cache = await open();
  const heading = await read(cache, headingPath);
  const folders = await keptFolders();
  const order = [...(heading?.folders ?? []).filter((folder) => folders.has(folder))];
  const rest = [...folders].filter((folder) => !order.includes(folder));
  const entries = (await Promise.all([...order, ...rest].map((folder) => read(cache, piecePath(folder)))))
    .filter(Boolean);
  if (!entries.length) return null;
  const { folders: _, ...shown } = heading
    ?? { revision: "kept", title: entries[0].concert, glossary: entries[0].glossary };
  return { ...shown, pieces: entries.filter((entry) => entry.concert === shown.title).map((entry) => entry.piece) };
}

export async function keptFolders() {
  if (!canKeep()) return new Set();
  const keys = await (await open()).keys();
  return new Set(keys.map((key) =>
    /^\/kept\/(POA[^/]+)\/data\.json$/.exec(decodeURIComponent(new URL(key.url).pathname))?.[1]).filter(Boolean));
}

/** [{folder, name, concert, bytes}] of everything kept, pictures counted in. */
export async function keptPieces() {
  if (!canKeep()) return [];
  const cache = await open();
  const pieces = new Map();
  for (const folder of await keptFolders()) {
    const entry = await read(cache, piecePath(folder));
    if (entry) {
      pieces.set(folder,
        { folder, name: entry.piece.name, concert: entry.concert, bytes: JSON.stringify(entry.piece).length });
    }
  }
  for (const key of await cache.keys()) {
    const piece = pieces.get(new URL(key.url).searchParams.get("kept"));
    const answer = piece && await cache.match(key);
    if (answer) piece.bytes += (await answer.blob()).size;
  }
  return [...pieces.values()];
}

const removed = () => readKept(removedPlace) ?? [];

// If this list cannot be stored, deleted content may be kept again after a reload.
const setRemoved = (folders) => keepValue(removedPlace, folders);

/** The listener wants everything kept, also what they deleted. */
export const wantAllAgain = () => setRemoved([]);

/**
 * Keeps a concert's texts, except what the listener deleted. Tells what was kept before in another version, so that its
 * pictures may be others too: {heading: Boolean, pieces: names}.
 */
export async function keep(concert) {
  const changed = { heading: false, pieces: [] };
  if (!canKeep()) return changed;
  const cache = await open();
  const before = await read(cache, headingPath);
  const isOther = (kept, part) => Boolean(kept)
    && (part.version ? kept.version !== part.version : before?.revision !== concert.revision);
  changed.heading = isOther(before, concert);
  const { pieces, ...heading } = concert;
  const without = removed();
  for (const piece of pieces) {
    const folder = folderOf(piece.name);
    if (without.includes(folder)) continue;
    if (isOther((await read(cache, piecePath(folder)))?.piece, piece)) changed.pieces.push(piece.name);
    await put(cache, piecePath(folder), { concert: concert.title, piece, glossary: concert.glossary });
  }
  await put(cache, headingPath, { ...heading, folders: pieces.map((piece) => folderOf(piece.name)) });
  return changed;
}

const nothing = { heading: false, pieces: [] };

/**
 * Keeps the pictures of a concert, one at a time and not in a hurry: the hall's Wi-Fi belongs to the slides. `fresh`
 * says of which parts those that are kept are asked for again, as `keep` tells; null for all.
 */
export async function keepPictures(concert, { first = null, fresh = nothing, pauseMs = 400 } = {}) {
  if (!canKeep() || navigator.connection?.saveData) return;
  const cache = await open();
  const order = [...concert.pieces].sort((a, b) => Number(b.name === first) - Number(a.name === first));
  for (const piece of order) {
    const folder = folderOf(piece.name);
    const isWanted = () => !removed().includes(folder);
    const isFresh = fresh?.pieces.includes(piece.name) ?? true;
    for (const image of imagesOf(piece, concert.glossary)) {
      if (!isWanted()) break;
      if (!await keepOne(cache, image, imagePath(image, folder), { fresh: isFresh, pauseMs, isWanted })) return;
    }
  }
  await keepShared(cache, concert, { fresh: fresh?.heading ?? true, pauseMs });
}

/** Keeps the content that all pieces share, once; content that the concert no longer has is deleted. */
async function keepShared(cache, concert, { fresh, pauseMs }) {
  const isWanted = () => concert.pieces.some((piece) => !removed().includes(folderOf(piece.name)));
  const wanted = sharedOf(concert);
  for (const address of wanted) {
    if (!isWanted() || !await keepOne(cache, address, sharedPath(address), { fresh, pauseMs, isWanted })) return;
  }
  const paths = wanted.map((address) => new URL(sharedPath(address), location.href).href);
  for (const key of await cache.keys()) if (isShared(key) && !paths.includes(key.url)) await cache.delete(key);
}

const isShared = (key) => new URL(key.url).searchParams.get("kept") === shared;

/** Keeps one file under a name of this phone's; false if the hall is out of reach. */
async function keepOne(cache, address, path, { fresh, pauseMs, isWanted }) {
  if (!fresh && await cache.match(path)) return true;
  try {
    // The field tells the service worker to ask the hall, not to answer with what is kept already.
    const answer = await fetch(address, { cache: fresh ? "no-cache" : "default", headers: { "X-Keep": "1" } });
    if (answer.ok && isWanted()) await cache.put(path, answer);
  } catch {
    return false; // the next visit goes on
  }
  await new Promise((go) => setTimeout(go, pauseMs * (0.5 + Math.random())));
  return true;
}

/** Deletes one piece's folder. */
export async function remove(folder) {
  const cache = await open();
  setRemoved([...new Set([...removed(), folder])]);
  for (const key of await cache.keys()) {
    const { pathname, searchParams } = new URL(key.url);
    if (decodeURIComponent(pathname).startsWith(`/kept/${folder}/`) || searchParams.get("kept") === folder) {
      await cache.delete(key);
    }
  }
  if ((await keptFolders()).size) return;
  for (const key of await cache.keys()) if (isShared(key)) await cache.delete(key);
}

/** Deletes everything this phone kept of concerts. */
export async function removeAll() {
  setRemoved([...new Set([...removed(), ...await keptFolders()])]);
  await caches.delete(cacheName);
}
