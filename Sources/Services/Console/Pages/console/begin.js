// Before the music: whether the show is armed, whether anything is heard, and the two buttons that begin.
import { find, write } from "/shared/dom.js";
import { isTakenTwice } from "/shared/oneact.js";
import { isNumber } from "./format.js";
import { leads } from "./leading.js";

const standsOut = 6; // dB above the measured silence of the hall
const usualSilence = -60; // dB of full scale, while nobody has measured the silence

/** True if the input hears more than the hall's own silence. */
export function hearsSound({ meters, follower }) {
  if (!isNumber(meters?.rmsDb) || meters.inputLost || follower?.silent) return false;
  return meters.rmsDb > (isNumber(meters.silenceDb) ? meters.silenceDb : usualSilence) + standsOut;
}

/** True if an intermission is planned after the present piece, and is not on yet. */
const isIntermissionNext = ({ show, position, programme }) =>
  !show?.intermission && (programme.intermissions ?? []).includes(position.piece);

/**
 * What comes next in the evening: the planned intermission, the next piece or, after the last, an encore to be added:
 * { text, words }; `words` is the command, null for the encore. Null before the first piece, which nobody skips by the
 * largest button.
 */
export function nextStep({ show, position, programme }) {
  const pieces = programme?.empty ? [] : programme?.pieces ?? [];
  if (!position || pieces.length === 0) return null;
  if (position.piece === 0 && position.mode === "waiting" && ["not-yet", "armed"].includes(show?.evening)) return null;
  const next = pieces[position.piece + 1];
  if (next && isIntermissionNext({ show, position, programme })) {
    return { text: "Begin the intermission", words: ["intermission", "on"] };
  }
  const isEncore = position.piece + 1 >= Math.max(pieces.length - (programme.encores ?? 0), 1);
  return next ? { text: `Start the ${isEncore ? "encore" : "next piece"}: ${next.name}`, words: ["next-piece"] }
    : { text: "Add an encore", words: null };
}

/** Takes the step that `nextStep` gives, at most one in a second; `addEncore` is called where there is none to send. */
export function takeStep({ desk, send }, addEncore = () => {}) {
  const step = nextStep({ show: desk.get("show"), position: desk.get("position"), programme: desk.get("programme") });
  if (!step || isTakenTwice("next step")) return;
  if (step.words) send(...step.words);
  else addEncore();
}

/** What is said before the music: { title, text, sound }; null while the music is under way, or nothing begins here. */
export function beginWords({ show, position, programme, meters, follower }) {
  if (!position || !leads(show) || show?.rehearsal || programme?.empty || position.holder?.kind !== "follower") {
    return null;
  }
  const pieces = programme?.pieces ?? [];
  const isOver = position.mode === "finished";
  const next = pieces[isOver ? position.piece + 1 : position.piece];
  if (next && show?.intermission) {
    return { title: "Intermission", text: `Then: ${next.name}`, sound: "", isBetween: true };
  }
  if (!next || !(["not-yet", "armed"].includes(show?.evening) || isOver && show?.evening === "under-way")) return null;
  const sound = hearsSound({ meters, follower }) ? "Sound is heard: tuning?" : "Nothing is heard.";
  if (show.evening === "not-yet") {
    return { title: "Not yet", text: `Whatever sounds, nothing is shown and no cue fires. Then: ${next.name}`, sound };
  }
  if (show.evening === "armed" && position.mode === "following") {
    return { title: "Armed", text: `Bar ${position.measure} of ${next.name} is heard; in a moment it is under way.`,
      sound: "" };
  }
  if (show.evening === "armed") {
    const bar = position.measure === null ? "the music" : `bar ${position.measure}`;
    return { title: "Armed", text: `The follower waits for ${bar} of ${next.name}.`, sound };
  }
  if (isIntermissionNext({ show, position, programme })) {
    return { title: "Next", isBetween: true, text: `An intermission is planned. Then: ${next.name}.`, sound };
  }
  return { title: "Next", isBetween: true, text: show.autoAdvance === false ? `${next.name}: it begins when you say so.`
    : `${next.name}: it begins by itself when its music is heard.`, sound };
}

export function showBegin({ desk, send }) {
  const step = find("next-step");
  step.addEventListener("click", () => takeStep({ desk, send }));
  const begin = find("begin").querySelector("[data-action=begin]");
  const [root, title, text, sound] = ["begin", "begin-title", "begin-text", "begin-sound"].map(find);
  const paint = () => {
    const words = beginWords({ show: desk.get("show"), position: desk.get("position"),
      programme: desk.get("programme"), meters: desk.get("meters"), follower: desk.get("follower") });
    root.hidden = words === null;
    if (!words) return;
    write(title, words.title);
    write(text, words.text);
    write(sound, words.sound);
    const next = nextStep({ show: desk.get("show"), position: desk.get("position"),
      programme: desk.get("programme") });
    step.hidden = !(words.isBetween && next?.words);
    write(step, next?.text ?? "");
    // What was planned goes before the piece that follows it.
    const isPause = next?.words?.[0] === "intermission";
    step.classList.toggle("primary", isPause);
    begin.classList.toggle("primary", !isPause);
    root.dataset.sounds = String(words.sound.startsWith("Sound"));
  };
  for (const section of ["show", "position", "programme", "meters", "follower"]) desk.on(section, paint);
}
