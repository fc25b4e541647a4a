// Notes on five lines above the tab. Guitars and basses are written an octave above their sound, as their players
// read them.
import { draw } from "/shared/dom.js";
import { isRest, pitch } from "/shared/tabmodel.js";
import { restSign } from "/shared/tabsigns.js";

// The step (C is 0) and the alteration of each of the twelve pitches, with sharps and with flats.
const sharps = [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [3, 0], [3, 1], [4, 0], [4, 1], [5, 0], [5, 1], [6, 0]];
const flats = [[0, 0], [1, -1], [1, 0], [2, -1], [2, 0], [3, 0], [4, -1], [4, 0], [5, -1], [5, 0], [6, -1], [6, 0]];
const sharpOrder = [3, 0, 4, 1, 5, 2, 6];
const signOf = { 1: "♯", "-1": "♭", 0: "♮" };
const trebleClef = "M6 1C2 1 2-5 7-5C13-5 13 4 7 5C0 6-2 0-1-4C0-10 9-14 9-20C9-26 4-25 4-18L9 11C9 15 3 15 4 11";
const bassClef = "M0-8C0-14 11-14 10-5C9 1 4 5-1 8M14-10v1M14-2v1";

/** The width in pixels of the clef and the key at a line's beginning, at zoom 1. */
export const headWidth = (key) => 26 + 7 * Math.abs(key);

const isBass = ({ program = 25 }) => program >= 32 && program <= 39;
const isOctaveHigher = ({ program = 25, strings }) => strings?.length > 0 && program >= 24 && program <= 39;

/** A pitch as a step above middle C's, and its alteration. */
function spelled(sounding, key) {
  const [step, alteration] = (key < 0 ? flats : sharps)[sounding % 12];
  return { step: 7 * (Math.floor(sounding / 12) - 5) + step, alteration };
}

/** The accidental that the key gives each step: [C, D, … B]. */
function keySteps(key) {
  const steps = new Array(7).fill(0);
  const order = key > 0 ? sharpOrder : [...sharpOrder].reverse();
  order.slice(0, Math.abs(key)).forEach((step) => (steps[step] = Math.sign(key)));
  return steps;
}

export class Notation {
  #svg;
  #track;
  #zoom;
  #bottom;
  #lowest;

  /** `top` is the uppermost line's place in pixels. */
  constructor(svg, track, zoom, top) {
    [this.#svg, this.#track, this.#zoom] = [svg, track, zoom];
    this.#bottom = top + 32 * zoom;
    // The step of the lowest line: E above middle C, or G in the bass.
    this.#lowest = isBass(track) ? -10 : 2;
  }

  #y(step) {
    return this.#bottom - (step - this.#lowest) * 4 * this.#zoom;
  }

