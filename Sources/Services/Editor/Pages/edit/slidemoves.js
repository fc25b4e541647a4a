// The moves of slides: a new one at a measure, one to another measure, another order.
import { newID } from "./tree.js";
import { moveChange, moveToMeasure } from "./ordering.js";
import { playedAt } from "./titlebars.js";

/** A slide at a measure as performed, in front of the later ones; gives its id. */
export function addSlide(book, track, played, text = "") {
  const later = book.tree.children(track, "slide")
    .find((slide) => Number.isInteger(slide.played) && slide.played > played);
  const id = newID();
  book.edit([{ insert: "slide", in: track, ...(later ? { before: later.id } : {}), id,
    fields: { played: String(played), ...(text ? { text } : {}) } }], "new slide");
  return id;
}

/** Puts a slide on another measure as performed. */
export function placeSlide(book, id, played) {
  const count = (book.tree.above(id, "piece")?.fields.measures ?? "").split("\n").length;
  moveToMeasure(book, book.tree.get(id), played, count, "slide moved");
}

/** Another order of the texts; the measures at which slides come stay as they are. */
export function moveSlide(book, track, from, to) {
  const slides = book.tree.children(track, "slide");
  const measures = slides.map((slide) => slide.played);
  const order = [...slides];
  order.splice(to, 0, ...order.splice(from, 1));
  /** @type {any[]} */
  const changes = [moveChange(slides, from, to, track)];
  order.forEach((slide, index) => {
    if (slide.played !== measures[index] && Number.isInteger(measures[index])) {
      changes.push({ set: slide.id, field: "played", to: String(measures[index]) });
    }
  });
  book.edit(changes, "slides in another order");
}

/** The measure as performed that a text means: `9` at the time nearest to a place, `9/2` at its second time, `p:60` as
    played, counted from 0. Null if there is none. */
export function playedOf(measures, text, near) {
  const words = text.trim();
  const written = /^([0-9]+)(\/[0-9]+)?$/.exec(words);
  if (!written || written[2]) return playedAt(words, measures);
  const printed = Number(written[1]);
  let best = null;
  measures.forEach((measure, index) => {
    if (measure.printed === printed && (best === null || Math.abs(index - near) < Math.abs(best - near))) best = index;
  });
  return best;
}

/** A bar that the piece does not have stays as written, with the reason, until it is mended or left out. */
export function refuseBar(book, id, bar) {
  book.refuse(id, "played", bar, "bar",
    `The piece has no bar ${bar.trim() || "without a number"}; write one that it has.`);
}

/** The bar that was there before was written again: nothing waits any more. */
export function leaveBar(book, id) {
  for (const refusal of book.refusals.filter(({ changes }) =>
    changes.some((one) => one.set === id && one.field === "played"))) {
    book.leave(refusal);
  }
}
