// The order in which a tab's bars are played, and each bar's notes and clicks. Times are in quarters from the bar's
// beginning, and in seconds by the bar's tempos.
import { fraction, meters, pitch, quarters } from "/shared/tabmodel.js";

/** The most bars of one playing, repeats written out. */
const mostPlayed = 50_000;
const tiny = 1e-6;

/** The bar to which a direction at the end of a bar leads back; null if none does. */
function jumpBack(tab, directions) {
  if (directions.some((word) => /^daCapo/.test(word))) return 0;
  if (!directions.some((word) => /^dal?Segno/.test(word))) return null;
  const found = tab.bars.findIndex((bar) => bar.directions?.includes("segno"));
  return found < 0 ? null : found;
}

/**
 * The bars in the order of playing: repeated sections, endings that belong to some passes only, and jumps back (da
 * capo, dal segno), each taken once. After a jump nothing is repeated, Fine ends, and To Coda leads to the coda.
 */
export function playedBars(tab) {
  const order = [];
  const taken = new Set();
  const coda = tab.bars.findIndex((bar) => bar.directions?.includes("coda"));
  let [from, pass, isAfterJump] = [0, 1, false];
  for (let bar = 0; bar < tab.bars.length && order.length < mostPlayed; bar += 1) {
    const { repeatStart, repeats = null, endings, directions = [] } = tab.bars[bar];
    if (repeatStart && bar !== from) [from, pass] = [bar, 1];
    // After a jump the last ending is played.
    if (!endings || endings.includes(pass) || (isAfterJump && !tab.bars[bar + 1]?.endings)) order.push(bar);
    else continue;
    if (isAfterJump && directions.includes("fine")) break;
    if (isAfterJump && coda > bar && directions.some((word) => /^(to|da)Coda$/.test(word))) {
      bar = coda - 1;
      continue;
    }
    if (repeats !== null && !isAfterJump && pass <= repeats) {
      pass += 1;
      bar = from - 1;
      continue;
    }
    if (repeats !== null && !tab.bars[bar + 1]?.endings) [from, pass] = [bar + 1, 1];
    const back = taken.has(bar) ? null : jumpBack(tab, directions);
    if (back === null) continue;
    taken.add(bar);
    [from, pass, isAfterJump] = [back, 1, true];
    bar = back - 1;
  }
  return order;
}

/** The seconds that each part of a bar takes: [{ at, seconds, tempo }], and its whole length. */
function pace(tab, meter, bar) {
  const changes = [{ at: 0, tempo: meter.tempo }];
  for (const { at, tempo } of tab.bars[bar].tempos ?? []) {
    if (fraction(at) > tiny && tempo > 0) changes.push({ at: fraction(at), tempo });
  }
  changes.sort((a, b) => a.at - b.at);
  let seconds = 0;
  return changes.map((change, index) => {
    if (index > 0) seconds += (change.at - changes[index - 1].at) * 60 / changes[index - 1].tempo;
    return { ...change, seconds };
  });
}

/** The seconds from a bar's beginning to a place in it, in quarters. */
export function secondsAt(changes, at) {
  let found = changes[0];
  for (const change of changes) if (change.at <= at + tiny) found = change;
  return found.seconds + (at - found.at) * 60 / found.tempo;
}

/** The place in a bar, in quarters, after so many seconds. */
export function placeAt(changes, seconds) {
  let found = changes[0];
  for (const change of changes) if (change.seconds <= seconds) found = change;
  return found.at + (seconds - found.seconds) * found.tempo / 60;
}

/** The beats of a bar that the metronome clicks: quarters, or eighths where those are counted. */
export function clickPlaces({ time, quarters: length }) {
  const step = time[1] >= 8 ? 4 / time[1] : 1;
  const places = [];
  for (let at = 0; at < length - tiny; at += step) places.push(at);
  return places;
}

/** One voice's notes by bar: { at, length, pitch, techniques, string, track, slot }; tied ones are one note. */
function voiceNotes(tab, track, index, all) {
  const bars = [];
  const sounding = new Map();
  tab.tracks[track].bars.forEach((bar, number) => {
    const notes = [];
    bars.push(notes);
    const voice = bar.voices?.[index];
    if (!voice) {
      sounding.clear();
      return;
    }
    let at = 0;
    voice.beats.forEach((beat, slot) => {
      // A grace note before another one is a short note that takes its time from that.
      const length = beat.grace ? 0.12 : quarters(beat);
      for (const note of beat.notes ?? []) {
        const sound = pitch(note, tab.tracks[track], voice.staff);
        if (sound === null) continue;
        const key = note.string ?? `p${sound}`;
        const before = sounding.get(key);
        if (note.tie && before) {
          before.length = (number - before.bar > 0 ? all[number].start - all[before.bar].start : 0) + at + length
            - before.at;
          continue;
        }
        const made = {
          at, length, pitch: sound, string: note.string ?? null, bar: number, slot, track, voice: index,
          techniques: note.techniques ?? {}, stroke: beat.techniques?.stroke ?? null, dynamic: beat.dynamic ?? null,
          isGrace: Boolean(beat.grace),
        };
        sounding.set(key, made);
        notes.push(made);
      }
      if (!beat.grace) at += length;
    });
  });
  return bars;
}

export class Timeline {
  /** `tracks` are the numbers of the tracks that sound; all of them if left out. */
  constructor(tab, tracks = tab.tracks.map((_, index) => index)) {
    this.meters = meters(tab);
    this.paces = tab.bars.map((_, bar) => pace(tab, this.meters[bar], bar));
    this.order = playedBars(tab);
    this.notes = tab.bars.map(() => []);
    this.tracks = tab.tracks.map(({ program = 25, percussion = false }) => ({ program, percussion }));
    for (const track of tracks) {
      const voices = Math.max(0, ...tab.tracks[track].bars.map((bar) => bar.voices?.length ?? 0));
      for (let voice = 0; voice < voices; voice += 1) {
        voiceNotes(tab, track, voice, this.meters).forEach((found, bar) => this.notes[bar].push(...found));
      }
    }
    for (const notes of this.notes) notes.sort((a, b) => a.at - b.at);
  }

  /** The seconds of a whole bar at full speed. */
  seconds(bar) {
    return secondsAt(this.paces[bar], this.meters[bar].quarters);
  }
}
