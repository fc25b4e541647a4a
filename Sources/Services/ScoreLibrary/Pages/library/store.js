// The library's content, as the server knows it: the list, one score, people, pieces.
import { ask } from "/shared/api.js";

const root = "/api/library/scores";
const slow = { patience: 60_000 };

/** The scores as last read, and the functions to call when they change. */
export const list = {
  scores: [],
  watchers: [],
  async read() {
    this.scores = await ask(root);
    for (const watcher of this.watchers) watcher();
  },
};

export const score = (id) => ask(`${root}/${id}`);
export const describe = (id, words) => ask(`${root}/${id}`, { method: "PUT", json: words });
export const belongings = (id) => ask(`${root}/${id}/belongings`);
export const bin = () => ask("/api/library/bin");
export const restore = (id) => ask(`/api/library/bin/${id}/restore`, { method: "POST", json: {} });
export const remove = (id) => ask(`${root}/${id}`, { method: "DELETE" });
export const removePart = (id, part) => ask(`${root}/${id}/parts/${part}`, { method: "DELETE" });
export const markPart = (id, part, words) =>
  ask(`${root}/${id}/parts/${part}`, { method: "PUT", json: words, patience: 15_000 });
export const layPart = (id, part, words) => ask(`${root}/${id}/parts/${part}/layout`, { method: "PUT", json: words });
export const foundPages = (id, part) => ask(`${root}/${id}/parts/${part}/found`, slow);
export const midiMarks = (file) =>
  ask("/api/library/midi-marks", { method: "POST", text: file, kind: "audio/midi", ...slow });
export const progress = (id) => ask(`${root}/${id}/progress`);
export const proposals = (id, part, page) => ask(`${root}/${id}/parts/${part}/proposals?page=${page}`, slow);
export const bundles = (id) => ask(`/api/library/bundles?score=${id}`);
export const give = (user, id) => ask("/api/library/bundles", { method: "POST", json: { user, score: id } });
export const take = (bundle) => ask(`/api/library/bundles/${bundle}`, { method: "DELETE" });

let people = null;

/** The users who can be given a score; asked once. */
export const users = () => (people ??= ask("/api/library/users").catch((refusal) => { people = null; throw refusal; }));

/** The pieces to which movements may be bound. */
export const knownPieces = () => ask("/api/library/pieces");

/** The address of a page's picture. Thumbnails of before, which browsers keep for good, had lines too thick: v=2. */
export const picture = (id, part, page, size, revision) =>
  `/api/scores/${id}/parts/${part}/pages/${page}?size=${size}&r=${revision}${size === "thumbnail" ? "&v=2" : ""}`;
