// Edits of a piece, by the server's own rules, so that the page shows a change before the server has it.
// Nothing is changed in place: what an edit does not touch is the same object afterwards.

const latest = 120 * 60; // seconds; the longest recording

/** Seconds as the server keeps them: whole tenths of a millisecond. */
export const rounded = (seconds) => Math.round(seconds * 1e4) / 1e4;

/**
 * Applies edits in their order. Gives `{ draft, inverse, skipped }`; `inverse` are the edits that take them back.
 * @param {import("/shared/exchanged").Draft} draft
 * @param {import("/shared/exchanged").DraftEdit[]} edits
 */
export function applyEdits(draft, edits) {
  /** @type {import("/shared/exchanged").DraftEdit[]} */
  const inverse = [];
  const skipped = [];
  let current = draft;
  for (const edit of edits) {
    const [kind, value] = Object.entries(edit)[0];
    const result = rules[kind]?.(current, value) ?? refused(`This page does not know the edit “${kind}”.`);
    if (result.sentence) {
      skipped.push(result.sentence);
      continue;
    }
    current = { ...current, ...result.change };
    inverse.unshift(...result.inverse);
  }
  return { draft: current, inverse, skipped };
}

const refused = (sentence) => ({ sentence });
const gone = refused("The bar no longer exists; somebody deleted it.");
const placeOf = (draft, id) => draft.bars.findIndex((bar) => bar.id === id);
const checkOf = ({ doubt, reasons, origin, checked }) => ({ doubt, reasons, origin, checked });
const byPerson = ({ doubt, reasons, origin, checked }) =>
  ({ doubt: doubt ?? 0, reasons: reasons ?? [], origin: origin ?? "person", checked: checked ?? true });

/** Puts a bar at its place among others; gives a refusal if it cannot be there. */
function placed(bars, bar) {
  if (!(bar.seconds >= 0 && bar.seconds <= latest)) {
    return refused(`A bar can begin from 0 to ${latest} seconds after the recording's start.`);
  }
  const same = bars.find(({ seconds }) => seconds === bar.seconds);
  if (same) return refused(`Bar ${same.printed} begins at exactly this time already.`);
  const after = bars.findIndex(({ seconds }) => seconds > bar.seconds);
  return { bars: bars.toSpliced(after < 0 ? bars.length : after, 0, bar) };
}

