// Bars as they are written at titles and slides: `57`, `57/2` for its second time, `p:60` for a bar as played. Pure.

/** Writes a played measure as text. */
export function barOf(played, measures) {
  const { printed } = measures[played];
  const times = measures.flatMap((measure, index) => (measure.printed === printed ? [index] : []));
  return times.length > 1 ? `${printed}/${times.indexOf(played) + 1}` : String(printed);
}

const found = new WeakMap(); // measures → place → played

/** The measure as played at which a title comes; null without one. Places that only the server can find are in its
    answer. */
export function playedOfTitle(title, measures) {
  if (!title?.place) return null;
  if (!found.has(measures)) found.set(measures, new Map());
  const known = found.get(measures);
  if (!known.has(title.place)) known.set(title.place, playedAt(title.place, measures));
  return known.get(title.place) ?? (Number.isInteger(title.played) ? title.played : null);
}

/** The measure as played that a text means, at its first time unless it says another; null if there is none. */
export function playedAt(place, measures) {
  const played = /^p:([0-9]+)$/.exec(place);
  if (played) return Number(played[1]) < measures.length ? Number(played[1]) : null;
  const written = /^(-?[0-9]+)(?:\/([0-9]+))?$/.exec(place);
  if (!written) return null;
  const times = measures.flatMap((measure, index) => (measure.printed === Number(written[1]) ? [index] : []));
  return times[(Number(written[2]) || 1) - 1] ?? null;
}
