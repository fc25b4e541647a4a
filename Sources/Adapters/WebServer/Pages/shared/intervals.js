// By which interval an engraved part is written higher for another instrument.
import { make } from "/shared/dom.js";

const intervals = [
  ["", "Written as in the file"], ["m2", "Clarinet in B♭ → in A (a semitone higher)"],
  ["-m2", "Clarinet in A → in B♭ (a semitone lower)"], ["M2", "Concert pitch → in B♭ (a tone higher)"],
  ["-M2", "In B♭ → concert pitch (a tone lower)"], ["P5", "Concert pitch → in F (a fifth higher)"],
  ["-P5", "In F → concert pitch (a fifth lower)"], ["M6", "Concert pitch → alto saxophone (a sixth higher)"],
  ["-M6", "Alto saxophone → concert pitch (a sixth lower)"], ["P8", "An octave higher"], ["-P8", "An octave lower"],
];

/** The name of an interval, such as “Clarinet in B♭ → in A (a semitone higher)”. */
export const intervalName = (value) => intervals.find(([each]) => each === value)?.[1] ?? value;

/** A choice of an interval; its value is what the server takes. */
export function intervalChoice({ label, value = "", plain = intervals[0][1] }) {
  const choice = make("select", { id: "interval", "aria-label": label },
    ...intervals.map(([each, text]) => make("option", { value: each, text: each === "" ? plain : text })));
  choice.value = value;
  return choice;
}
