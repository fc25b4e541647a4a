// Measures on pages: their order, their numbers, and what is wrong with them. No drawing, no network.
//
// A place is { movement, page, first, last, box: [left, top, right, bottom] | null, steps? }, boxes in shares of the
// page. `isDoubtful` marks a frame that was found and that a person should look at.

/** Frames may share a bar line's breadth and what reaches over it. */
const harmless = 0.25;

const span = (place) => place.last - place.first;
const middle = (box) => (box[1] + box[3]) / 2;

/** Places in reading order: by page, line, and from left to right. Those of a page come as rows of near height. */
export function ordered(places) {
  const pages = new Map();
  for (const place of places) {
    if (!pages.has(place.page)) pages.set(place.page, []);
    pages.get(place.page).push(place);
  }
  return [...pages.keys()].sort((one, other) => one - other).flatMap((page) => {
    const here = pages.get(page);
    return [...here.filter((place) => !place.box), ...rows(here).flat()];
  });
}

/** The framed places of a page line by line, each from left to right. */
export function rows(places) {
  const framed = places.filter((place) => place.box).sort((one, other) => one.box[1] - other.box[1]);
  const lines = [];
  for (const place of framed) {
    const line = lines.find((each) => middle(place.box) < each.bottom && middle(place.box) > each.top);
    if (line) {
      line.places.push(place);
    } else {
      lines.push({ top: place.box[1], bottom: place.box[3], places: [place] });
    }
  }
  return lines.map((line) => line.places.sort((one, other) => one.box[0] - other.box[0]));
}

/** The places as the server keeps them. */
export const shared = (places) => places.map(({ isDoubtful, box, ...place }) => (box ? { ...place, box } : place));

/** Numbers places from one on to the end of its movement, each keeping how many measures it holds. */
export function numberedFrom(places, index, number) {
  const start = places[index];
  let next = number;
  return places.map((place, at) => {
    if (at < index || place.movement !== start.movement || place.steps) return place;
    const numbered = { ...place, first: next, last: next + span(place) };
    next = numbered.last + 1;
    return numbered;
  });
}

/** The number a place at this index should bear: one above the place before it. */
export function numberAt(places, index) {
  const before = places.slice(0, index).findLast((place) => !place.steps);
  if (!before) return 1;
  return places[index] && places[index].movement !== before.movement ? 1 : before.last + 1;
}

/** The movement of a new place at this index. */
export function movementAt(places, index) {
  return places[index - 1]?.movement ?? places[index]?.movement ?? 0;
}

/** One place in two halves; a rest of several measures is shared out. */
export function halved(place, at = 0.5) {
  const [left, top, right, bottom] = place.box;
  const cut = left + (right - left) * at;
  const many = span(place) > 0;
  const half = many ? place.first + Math.floor(span(place) / 2) : place.first;
  return [
    { ...place, last: half, box: [left, top, cut, bottom] },
    { ...place, first: many ? half + 1 : place.first + 1, last: many ? place.last : place.first + 1,
      box: [cut, top, right, bottom] },
  ];
}

function overlap(one, other) {
  const across = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  const down = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  if (across <= 0 || down <= 0) return 0;
  const area = (box) => (box[2] - box[0]) * (box[3] - box[1]);
  return (across * down) / Math.min(area(one), area(other));
}

/** True if two frames have paper in common. */
export const meets = (one, other) => overlap(one, other) > 0;

/** True if a frame covers another one so far that both cannot be right. */
export const covers = (one, other) => overlap(one, other) > harmless;

const wholePage = [0, 0, 1, 1];

/**
 * The first and last number of the piece that each movement is followed as: { name, measures: [first, last] } or null.
 */
export const boundNumbers = (movements, pieces) => movements.map((movement) => {
  const piece = pieces.find((each) => each.piece === movement.piece);
  return piece?.measures ? { name: piece.name, measures: piece.measures } : null;
});

