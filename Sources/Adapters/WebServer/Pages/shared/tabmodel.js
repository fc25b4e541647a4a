// A tab as docs/tab-json.md defines it, read only: what its bars and beats last, its staves. Times are in
// quarters unless they say otherwise.

export const values = ["1/1", "1/2", "1/4", "1/8", "1/16"];
/** A stave is as long as 32 sixteenths: two bars of 4/4. */
export const staveQuarters = 8;
/** The most staves of a tab that is written here. */
export const mostStaves = 998;
export const mostFret = 24;
const tiny = 1e-6;

/** A fraction written as "3/2" or "2", or a number; NaN where it is neither. */
export function fraction(text) {
  if (typeof text === "number") return text;
  const found = /^(-?\d+)(?:\/(\d+))?$/.exec(text ?? "");
  return found ? Number(found[1]) / Number(found[2] ?? 1) : NaN;
}

/** The length of a beat that is not a grace note, as it is written. */
function writtenQuarters({ value = "1/4", dots = 0, tuplet = null }) {
  const plain = 4 * fraction(value) * (2 - 2 ** -dots);
  return tuplet ? plain * tuplet[1] / tuplet[0] : plain;
}

/** The length of a beat in quarters; 0 for a grace note. */
export function quarters(beat) {
  if (beat.grace) return 0;
  return beat.length === undefined ? writtenQuarters(beat) : fraction(beat.length);
}

/** The bars' meters: each { time, quarters, start, isNew, key, tempo }, where tempo is that at the bar's begin. */
export function meters(tab) {
  let [time, key, tempo, start] = [[4, 4], 0, tab.tempo ?? 120, 0];
  return tab.bars.map((bar, index) => {
    const isNew = index === 0 || Boolean(bar.time && (bar.time[0] !== time[0] || bar.time[1] !== time[1]));
    time = bar.time ?? time;
    key = bar.key ?? key;
    const length = bar.length === undefined ? 4 * time[0] / time[1] : fraction(bar.length);
    const meter = { time, key, quarters: length, start, isNew, tempo };
    start += length;
    const last = bar.tempos?.at(-1);
    // A change at the very beginning of a bar counts for the whole bar.
    for (const change of bar.tempos ?? []) if (fraction(change.at) <= tiny) meter.tempo = change.tempo;
    if (last) tempo = last.tempo;
    return meter;
  });
}

/** The bars of each stave: [first, after the last]. A stave has at least one bar. */
export function staves(tab, all = meters(tab)) {
  const found = [];
  let [first, filled] = [0, 0];
  all.forEach((meter, index) => {
    if (index > first && filled + meter.quarters > staveQuarters + tiny) {
      found.push([first, index]);
      [first, filled] = [index, 0];
    }
    filled += meter.quarters;
  });
  if (all.length > 0) found.push([first, all.length]);
  return found;
}

/** The first voice of a track's bar, which is the one that is edited. */
export const beatsOf = (tab, track, bar) => tab.tracks[track]?.bars[bar]?.voices?.[0]?.beats ?? [];

export const filledQuarters = (beats) => beats.reduce((sum, beat) => sum + quarters(beat), 0);

/** The free places after a bar's beats, one for each quarter that is left: the quarters at which they begin. */
export function freePlaces(beats, barQuarters) {
  const filled = filledQuarters(beats);
  const places = [];
  for (let at = filled; at < barQuarters - tiny; at += 1) places.push(at);
  return places;
}

/** The longest plain value, with its dots, that fits; null if not even a sixteenth does. */
export function fitting(wanted, room) {
  if (writtenQuarters(wanted) <= room + tiny) return wanted;
  for (const value of values) {
    for (const dots of [1, 0]) {
      if (writtenQuarters({ value, dots }) <= room + tiny) return { value, dots };
    }
  }
  return null;
}

/** Rests that last so many quarters together, the longest last, so that the next note starts on its beat. */
export function rests(length) {
  const found = [];
  let left = length;
  while (left > tiny) {
    const value = ["1/4", "1/8", "1/16", "1/32", "1/64"].find((each) => 4 * fraction(each) <= left + tiny);
    if (!value) break;
    found.unshift({ value });
    left -= 4 * fraction(value);
  }
  return found;
}

export const isRest = (beat) => !beat.notes?.length;

/** The MIDI pitch of a note; null if it has none. */
export function pitch(note, track, voiceStaff = 1) {
  const staff = voiceStaff > 1 ? track.moreStaves?.[voiceStaff - 2] ?? track : track;
  const open = staff.strings?.[(note.string ?? 0) - 1];
  if (open === undefined || note.fret === undefined || track.percussion) return note.pitch ?? null;
  return open + (staff.capo ?? 0) + note.fret;
}

/** A track's bar whose voices all have beats, if only empty ones. */
function withBeats(bar) {
  if (!bar.voices?.some(({ beats }) => !beats)) return bar;
  return { ...bar, voices: bar.voices.map((voice) => ({ ...voice, beats: voice.beats ?? [] })) };
}

/** The same tab with all that the page needs: at least one track and one bar, and as many bars in each track. */
export function completed(tab) {
  const bars = tab.bars?.length > 0 ? tab.bars : [{ time: [4, 4] }, {}];
  const tracks = (tab.tracks?.length > 0 ? tab.tracks : [{ strings: [64, 59, 55, 50, 45, 40], bars: [] }])
    .map((track) => ({ ...track, strings: track.strings ?? [],
      bars: bars.map((_, index) => withBeats(track.bars?.[index] ?? {})) }));
  return { ...tab, title: tab.title ?? "", tempo: tab.tempo ?? 120, bars, tracks };
}
