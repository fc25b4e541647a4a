// Changes of a tab. Each gives a new tab and leaves the old one as it was, so that undoing is going back to it; what
// did not change is shared. A cursor is { track, bar, slot, string }: slots count the first voice's beats and then the
// free places; strings count from 1, the highest.
import {
  beatsOf, filledQuarters, fitting, freePlaces, isRest, meters, mostFret, mostStaves, quarters, rests, staves,
} from "/shared/tabmodel.js";

/** Why a change is not possible, as a sentence. */
export class Impossible extends Error {}

const without = (object, name) => {
  const { [name]: _gone, ...rest } = object;
  return rest;
};
const replaced = (list, index, value) => list.map((each, at) => (at === index ? value : each));

function withBeats(tab, { track, bar }, beats) {
  const old = tab.tracks[track].bars[bar];
  const voices = old.voices?.length ? replaced(old.voices, 0, { ...old.voices[0], beats }) : [{ beats }];
  const bars = replaced(tab.tracks[track].bars, bar, { ...old, voices });
  return { ...tab, tracks: replaced(tab.tracks, track, { ...tab.tracks[track], bars }) };
}

/** A rest of a length, with the fields that it needs. */
const plainBeat = ({ value, dots = 0, tuplet = null }) =>
  ({ value, ...(dots ? { dots } : {}), ...(tuplet ? { tuplet } : {}) });

/** The beats of the cursor's bar, filled up so that its slot is a beat; and which one it is. */
function reached(tab, cursor, length) {
  const beats = beatsOf(tab, cursor.track, cursor.bar);
  if (cursor.slot < beats.length) return [beats, cursor.slot];
  const whole = meters(tab)[cursor.bar].quarters;
  const at = freePlaces(beats, whole)[cursor.slot - beats.length];
  if (at === undefined) throw new Impossible("This bar is full.");
  const beat = fitting(length, whole - at);
  if (!beat) throw new Impossible("There is no room for a note in this bar.");
  const filled = [...beats, ...rests(at - filledQuarters(beats)), { ...plainBeat(beat), isNew: true }];
  return [filled, filled.length - 1];
}

const byString = (a, b) => (a.string ?? 0) - (b.string ?? 0);

/** Writes a fret on the cursor's string; other notes of the same beat stay, so that they sound together. */
export function putNote(tab, cursor, fret, length) {
  if (!(fret >= 0 && fret <= mostFret)) throw new Impossible(`Frets go from 0 to ${mostFret}.`);
  const [beats, slot] = reached(tab, cursor, length);
  const beat = without(beats[slot], "isNew");
  const old = beat.notes?.find((note) => note.string === cursor.string);
  const note = { ...old, string: cursor.string, fret };
  const notes = [...(beat.notes ?? []).filter((each) => each !== old), note].sort(byString);
  return [withBeats(tab, cursor, replaced(beats, slot, { ...without(beat, "invisible"), notes })), slot];
}

/** Writes a rest: in place of the notes there, or at a free place. */
export function putRest(tab, cursor, length) {
  const [beats, slot] = reached(tab, cursor, length);
  return [withBeats(tab, cursor, replaced(beats, slot, without(without(beats[slot], "notes"), "isNew"))), slot];
}

/** Takes off the cursor's note; where there is none, the rest or the last free place before it. */
export function erase(tab, cursor) {
  const beats = beatsOf(tab, cursor.track, cursor.bar);
  const beat = beats[cursor.slot];
  if (!beat) return tab;
  if (isRest(beat)) return withBeats(tab, cursor, beats.filter((each) => each !== beat));
  const notes = beat.notes.filter((note) => note.string !== cursor.string);
  if (notes.length === beat.notes.length) return tab;
  return withBeats(tab, cursor, replaced(beats, cursor.slot,
    notes.length > 0 ? { ...beat, notes } : without(beat, "notes")));
}

/** Puts a rest of this length before the cursor's beat. */
export function insertRest(tab, cursor, length) {
  const beats = beatsOf(tab, cursor.track, cursor.bar);
  if (cursor.slot >= beats.length) return putRest(tab, cursor, length)[0];
  const room = meters(tab)[cursor.bar].quarters - filledQuarters(beats);
  const beat = fitting(length, room);
  if (!beat) throw new Impossible("The bar is full; shorten or remove something first.");
  return withBeats(tab, cursor, [...beats.slice(0, cursor.slot), plainBeat(beat), ...beats.slice(cursor.slot)]);
}

