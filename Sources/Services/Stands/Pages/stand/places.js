// The places of measures in a part, and the measure that a finger or another part's page points at. It computes as
// Part.swift, Pinpoint.swift and RoomEvent.swift do.

const whole = 10_000; // a page's width and height in the units of points

/** The place of a printed measure; null if the part does not say. */
export function placeOf(part, printed, movement = 0, step = null) {
  let found = null;
  for (const place of part.places ?? []) {
    if ((place.movement ?? 0) !== movement || printed < place.first || printed > place.last) continue;
    if (!place.steps) found ??= place;
    else if (step !== null && step >= place.steps[0] && step <= place.steps[1]) return place;
  }
  return found;
}

/** The measure at a point of a page (0…1), or the nearest one; null if the page has none. */
export function placeAt(part, page, x, y) {
  let nearest = null;
  let least = Infinity;
  for (const place of part.places ?? []) {
    if (place.page !== page) continue;
    if (!place.box) {
      nearest ??= place;
      continue;
    }
    const [left, top, right, bottom] = place.box;
    const across = Math.max(left - x, x - right, 0);
    const down = Math.max(top - y, y - bottom, 0);
    if (across === 0 && down === 0) return place;
    // Lines are wide and low: the line is chosen first.
    if (across + 4 * down < least) {
      least = across + 4 * down;
      nearest = place;
    }
  }
  return nearest;
}

/** The page another part turns to; null if neither part says which measures are on it. */
export function pageInPart(turn, other, score) {
  const [part, page] = turn;
  if (!score.parts[part] || !score.parts[other]) return null;
  if (part === other) return page >= 0 && page < score.parts[part].pages.length ? page : null;
  const place = (score.parts[part].places ?? []).find((each) => each.page >= page && !each.steps);
  return place ? placeOf(score.parts[other], place.first, place.movement ?? 0)?.page ?? null : null;
}

/** The pinpoint that a tap on a page makes for all; `x` and `y` 0…1. */
export function pinpointOf(x, y, page, part, score) {
  const place = placeAt(score.parts[part], page, x, y);
  const share = (value) => Math.round(Math.min(Math.max(value, 0), 1) * whole);
  const pinpoint = { part, page, point: [share(x), share(y)], movement: place?.movement ?? 0 };
  if (place?.box) pinpoint.measure = place.first;
  return pinpoint;
}

/** The place of a pinpoint in a part: `{ page, box, point }`; null if that part does not say. */
export function pinpointPlace(pinpoint, other, score) {
  const part = score.parts[other];
  if (!part) return null;
  if (pinpoint.measure !== undefined && pinpoint.measure !== null) {
    const place = placeOf(part, pinpoint.measure, pinpoint.movement);
    if (place) {
      return { page: place.page, box: place.box ?? null, point: place.box && other === pinpoint.part
        ? pinpoint.point : null };
    }
  }
  if (other === pinpoint.part) return { page: pinpoint.page, box: null, point: pinpoint.point };
  const page = pageInPart([pinpoint.part, pinpoint.page], other, score);
  return page === null ? null : { page, box: null, point: null };
}

/** The page that a text means, from 0: `page 147` or `p 147`, and a bare number where no bar is known; null for any
 *  other. */
export function pageAsked(text, count, knowsBars) {
  const [, sign, digits] = /^(p(?:age|\.)?\s*)?([0-9]{1,5})$/i.exec(text.trim()) ?? [];
  const page = Number(digits) - 1;
  return digits !== undefined && (sign || !knowsBars) && page >= 0 && page < count ? page : null;
}
