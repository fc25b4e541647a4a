// Two people's changes of one list of titles are joined. Pure: nothing here asks the server.
//
// A row is {id, title}; a title is never changed but replaced, so that the same object means the same words.

const fieldsOf = ({ texts, place, lead, fadeIn, fadeOut, doubleCut, position, note, label }) => ({
  ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "").map(([tag, text]) =>
    [`text ${tag}`, text])),
  place: place || null, lead: lead || 0, fadeIn: fadeIn || 0, fadeOut: fadeOut || 0, doubleCut: doubleCut ?? null,
  position: position || null, note: note || "", label: label || "",
});

/** A key of a title that is the same for the same words. */
export const keyOf = (title) => JSON.stringify(Object.entries(fieldsOf(title)).sort());

const isSame = (one, other) => one === other || keyOf(one) === keyOf(other);

/** The change to the server's list: `{index, remove, insert}`, the shortest run that differs; null if none does. */
export function difference(server, rows) {
  const same = (one, other) => one.id === other.id && isSame(one.title, other.title);
  let [start, end] = [0, 0];
  const shorter = Math.min(server.length, rows.length);
  while (start < shorter && same(server[start], rows[start])) start += 1;
  while (end < shorter - start && same(server.at(-1 - end), rows.at(-1 - end))) end += 1;
  if (start === server.length && start === rows.length) return null;
  return { index: start, remove: server.length - start - end, insert: rows.slice(start, rows.length - end) };
}

/** Gives the server's titles the ids of the rows that they were before. */
export function withIDs(titles, before, newID) {
  const keys = before.map(({ title }) => keyOf(title));
  const wanted = titles.map(keyOf);
  let start = 0;
  while (start < keys.length && start < wanted.length && keys[start] === wanted[start]) start += 1;
  let end = 0;
  while (end < Math.min(keys.length, wanted.length) - start && keys.at(-1 - end) === wanted.at(-1 - end)) end += 1;
  const pairs = new Map(); // index in titles → index in before
  for (let at = 0; at < start; at += 1) pairs.set(at, at);
  for (let at = 1; at <= end; at += 1) pairs.set(wanted.length - at, keys.length - at);
  for (const [at, old] of common(keys, wanted, start, keys.length - end, wanted.length - end)) pairs.set(at, old);
  pairRest(pairs, wanted.length, keys.length);
  return titles.map((title, at) => {
    const old = before[pairs.get(at)];
    return old ? { id: old.id, title: isSame(old.title, title) ? { ...old.title, ...placing(title) } : title }
      : { id: newID(), title };
  });
}

const placing = ({ played, measure }) => ({ played, measure });

/** The longest common run of rows, as pairs; too long parts are compared by first occurrence only. */
function* common(keys, wanted, start, keysEnd, wantedEnd) {
  const [rows, columns] = [keysEnd - start, wantedEnd - start];
  if (rows * columns > 1_000_000) {
    let from = start;
    for (let at = start; at < wantedEnd; at += 1) {
      const found = keys.indexOf(wanted[at], from);
      if (found < 0 || found >= keysEnd || found - from > 50) continue;
      yield [at, found];
      from = found + 1;
    }
    return;
  }
  const length = Array.from({ length: rows + 1 }, () => new Uint16Array(columns + 1));
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      length[row][column] = keys[start + row] === wanted[start + column] ? length[row + 1][column + 1] + 1
        : Math.max(length[row + 1][column], length[row][column + 1]);
    }
  }
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (keys[start + row] === wanted[start + column]) {
      yield [start + column, start + row];
      [row, column] = [row + 1, column + 1];
    } else if (length[row + 1][column] >= length[row][column + 1]) row += 1;
    else column += 1;
  }
}