/** Gives the cursor's beat another length. A longer one takes the rests after it. */
export function setLength(tab, cursor, { value, dots = 0, tuplet = null }) {
  const beats = beatsOf(tab, cursor.track, cursor.bar);
  const old = beats[cursor.slot];
  if (!old) return tab;
  let beat = { ...without(without(without(old, "dots"), "tuplet"), "length"), value };
  if (dots > 0) beat.dots = dots;
  if (tuplet) beat = { ...beat, tuplet };
  const after = beats.slice(cursor.slot + 1);
  const whole = meters(tab)[cursor.bar].quarters;
  const before = beats.slice(0, cursor.slot);
  let room = whole - filledQuarters(before) - quarters(beat) - filledQuarters(after);
  while (room < -1e-6 && after.length > 0 && isRest(after[0])) room += quarters(after.shift());
  if (room < -1e-6) throw new Impossible("That is too long for this bar; shorten or remove something first.");
  const filler = room > 1e-6 && after.length > 0 && after.length < beats.length - cursor.slot - 1 ? rests(room) : [];
  return withBeats(tab, cursor, [...before, beat, ...filler, ...after]);
}

/**
 * Sets or, where it is set already, removes a technique of the cursor's note.
 * @param {any} value true, or what the technique needs, such as the points of a bend
 */
export function toggleTechnique(tab, cursor, name, value = true) {
  const beats = beatsOf(tab, cursor.track, cursor.bar);
  const beat = beats[cursor.slot];
  const index = beat?.notes?.findIndex((note) => note.string === cursor.string) ?? -1;
  if (index < 0) throw new Impossible("Choose a note first.");
  const note = beat.notes[index];
  if (name === "tie") {
    const changed = note.tie ? without(note, "tie") : { ...note, tie: true };
    return withBeats(tab, cursor, replaced(beats, cursor.slot,
      { ...beat, notes: replaced(beat.notes, index, changed) }));
  }
  const old = note.techniques ?? {};
  const isSet = JSON.stringify(old[name]) === JSON.stringify(value);
  const techniques = isSet ? without(old, name) : { ...old, [name]: value };
  const changed = Object.keys(techniques).length > 0 ? { ...note, techniques } : without(note, "techniques");
  return withBeats(tab, cursor, replaced(beats, cursor.slot, { ...beat, notes: replaced(beat.notes, index, changed) }));
}

/** A stave more at the end: as many bars of the last meter as fill it. */
export function addStave(tab) {
  const all = meters(tab);
  if (staves(tab, all).length >= mostStaves) {
    throw new Impossible(`A tab has at most ${mostStaves} staves.`);
  }
  const count = Math.max(1, Math.floor(8 / all.at(-1).quarters + 1e-6));
  const more = Array.from({ length: count }, () => ({}));
  return {
    ...tab, bars: [...tab.bars, ...more],
    tracks: tab.tracks.map((track) => ({ ...track, bars: [...track.bars, ...more] })),
  };
}

/** Removes the last stave; the first one stays. */
export function removeStave(tab) {
  const found = staves(tab);
  if (found.length < 2) throw new Impossible("A tab keeps its first stave.");
  const [first] = found.at(-1);
  return {
    ...tab, bars: tab.bars.slice(0, first),
    tracks: tab.tracks.map((track) => ({ ...track, bars: track.bars.slice(0, first) })),
  };
}

/** The bars from `first` to `last` with all tracks' notes, to put them elsewhere. */
export function copyBars(tab, first, last) {
  const all = meters(tab);
  return {
    // The meter goes along, also where an earlier bar gave it.
    bars: tab.bars.slice(first, last + 1).map((bar, index) => (index === 0 ? { ...bar, time: all[first].time } : bar)),
    strings: tab.tracks.map(({ strings }) => strings.length),
    tracks: tab.tracks.map((track) => track.bars.slice(first, last + 1)),
  };
}

/** Puts bars before a bar: copied ones, or an empty one. What follows keeps its meter. */
export function insertBars(tab, at, copied = null) {
  const all = meters(tab);
  const bars = copied?.bars ?? [{}];
  if (tab.bars.length + bars.length > mostStaves * 8) throw new Impossible("The tab has no room for more bars.");
  if (copied && tab.tracks.some(({ strings }, index) => (copied.strings[index] ?? 0) > strings.length)) {
    throw new Impossible("These bars have more strings than the instrument here.");
  }
  const next = tab.bars[at];
  const last = copied ? copied.bars.findLast(({ time }) => time)?.time ?? all[at].time : all[at].time;
  const isOther = next && (last[0] !== all[at].time[0] || last[1] !== all[at].time[1]);
  const begun = at === 0 && !copied ? [{ time: all[0].time }] : bars;
  return {
    ...tab,
    bars: [...tab.bars.slice(0, at), ...begun, ...tab.bars.slice(at).map((bar, index) =>
      (index === 0 && isOther && !bar.time ? { ...bar, time: all[at].time } : bar))],
    tracks: tab.tracks.map((track, index) => ({ ...track, bars: [...track.bars.slice(0, at),
      ...bars.map((_, bar) => copied?.tracks[index]?.[bar] ?? {}), ...track.bars.slice(at)] })),
  };
}

/** Takes bars away; one stays. What follows keeps its meter. */
export function removeBars(tab, first, last) {
  if (last - first + 1 >= tab.bars.length) throw new Impossible("A tab keeps one bar.");
  const all = meters(tab);
  const rest = tab.bars.slice(last + 1).map((bar, index) => (index === 0 && !bar.time
    ? { ...bar, time: all[last + 1].time } : bar));
  return {
    ...tab, bars: [...tab.bars.slice(0, first), ...rest],
    tracks: tab.tracks.map((track) => ({ ...track,
      bars: [...track.bars.slice(0, first), ...track.bars.slice(last + 1)] })),
  };
}