  #add(name, traits) {
    this.#svg.append(draw(name, traits));
  }

  /** The five lines, the clef and the key of a line of music. */
  begin(x, width, key) {
    const z = this.#zoom;
    for (let line = 0; line < 5; line += 1) {
      const y = this.#bottom - line * 8 * z;
      this.#add("line", { class: "string", x1: x, x2: x + width, y1: y, y2: y });
    }
    const [clef, height] = isBass(this.#track) ? [bassClef, 24] : [trebleClef, 8];
    this.#add("path", { class: "clef-sign", d: clef,
      transform: `translate(${x + 6 * z} ${this.#bottom - Number(height) * z}) scale(${z})` });
    const places = key > 0 ? [10, 7, 11, 8, 5, 9, 6] : [6, 9, 5, 8, 4, 7, 3];
    places.slice(0, Math.abs(key)).forEach((place, index) => this.#add("text", {
      class: "accidental", x: x + (28 + 7 * index) * z, y: this.#y(place - (isBass(this.#track) ? 14 : 0)) + 5 * z,
      "font-size": 15 * z, text: signOf[Math.sign(key)],
    }));
  }

  barLine(x) {
    this.#add("line", { class: "bar-line", x1: x, x2: x, y1: this.#bottom - 32 * this.#zoom, y2: this.#bottom });
  }

  /** The notes of a bar's columns. */
  bar(columns, key) {
    const altered = new Map();
    const inKey = keySteps(key);
    const flagged = [];
    for (const column of columns) {
      for (const { beat, voice } of column.beats) {
        if (isRest(beat)) {
          if (voice === 0 && !beat.invisible) {
            this.#svg.append(restSign(beat, column.x, this.#bottom - 16 * this.#zoom, this.#zoom * 0.9));
          }
          continue;
        }
        const found = this.#chord(beat, column.x, key, inKey, altered);
        if (found) flagged.push({ ...found, quarter: Math.floor(column.at + 1e-6), voice });
      }
    }
    this.#stems(flagged);
  }

  #chord(beat, x, key, inKey, altered) {
    const z = this.#zoom;
    const raised = isOctaveHigher(this.#track) ? 12 : 0;
    const notes = beat.notes.map((note) => ({ note, sound: pitch(note, this.#track) }))
      .filter(({ sound }) => sound !== null).map(({ note, sound }) => ({ note, ...spelled(sound + raised, key) }))
      .sort((a, b) => a.step - b.step);
    if (notes.length === 0) return null;
    // A note far above the lines is written lower, with a sign that says so.
    let octaves = 0;
    while (notes.at(-1).step - 7 * octaves > this.#lowest + 18) octaves += 1;
    if (octaves > 0) {
      this.#add("text", { class: "mark", x, y: this.#bottom - 63 * z, "font-size": 9 * z,
        text: octaves === 1 ? "8va" : "15ma" });
      for (const each of notes) each.step -= 7 * octaves;
    }
    const [over, under] = (beat.value ?? "1/4").split("/").map(Number);
    const part = under / over;
    let shift = 0;
    notes.forEach(({ note, step, alteration }, index) => {
      const y = this.#y(step);
      // Seconds stand side by side.
      shift = index > 0 && step - notes[index - 1].step < 2 && shift === 0 ? 9 * z : 0;
      for (let line = this.#lowest - 2; line >= step; line -= 2) this.#ledger(x, this.#y(line));
      for (let line = this.#lowest + 10; line <= step; line += 2) this.#ledger(x, this.#y(line));
      const before = altered.get(step) ?? inKey[((step % 7) + 7) % 7];
      if (before !== alteration && !note.tie) {
        altered.set(step, alteration);
        this.#add("text", { class: "accidental", x: x - 10 * z, y: y + 5 * z, "font-size": 14 * z,
          text: signOf[alteration] });
      }
      this.#add("ellipse", { class: part <= 2 ? "head hollow" : "head", cx: x + shift, cy: y, rx: 4.7 * z, ry: 3.6 * z,
        transform: `rotate(-18 ${x + shift} ${y})` });
      for (let dot = 0; dot < (beat.dots ?? 0); dot += 1) {
        this.#add("circle", { class: "dot", cx: x + shift + (8 + 4 * dot) * z, cy: y - 2 * z, r: 1.5 * z });
      }
    });
    const [low, high] = [this.#y(notes[0].step), this.#y(notes.at(-1).step)];
    return { x, low, high, part, flags: part >= 8 && !beat.grace ? Math.round(Math.log2(part)) - 2 : 0 };
  }

  #ledger(x, y) {
    this.#add("line", { class: "string", x1: x - 8 * this.#zoom, x2: x + 8 * this.#zoom, y1: y, y2: y });
  }

  /** Stems, and beams over what is shorter than a quarter and lies in the same one. */
  #stems(all) {
    const z = this.#zoom;
    const middle = this.#bottom - 16 * z;
    let index = 0;
    while (index < all.length) {
      const group = [all[index]];
      while (all[index].flags > 0 && all[index + 1]?.flags > 0 && all[index + 1].quarter === all[index].quarter
        && all[index + 1].voice === all[index].voice) group.push(all[index += 1]);
      index += 1;
      if (group[0].part <= 1) continue;
      const isUp = group.reduce((sum, each) => sum + each.low + each.high - 2 * middle, 0) >= 0;
      const side = isUp ? 4.4 * z : -4.4 * z;
      const ends = group.map(({ low, high }) => (isUp ? high - 25 * z : low + 25 * z));
      const end = isUp ? Math.min(...ends) : Math.max(...ends);
      for (const { x, low, high } of group) {
        this.#add("line", { class: "stem", x1: x + side, x2: x + side, y1: isUp ? low : high, y2: end });
      }
      const towards = isUp ? 1 : -1;
      if (group.length === 1) {
        for (let flag = 0; flag < group[0].flags; flag += 1) {
          this.#add("path", { class: "flag", d: `M${group[0].x + side} ${end + towards * 5 * z * flag}` +
            `q${7 * z} ${towards * 4 * z} ${5 * z} ${towards * 12 * z}` });
        }
        continue;
      }
      group.forEach((each, at) => {
        for (let level = 0; level < each.flags; level += 1) {
          const next = group[at + 1]?.flags > level ? group[at + 1].x : null;
          const before = group[at - 1]?.flags > level;
          if (next === null && before) continue;
          const [from, to] = next !== null ? [each.x, next]
            : at + 1 < group.length ? [each.x, each.x + 7 * z] : [each.x - 7 * z, each.x];
          this.#add("rect", { class: "beam", x: from + side, width: to - from, height: 3 * z,
            y: end + towards * 5 * z * level - (isUp ? 0 : 3 * z) });
        }
      });
    }
  }
}