const rules = {
  move(draft, value) {
    const place = placeOf(draft, value.bar);
    if (place < 0) return gone;
    const old = draft.bars[place];
    const found = placed(draft.bars.toSpliced(place, 1), { ...old, seconds: rounded(value.seconds),
      ...byPerson(value) });
    if (found.sentence) return found;
    return { change: { bars: found.bars }, inverse: [{ move: { bar: old.id, seconds: old.seconds,
      ...checkOf(old) } }] };
  },

  insert(draft, value) {
    if (placeOf(draft, value.bar) >= 0) return refused("This bar is there already.");
    const found = placed(draft.bars,
      { id: value.bar, seconds: rounded(value.seconds), printed: value.printed, ...byPerson(value) });
    return found.sentence ? found : { change: found, inverse: [{ delete: { bar: value.bar } }] };
  },

  delete(draft, { bar }) {
    const place = placeOf(draft, bar);
    if (place < 0) return gone;
    const old = draft.bars[place];
    const lost = draft.marks.filter((mark) => mark.bar === bar);
    return { change: { bars: draft.bars.toSpliced(place, 1), marks: draft.marks.filter((mark) => mark.bar !== bar) },
      inverse: [{ insert: { bar, seconds: old.seconds, printed: old.printed, ...checkOf(old) } },
        ...lost.map((mark) => ({ mark }))] };
  },

  shift(draft, { from, by }) {
    const place = placeOf(draft, from);
    if (place < 0) return gone;
    const distance = rounded(by);
    const moved = (seconds) => rounded(seconds + distance);
    const first = draft.bars[place];
    const before = draft.bars[place - 1];
    if (moved(first.seconds) < 0) return refused(`Bar ${first.printed} would begin before the recording.`);
    if (before && moved(first.seconds) <= before.seconds) {
      return refused(`Bar ${first.printed} would begin before bar ${before.printed}.`);
    }
    if (moved(Math.max(draft.bars.at(-1).seconds, draft.end ?? 0)) > latest) {
      return refused("The last bars would lie outside the longest recording that is possible.");
    }
    const bars = draft.bars.map((bar, index) => (index < place ? bar : { ...bar, seconds: moved(bar.seconds) }));
    const end = draft.end === null || draft.end === undefined ? null : moved(draft.end);
    return { change: { bars, end }, inverse: [{ shift: { from, by: -distance } }] };
  },

  renumber(draft, { from, number, through = null }) {
    const first = placeOf(draft, from);
    if (first < 0) return gone;
    const last = through ? placeOf(draft, through) : runFrom(draft.bars, first);
    if (last < 0) return gone;
    if (last < first) return refused("The last bar to be numbered lies before the first one.");
    const by = number - draft.bars[first].printed;
    const bars = draft.bars.map((bar, index) =>
      (index < first || index > last ? bar : { ...bar, printed: bar.printed + by }));
    return { change: { bars },
      inverse: [{ renumber: { from, number: draft.bars[first].printed, through: bars[last].id } }] };
  },

  number(draft, { bar, number }) {
    const place = placeOf(draft, bar);
    if (place < 0) return gone;
    const old = draft.bars[place];
    return { change: { bars: draft.bars.with(place, { ...old, printed: number }) },
      inverse: [{ number: { bar, number: old.printed } }] };
  },

  check(draft, { bar, checked }) {
    const place = placeOf(draft, bar);
    if (place < 0) return gone;
    const old = draft.bars[place];
    return { change: { bars: draft.bars.with(place, { ...old, checked }) },
      inverse: [{ check: { bar, checked: old.checked } }] };
  },

  end: (draft, { seconds = null }) => ({ change: { end: seconds === null ? null : rounded(seconds) },
    inverse: [{ end: { seconds: draft.end ?? null } }] }),

  mark(draft, value) {
    if (placeOf(draft, value.bar) < 0) return gone;
    const old = draft.marks.find(({ id }) => id === value.id);
    return { change: { marks: [...draft.marks.filter(({ id }) => id !== value.id), { ...value }] },
      inverse: [old ? { mark: old } : { unmark: { id: value.id } }] };
  },

  unmark(draft, { id }) {
    const old = draft.marks.find((mark) => mark.id === id);
    if (!old) return refused("The mark no longer exists; somebody removed it.");
    return { change: { marks: draft.marks.filter((mark) => mark.id !== id) }, inverse: [{ mark: old }] };
  },

  name: (draft, { name }) => ({ change: { name }, inverse: [{ name: { name: draft.name } }] }),

  beatsPerBar: (draft, { beats = null }) =>
    ({ change: { beatsPerBar: beats }, inverse: [{ beatsPerBar: { beats: draft.beatsPerBar ?? null } }] }),

  replaceBars(draft, { bars, end = null, marks = null }) {
    const there = new Set(bars.map(({ id }) => id));
    return { change: { bars: bars.toSorted((a, b) => a.seconds - b.seconds), end,
      marks: marks ?? draft.marks.filter(({ bar }) => there.has(bar)) },
    inverse: [{ replaceBars: { bars: draft.bars, end: draft.end ?? null, marks: draft.marks } }] };
  },
};

/** The last bar of those that count on from `first`; bars of the same number, such as an upbeat's rest, belong to it.
* */
function runFrom(bars, first) {
  let last = first;
  while (bars[last + 1] && [0, 1].includes(bars[last + 1].printed - bars[last].printed)) last += 1;
  return last;
}
