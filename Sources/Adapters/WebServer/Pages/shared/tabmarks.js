// The signs of techniques beside and above frets.
import { draw } from "/shared/dom.js";

/**
 * Signs of one note.
 * @param {SVGElement} svg
 * @param {{ techniques?: Record<string, any> }} note
 * @param {Record<string, number>} place
 */
export function noteMarks(svg, { techniques = {} }, { x, y, width, nextX, top, zoom, wide }) {
  const above = (text, shift = 0) => svg.append(draw("text", {
    class: "mark", x: x + shift, y: top - 8 * zoom, "font-size": 10 * zoom, text,
  }));
  const path = (d, kind = "curve") => svg.append(draw("path", { class: kind, d }));
  const [right, next] = [x + wide / 2, (nextX ?? x + width) - wide / 2];
  if (techniques.hammer) {
    path(`M${right} ${y - 7 * zoom}Q${(right + next) / 2} ${y - 15 * zoom} ${next} ${y - 7 * zoom}`);
    svg.append(draw("text", { class: "mark", x: (right + next) / 2, y: y - 12 * zoom, "font-size": 9 * zoom,
      text: "H" }));
  }
  for (const slide of techniques.slides ?? []) {
    if (slide === "shift" || slide === "legato") path(`M${right} ${y + 4 * zoom}L${next} ${y - 4 * zoom}`);
    else if (slide.startsWith("out")) {
      const down = slide === "outDown" ? 1 : -1;
      path(`M${right} ${y}l${9 * zoom} ${down * 6 * zoom}`);
    } else {
      const below = slide === "inFromBelow" ? 1 : -1;
      path(`M${x - wide / 2} ${y}l${-9 * zoom} ${below * 6 * zoom}`);
    }
  }
  if (techniques.bend?.length) {
    const height = Math.max(...techniques.bend.map(({ semitones }) => {
      const [over, under = 1] = String(semitones).split("/").map(Number);
      return over / under;
    }));
    path(`M${right} ${y}Q${right + 9 * zoom} ${y} ${right + 9 * zoom} ${top - 12 * zoom}l${-3 * zoom} ${5 * zoom}` +
      `m${3 * zoom} ${-5 * zoom}l${3 * zoom} ${5 * zoom}`);
    const words = { 1: "½", 2: "full", 3: "1½", 4: "2" };
    svg.append(draw("text", { class: "mark", x: right + 9 * zoom, y: top - 15 * zoom, "font-size": 9 * zoom,
      text: words[height] ?? String(height / 2) }));
  }
  if (techniques.vibrato) {
    let d = `M${x} ${top - 10 * zoom}`;
    for (let wave = 0; wave < 4; wave += 1) d += `q${2.5 * zoom} ${-5 * zoom} ${5 * zoom} 0`;
    path(d);
  }
  if (techniques.palmMute) above("PM");
  if (techniques.letRing) above("let ring");
  if (techniques.tap) above("T");
  if (techniques.accent) above(techniques.accent === "heavy" ? "^" : techniques.accent === "tenuto" ? "–" : ">");
  if (techniques.staccato) above("·");
  if (techniques.trill) above("tr");
}

/**
 * Signs of a whole beat: words, chord, strokes.
 * @param {SVGElement} svg
 * @param {import("/shared/exchanged").Beat} beat
 * @param {Record<string, number>} place
 */
export function beatMarks(svg, { text, chord, lyrics, dynamic, techniques = {} }, { x, top, height, zoom }) {
  const say = (words, y, kind = "mark") => svg.append(draw("text", {
    class: kind, x, y, "font-size": 11 * zoom, text: words,
  }));
  if (chord) say(chord, top - 18 * zoom, "chord");
  if (text) say(text, top - 18 * zoom, "words");
  if (lyrics?.length) say(lyrics.join(" "), top + height + (dynamic ? 56 : 44) * zoom, "lyrics");
  if (dynamic) say(dynamic, top + height + 44 * zoom, "dynamic");
  const stroke = techniques.stroke ?? techniques.pick;
  if (stroke) say(stroke.toLowerCase().endsWith("down") ? "↓" : "↑", top - 8 * zoom);
  if (techniques.slap) say("S", top - 8 * zoom);
  if (techniques.pop) say("P", top - 8 * zoom);
}