/**
 * The difference between the numbers marked and those of the piece, in the server's words; null if they agree.
 */
function misnumbered([first, last], { name, measures: [from, to] }) {
  if (first === from && last === to) return null;
  const both = `Measures ${first} to ${last} are marked, “${name}” has ${from} to ${to}`;
  const shift = first - from;
  if (shift !== 0 && last - to === shift) {
    const question = shift === 1 && from === 0 ? ": begins with an upbeat (0)? " : ". ";
    const count = `${Math.abs(shift)} measure${Math.abs(shift) === 1 ? "" : "s"}`;
    return `${both}${question}Every page turn would come ${count} too ${shift > 0 ? "late" : "early"}; ` +
      `number the first measure ${from}, with those behind it.`;
  }
  if (first >= from && last <= to) return `${both}; mark the rest too, or check where the numbers begin.`;
  return `${both}. Check the numbers, or whether the movement is followed as the right piece.`;
}

function numberFaults(places, movements, bound) {
  return bound.flatMap((piece, movement) => {
    const placed = places.filter((place) => place.movement === movement);
    if (!piece || placed.length === 0) return [];
    const sentence = misnumbered([Math.min(...placed.map((place) => place.first)),
      Math.max(...placed.map((place) => place.last))], piece);
    const index = places.indexOf(placed[0]);
    return sentence ? [{ sentence: (movements > 1 ? `Movement ${movement + 1}: ` : "") + sentence, page: placed[0].page,
      index, isGrave: false }] : [];
  });
}

/**
 * Everything wrong, in reading order: { sentence, page, index, isGrave }. Grave ones cannot be saved; the rest,
 * measures without a place or with other numbers than the piece (`bound`, as `boundNumbers` gives it), can.
 */
export function faults(places, movements = 1, bound = []) {
  const plain = places.map((place, index) => ({ place, index })).filter(({ place }) => !place.steps);
  if (plain.length === 0) {
    return [{ sentence: "No measure is marked; mark at least the first and last measure of each page.", page: 0,
      index: -1, isGrave: false }];
  }
  const found = numberFaults(places, movements, bound);
  const tell = (index, isGrave, words) => {
    const place = places[index];
    const where = `${movements > 1 ? `Movement ${place.movement + 1}, p` : "P"}age ${place.page + 1}: `;
    found.push({ sentence: where + words, page: place.page, index, isGrave });
  };
  plain.forEach(({ place, index }, at) => {
    if (place.movement >= movements) {
      tell(index, true, `measure ${place.first} belongs to a movement the score does not have; choose another.`);
    }
    if (place.last < place.first) tell(index, true, `the last measure lies before measure ${place.first}, the first.`);
    for (const { place: other } of plain.slice(0, at).reverse()) {
      if (other.page !== place.page) break;
      if (other.movement === place.movement && covers(other.box ?? wholePage, place.box ?? wholePage)) {
        tell(index, true, `the frames of measures ${other.first} and ${place.first} cover each other; move one.`);
        break;
      }
    }
    const before = plain[at - 1]?.place;
    if (!before) return;
    if (place.movement < before.movement) {
      return tell(index, true, `measure ${place.first} stands behind a later movement; put movements in order.`);
    }
    if (place.movement > before.movement) return;
    if (place.first === before.last + 1) return;
    if (place.first === before.last + 2) {
      return tell(index, false, `measure ${before.last + 1} is missing between ${before.last} and ${place.first}.`);
    }
    if (place.first > before.last) {
      return tell(index, false,
        `measures ${before.last + 1} to ${place.first - 1} are missing between ${before.last} and ${place.first}.`);
    }
    if (place.first === before.last) {
      return tell(index, true, `measure ${place.first} is marked twice; remove or renumber one of them.`);
    }
    tell(index, true, `measure ${place.first} stands after measure ${before.last}; numbers must rise.`);
  });
  return found;
}
