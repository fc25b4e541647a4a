// Frames that become one: measures cut in two by a stroke that is no bar line, staves that sound together.
import { rows } from "./places.js";

const around = (boxes) => [
  Math.min(...boxes.map((box) => box[0])), Math.min(...boxes.map((box) => box[1])),
  Math.max(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[3])),
];

/** True if places follow each other without a gap, framed, on one page and in one movement. */
export function isTogether(places, group) {
  if (group.length < 2 || group.at(-1) - group[0] !== group.length - 1) return false;
  const first = places[group[0]];
  return group.every((at) => places[at].box && places[at].page === first.page
    && places[at].movement === first.movement);
}

/** One place for several: around all of them, with the number of the first. */
export function merged(group) {
  const { movement, page, first } = group[0];
  const span = Math.max(...group.map((place) => place.last - place.first));
  return { movement, page, first, last: first + span, box: around(group.map((place) => place.box)) };
}

/**
 * The places with every `staves` lines of a page's frames made one. The line with the usual count of frames tells the
 * bar lines; where two counts are equally usual, the upper line.
 */
export function stacked(places, page, staves) {
  const lines = rows(places.filter((place) => place.page === page && place.box));
  if (!(staves >= 2) || lines.length < 2) return places;
  const made = [];
  for (let at = 0; at < lines.length; at += staves) {
    const system = lines.slice(at, at + staves);
    const usual = (line) => system.filter((other) => other.length === line.length).length;
    const line = system.reduce((best, other) => (usual(other) > usual(best) ? other : best));
    const [, top, , bottom] = around(system.flat().map((place) => place.box));
    made.push(...line.map((place) => ({ ...place, box: [place.box[0], top, place.box[2], bottom] })));
  }
  const first = places.findIndex((place) => place.page === page && place.box);
  const rest = places.filter((place) => place.page !== page || !place.box);
  return rest.toSpliced(first, 0, ...made);
}
