// The rehearsal marks of a MIDI file, written into the line of a movement; the librarian looks at them and saves.
import { make } from "/shared/dom.js";
import { marksLine, readMarks } from "./marks.js";
import { say } from "./say.js";
import { midiMarks } from "./store.js";

/** A button that asks for a MIDI file and adds its marks to the line of an input. */
export function midiMarksButton(line) {
  const input = make("input", { type: "file", accept: ".mid,.midi", hidden: true });
  const button = make("button", { type: "button", class: "plain", text: "Marks from a MIDI file …",
    onclick: () => input.click() });
  input.addEventListener("change", () => add(line, input.files[0]).catch((fault) => say(fault.message, true))
    .finally(() => (input.value = "")));
  return make("span", { class: "midi-marks" }, button, input);
}

async function add(line, file) {
  if (!file) return;
  const { marks, leftOut } = await midiMarks(file);
  if (marks.length === 0) return say("The MIDI file has no markers or cue points: its sequencer can add some.", true);
  // Commas part the marks of a line.
  const found = marks.map(({ label, measure }) => ({ label: label.replaceAll(/[,;]/g, " ").trim(), measure }));
  const all = new Map([...readMarks(line.value), ...found].map((mark) => [`${mark.label} ${mark.measure}`, mark]));
  line.value = marksLine([...all.values()].sort((one, other) => one.measure - other.measure));
  line.focus();
  say(`${marks.length} marks, not saved yet. MIDI counts an upbeat as measure 1: compare one with the music.` +
    `${leftOut > 0 ? ` ${leftOut} more were left out.` : ""}`);
}