/** The name of a section that begins at a bar; empty takes it away. */
export const setSection = (tab, bar, section) => withBar(tab, bar,
  section ? { ...tab.bars[bar], section } : without(tab.bars[bar], "section"));

/** The passes in which a bar is played: "1, 2"; empty for all. */
export function setEndings(tab, bar, text) {
  const passes = [...new Set(text.split(/[\s,.]+/).filter(Boolean).map(Number))].sort((one, other) => one - other);
  if (passes.some((pass) => !(Number.isInteger(pass) && pass >= 1 && pass <= 25))) {
    throw new Impossible("An ending is the number of a pass, such as 1 or 1, 2.");
  }
  return withBar(tab, bar, passes.length > 0 ? { ...tab.bars[bar], endings: passes }
    : without(tab.bars[bar], "endings"));
}

/** Words of the cursor's beat: `chord`, `text` or `lyrics` (syllables, a list); empty takes them away. */
export function setWords(tab, cursor, name, words) {
  const beats = beatsOf(tab, cursor.track, cursor.bar);
  const beat = beats[cursor.slot];
  if (!beat) throw new Impossible("Write a note or a rest first.");
  const value = name === "lyrics" ? [words] : words;
  return withBeats(tab, cursor, replaced(beats, cursor.slot,
    words ? { ...beat, [name]: value } : without(beat, name)));
}

/** Takes all notes and rests away; bars, meters, repeats and instruments stay. */
export function clear(tab) {
  return { ...tab, tracks: tab.tracks.map((track) => ({ ...track, bars: track.bars.map(() => ({})) })) };
}

/** The left repeat bar: a section begins, or no longer begins, at this bar. */
export function toggleRepeatStart(tab, bar) {
  const old = tab.bars[bar];
  return withBar(tab, bar, old.repeatStart ? without(old, "repeatStart") : { ...old, repeatStart: true });
}

/** The right repeat bar: a section ends here and is played `repeats` times more, 0 to 24; null removes it. */
export function setRepeats(tab, bar, repeats) {
  if (repeats !== null && !(Number.isInteger(repeats) && repeats >= 0 && repeats <= 24)) {
    throw new Impossible("A section is repeated 0 to 24 times.");
  }
  return withBar(tab, bar, repeats === null ? without(tab.bars[bar], "repeats") : { ...tab.bars[bar], repeats });
}

const withBar = (tab, index, bar) => ({ ...tab, bars: replaced(tab.bars, index, bar) });

/** Another meter from a bar on, up to the next one that is written. */
export function setTime(tab, bar, time) {
  const changed = withBar(tab, bar, { ...without(tab.bars[bar], "length"), time });
  const all = meters(changed);
  for (let index = bar; index < tab.bars.length && (index === bar || !tab.bars[index].time); index += 1) {
    const isTooFull = changed.tracks.some((track) => (track.bars[index].voices ?? [])
      .some((voice) => filledQuarters(voice.beats) > all[index].quarters + 1e-6));
    if (isTooFull) throw new Impossible(`Bar ${index + 1} has more notes than fit into ${time.join("/")}.`);
  }
  return changed;
}

/** Another tempo, 60 to 180 quarters a minute. */
export function setTempo(tab, tempo) {
  if (!(tempo >= 60 && tempo <= 180)) throw new Impossible("The tempo goes from 60 to 180 quarters a minute.");
  return { ...tab, tempo, bars: tab.bars.map((bar, index) => (index === 0 && bar.tempos
    ? without(bar, "tempos") : bar)) };
}

/** Another instrument, tuning or capo for a track. Notes on strings that it lacks must go first. */
export function setInstrument(tab, index, { name, program, strings, capo = 0 }) {
  const track = tab.tracks[index];
  const isLost = track.bars.some((bar) => bar.voices?.some((voice) => (voice.staff ?? 1) === 1 && voice.beats.some(
    (beat) => beat.notes?.some((note) => note.string > strings.length))));
  if (isLost) throw new Impossible(`There are notes on strings that this instrument lacks; remove them first.`);
  return { ...tab, tracks: replaced(tab.tracks, index, { ...track, name, program, strings, capo }) };
}

/** One more instrument, with empty bars. */
export function addTrack(tab, { name, program, strings }) {
  if (tab.tracks.length >= 64) throw new Impossible("A tab has at most 64 instruments.");
  return { ...tab, tracks: [...tab.tracks, { name, program, strings, capo: 0, bars: tab.bars.map(() => ({})) }] };
}

/** Removes an instrument; the last one stays. */
export function removeTrack(tab, index) {
  if (tab.tracks.length < 2) throw new Impossible("A tab keeps one instrument.");
  return { ...tab, tracks: tab.tracks.filter((_, at) => at !== index) };
}
