// The instruments that a tab is written for, and their tunings: MIDI pitches of the open strings, the highest first.

export const instruments = [
  { name: "Guitar", program: 25, strings: [64, 59, 55, 50, 45, 40] },
  { name: "Guitar, drop D", program: 25, strings: [64, 59, 55, 50, 45, 38] },
  { name: "Electric guitar", program: 27, strings: [64, 59, 55, 50, 45, 40] },
  { name: "Guitar, seven strings", program: 27, strings: [64, 59, 55, 50, 45, 40, 35] },
  { name: "Bass", program: 33, strings: [43, 38, 33, 28] },
  { name: "Bass, five strings", program: 33, strings: [43, 38, 33, 28, 23] },
  { name: "Ukulele", program: 24, strings: [69, 64, 60, 67] },
  { name: "Mandolin", program: 25, strings: [76, 69, 62, 55] },
  { name: "Banjo", program: 105, strings: [62, 59, 55, 50, 67] },
];

const names = ["C", "C♯", "D", "E♭", "E", "F", "F♯", "G", "A♭", "A", "B♭", "B"];

/** “E4” for 64. */
export const pitchName = (pitch) => `${names[pitch % 12]}${Math.floor(pitch / 12) - 1}`;
const naturals = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11, H: 11 };

/** Pitches of a text such as “D2 A2 D3 G3 B3 E4”, the lowest string first; null if it names none, or is no tuning. */
export function tuningOf(text) {
  const found = text.trim().split(/[\s,]+/).map((word) => {
    const [, name, sign, octave] = /^([A-Ha-h])([♯#♭b]?)(-?\d)$/.exec(word) ?? [];
    const pitch = name && naturals[name.toUpperCase()] + (sign === "" ? 0 : "♯#".includes(sign) ? 1 : -1)
      + 12 * (Number(octave) + 1);
    return pitch >= 0 && pitch <= 127 ? pitch : null;
  });
  return found.length > 0 && found.length <= 12 && !found.includes(null) ? found.reverse() : null;
}

/** “E” for 64. */
export const letter = (pitch) => names[pitch % 12];

/** A new tab for an instrument: four empty bars, which are two staves. */
export function newTab(title, { name, program, strings } = instruments[0]) {
  const bars = [{ time: [4, 4] }, {}, {}, {}];
  return {
    format: "baton-tab", version: 1, title, tempo: 120, bars,
    tracks: [{ name, program, strings, capo: 0, bars: bars.map(() => ({})) }],
  };
}
