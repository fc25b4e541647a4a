// Before the music: whether the show is armed, whether anything is heard, and the two buttons that begin.
import { find, write } from "/shared/dom.js";
import { isNumber } from "./format.js";
import { leads } from "./leading.js";

const standsOut = 6; // dB above the measured silence of the hall
const usualSilence = -60; // dB of full scale, while nobody has measured the silence

/** True if the input hears more than the hall's own silence. */
export function hearsSound({ meters, follower }) {
  if (!isNumber(meters?.rmsDb) || meters.inputLost || follower?.silent) return false;
  return meters.rmsDb > (isNumber(meters.silenceDb) ? meters.silenceDb : usualSilence) + standsOut;
}

/** What is said before the music: { title, text, sound }; null while the music is under way, or nothing begins here. */
export function beginWords({ show, position, programme, meters, follower }) {
  if (!position || !leads(show) || show?.rehearsal || programme?.empty || position.holder?.kind !== "follower") {
    return null;
  }
  const pieces = programme?.pieces ?? [];
  const isOver = position.mode === "finished";
  const next = pieces[isOver ? position.piece + 1 : position.piece];
  if (!next || !(["not-yet", "armed"].includes(show?.evening) || isOver && show?.evening === "under-way")) return null;
  const sound = hearsSound({ meters, follower }) ? "Sound is heard: tuning?" : "Nothing is heard.";
  if (show.evening === "not-yet") {
    return { title: "Not yet", text: `Whatever sounds, nothing is shown and no cue fires. Then: ${next.name}`, sound };
  }
  if (show.evening === "armed") {
    const bar = position.measure === null ? "the music" : `bar ${position.measure}`;
    return { title: "Armed", text: `The follower waits for ${bar} of ${next.name}.`, sound };
  }
  return { title: "Next", text: show.autoAdvance === false ? `${next.name}: it begins when you say so.`
    : `${next.name}: it begins by itself when its music is heard.`, sound };
}

export function showBegin({ desk }) {
  const [root, title, text, sound] = ["begin", "begin-title", "begin-text", "begin-sound"].map(find);
  const paint = () => {
    const words = beginWords({ show: desk.get("show"), position: desk.get("position"),
      programme: desk.get("programme"), meters: desk.get("meters"), follower: desk.get("follower") });
    root.hidden = words === null;
    if (!words) return;
    write(title, words.title);
    write(text, words.text);
    write(sound, words.sound);
    root.dataset.sounds = String(words.sound.startsWith("Sound"));
  };
  for (const section of ["show", "position", "programme", "meters", "follower"]) desk.on(section, paint);
}
