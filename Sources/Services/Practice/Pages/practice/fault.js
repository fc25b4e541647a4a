// Checks of a tab that comes from outside: from a file, or from the server, where another program may have put it.
import { fraction, quarters } from "/shared/tabmodel.js";

const format = "baton-tab";
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const areObjects = (list) => Array.isArray(list ?? []) && (list ?? []).every(isObject);

/** True if a tab has what the list of tabs shows; one that has it not is damaged. */
export const isListable = (tab) => isObject(tab) && tab.format === format && areObjects(tab.bars)
  && areObjects(tab.tracks);

/** Why a value is no tab that this page can open, as a sentence; null if it is one. */
export function faultOf(value) {
  if (value?.format !== format) return "This is not a tab of Baton.";
  if (value.version !== 1) return "This tab was made by a newer version of Baton; update this one.";
  if (!isListable(value)) return "This tab is damaged: its bars or its instruments cannot be read.";
  const { bars, tracks } = { bars: value.bars ?? [], tracks: value.tracks ?? [] };
  if (bars.length > 9999 || tracks.length > 64) {
    return "This tab has more than 9,999 bars or 64 instruments; it cannot be shown.";
  }
  if (!tracks.every(isTrackReadable)) return "This tab is damaged: its notes cannot be read.";
  if (!beatsOf(tracks).every((beat) => quarters(beat) >= 0)) return "This tab has a length that cannot be read.";
  if (bars.some((bar) => (bar.time && !(bar.time[0] > 0 && bar.time[1] > 0)) ||
    (bar.length !== undefined && !(fraction(bar.length) > 0)))) return "This tab has a meter that cannot be read.";
  return null;
}

const isTrackReadable = (track) => areObjects(track.bars) && (track.bars ?? []).every((bar) => areObjects(bar.voices)
  && (bar.voices ?? []).every((voice) => areObjects(voice.beats)
    && (voice.beats ?? []).every((beat) => areObjects(beat.notes))));

const beatsOf = (tracks) => tracks.flatMap(({ bars }) => bars ?? []).flatMap(({ voices }) => voices ?? [])
  .flatMap(({ beats }) => beats ?? []);
