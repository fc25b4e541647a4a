// The keys of the tab editor.

const lengthKeys = { q: "1/1", w: "1/2", e: "1/4", t: "1/8", s: "1/16" };
const techniqueKeys = {
  h: ["hammer"], v: ["vibrato", "slight"], x: ["dead"], p: ["palmMute"], "/": ["slides", ["shift"]],
  b: ["bend", [{ at: "0", semitones: "0" }, { at: "1/2", semitones: "2" }]], l: ["tie"],
};

/** The keys and their actions, for the dialog that shows them. */
export const keyHelp = [
  ["0 … 24", "fret on the cursor's string"], ["arrows", "move the cursor"], ["Ctrl ← →", "to the next bar"],
  ["Q W E T S", "whole, half, quarter, eighth, sixteenth"], [". (or D)", "dotted"], ["3 with Alt", "triplet"],
  ["R", "rest"], ["Delete", "take a note or rest away"], ["Insert", "put a rest before"],
  ["H V B / X P L", "hammer, vibrato, bend, slide, dead, palm mute, tie"], ["Space", "play, stop"],
  ["Shift Space", "play from here"], ["O", "loop this bar"], ["Ctrl Z, Ctrl Y", "undo, redo"],
  ["Ctrl C X V", "copy, cut, paste the bars of the loop, or this bar"], ["Ctrl Insert", "put a bar before"],
  ["+ −", "larger, smaller"],
];

/** Carries out a key; false if it is none of ours. `acts` has play, playHere, loop and zoom. */
export function carryOut(event, editor, acts) {
  const { key, shiftKey } = event;
  const withControl = event.ctrlKey || event.metaKey;
  if (key === " ") return done(shiftKey ? acts.playHere() : acts.play());
  if (key === "Escape") return done(acts.stop());
  if (withControl) return controlKey(key.toLowerCase(), shiftKey, editor, acts);
  if (event.altKey) {
    if (key !== "3") return false;
    return done(editor.toggleTriplet());
  }
  if (/^[0-9]$/.test(key)) return done(editor.type(Number(key), event.timeStamp));
  switch (key) {
  case "ArrowLeft": return done(editor.step(-1));
  case "ArrowRight": return done(editor.step(1));
  case "ArrowUp": return done(editor.stepString(-1));
  case "ArrowDown": return done(editor.stepString(1));
  case "Home": return done(editor.moveTo({ slot: 0 }));
  case "End": return done(editor.moveTo({ slot: Infinity }));
  case "PageUp": return done(editor.stepBar(-4));
  case "PageDown": return done(editor.stepBar(4));
  case "Delete": case "Backspace": return done(editor.erase());
  case "Insert": return done(editor.insert());
  case "+": case "=": return done(acts.zoom(1));
  case "-": return done(acts.zoom(-1));
  default: return letterKey(key.toLowerCase(), editor, acts);
  }
}

function letterKey(key, editor, acts) {
  if (lengthKeys[key]) return done(editor.chooseLength({ value: lengthKeys[key] }));
  if (key === "." || key === "d") return done(editor.toggleDot());
  if (key === "r") return done(editor.rest());
  if (key === "o") return done(acts.loop());
  if (techniqueKeys[key]) return done(editor.toggle(...techniqueKeys[key]));
  return false;
}

function controlKey(key, shiftKey, editor, acts) {
  if (key === "z") return done(shiftKey ? editor.redo() : editor.undo());
  if (key === "y") return done(editor.redo());
  if (key === "s") return done(acts.save());
  if (key === "c") return done(acts.copyBars());
  if (key === "x") return done(acts.cutBars());
  if (key === "v") return done(editor.pasteBars());
  if (key === "insert") return done(editor.insertBar());
  if (key === "arrowleft") return done(editor.stepBar(-1));
  if (key === "arrowright") return done(editor.stepBar(1));
  return false;
}

/** @type {(given: any) => boolean} True, whatever the act of a key has given. */
const done = () => true;