/** Between two pairs, as many rows as before are the same rows with other words. */
function pairRest(pairs, count, oldCount) {
  let [from, oldFrom] = [0, 0];
  for (let at = 0; at <= count; at += 1) {
    const old = at === count ? oldCount : pairs.get(at);
    if (old === undefined) continue;
    if (at - from === old - oldFrom) for (let by = 0; from + by < at; by += 1) pairs.set(from + by, oldFrom + by);
    [from, oldFrom] = [at + 1, old + 1];
  }
}

/**
 * Joins what was changed here (`base` to `mine`) with what others changed (`base` to `theirs`).
 * Gives {rows, conflicts}: of the same field with other words, theirs stands in the rows, and the conflict
 * {id, mine, theirs} has both titles, null for one that was taken out.
 */
export function merge(base, mine, theirs) {
  const [was, here, there] = [base, mine, theirs].map((rows) => new Map(rows.map((row) => [row.id, row.title])));
  const conflicts = [];
  const titles = new Map();
  const dropped = new Set();
  for (const [id, title] of there) {
    const old = was.get(id);
    if (old === undefined) titles.set(id, title);
    else if (!here.has(id)) {
      if (isSame(title, old)) dropped.add(id);
      else conflicts.push({ id, mine: null, theirs: title });
      titles.set(id, title);
    } else {
      const joined = joinTitle(old, here.get(id), title);
      if (!joined) conflicts.push({ id, mine: here.get(id), theirs: title });
      titles.set(id, joined ?? title);
    }
  }
  for (const [id, title] of here) {
    if (!was.has(id)) titles.set(id, title);
    else if (!there.has(id) && !isSame(title, was.get(id))) conflicts.push({ id, mine: title, theirs: null });
  }
  const order = theirs.map(({ id }) => id).filter((id) => !dropped.has(id));
  const moved = movedIDs(base, mine);
  mine.forEach(({ id }, index) => {
    const isNew = !was.has(id);
    if (!isNew && !(moved.has(id) && there.has(id))) return;
    if (!isNew) order.splice(order.indexOf(id), 1);
    let before = index - 1;
    while (before >= 0 && !order.includes(mine[before].id)) before -= 1;
    order.splice(before < 0 ? 0 : order.indexOf(mine[before].id) + 1, 0, id);
  });
  return { rows: order.map((id) => ({ id, title: titles.get(id) })), conflicts };
}

/** A title of which two people changed different fields; null if they changed the same one. */
function joinTitle(old, mine, theirs) {
  if (isSame(mine, old)) return theirs;
  if (isSame(theirs, old)) return { ...mine, ...(mine.place === theirs.place ? placing(theirs) : {}) };
  const [was, here, there] = [old, mine, theirs].map(fieldsOf);
  const joined = { ...theirs, texts: { ...theirs.texts } };
  for (const name of new Set([...Object.keys(was), ...Object.keys(here)])) {
    if (here[name] === was[name]) continue;
    if (there[name] !== was[name] && there[name] !== here[name]) return null;
    if (name.startsWith("text ")) joined.texts[name.slice(5)] = here[name] ?? "";
    else joined[name] = here[name];
  }
  return joined;
}

/** The rows that were put elsewhere: those that do not stand in the old order any more. */
function movedIDs(base, mine) {
  const places = new Map(base.map(({ id }, index) => [id, index]));
  const known = mine.filter(({ id }) => places.has(id)).map(({ id }) => [id, places.get(id)]);
  // The rows that keep their order: a longest rising run.
  const tails = [];
  const before = new Map();
  for (const [id, place] of known) {
    let [from, to] = [0, tails.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (tails[middle][1] < place) from = middle + 1;
      else to = middle;
    }
    before.set(id, tails[from - 1]?.[0] ?? null);
    tails[from] = [id, place];
  }
  const kept = new Set();
  for (let id = tails.at(-1)?.[0] ?? null; id !== null; id = before.get(id)) kept.add(id);
  return new Set(known.map(([id]) => id).filter((id) => !kept.has(id)));
}
