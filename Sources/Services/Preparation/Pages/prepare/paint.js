// Draws the part of a piece that is on the screen, and nothing else: sound, bars, marks, taps and the playhead.
import { axisStep } from "./view.js";
import { barEnd, firstAt, labelStep } from "./hits.js";
import { clock, isDoubtful } from "./bars.js";
import { peaks, samples, spectrum } from "./sound.js";
import { levelFor } from "./tiles.js";

export const ruler = 30; // CSS pixels for the bars' numbers, on top
export const markLane = 20; // for sections and rehearsal letters, below the numbers
const axis = 18; // for the time, at the bottom
const font = "system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", \"DejaVu Sans\", sans-serif";

/** Heights of the lanes for a canvas of this height, in CSS pixels. */
export function lanes(height) {
  const top = ruler + markLane;
  const room = Math.max(height - top - axis, 40);
  return { top, wave: Math.round(room * 0.45), bottom: top + room };
}

/**
 * One frame. `scene` has the view, bars, end, marks, sound, colours, selection {from, to} by index, loop, hover, drag
 * {index, seconds, all}, taps, expected, head (seconds) and which parts to draw (`hasSpectrum`).
 */
export function paint(context, scene, width, height) {
  const { view, colours } = scene;
  const lane = lanes(height);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, width, height);
  if (scene.sound) {
    paintSpectrum(context, scene, lane);
    paintWave(context, scene, lane);
  }
  paintAfterEnd(context, scene, lane, width);
  paintRanges(context, scene, lane, width);
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, width, lane.top);
  context.fillRect(0, lane.bottom, width, height - lane.bottom);
  paintAxis(context, scene, lane, width, height);
  paintMarks(context, scene, width);
  paintBars(context, scene, lane, width);
  paintTaps(context, scene, lane);
  const head = view.x(scene.head);
  if (head >= -2 && head <= width + 2) paintHead(context, scene, head, lane);
}

function paintSpectrum(context, { view, sound, hasSpectrum }, lane) {
  if (!hasSpectrum) return;
  const level = levelFor(view.secondsPerPixel, spectrum);
  const top = lane.top + lane.wave;
  for (const { value, from, to, column, start } of sound.picturesOf(level, view.from, Math.min(view.to, view.length))) {
    const sourceX = Math.max((from - start) / column, 0);
    const sourceTo = Math.min((to - start) / column, value.width);
    if (sourceTo <= sourceX) continue;
    const x = view.x(start + sourceX * column);
    const right = view.x(start + sourceTo * column);
    context.drawImage(value, sourceX, 0, sourceTo - sourceX, value.height, x, top, right - x + 0.6, lane.bottom - top);
  }
}

function paintWave(context, scene, lane) {
  const { view, colours, hasSpectrum } = scene;
  const high = hasSpectrum ? lane.wave : lane.bottom - lane.top;
  const middle = lane.top + high / 2;
  const half = (high / 2 - 3) * scene.sound.gain;
  context.fillStyle = colours.wave;
  if (view.secondsPerPixel < samples.below && paintSamples(context, scene, middle, half)) return;
  const level = levelFor(view.secondsPerPixel, peaks);
  for (const { value, from, to, column, start } of scene.sound.peaksOf(level, view.from,
    Math.min(view.to, view.length))) {
    const first = Math.max(Math.floor(Math.max(view.x(from), -1)), -1);
    const last = Math.min(Math.ceil(view.x(Math.min(to, view.length))), view.width + 1);
    const count = value.length / 2;
    context.beginPath();
    const below = [];
    for (let x = first; x <= last; x += 1) {
      let index = Math.floor((view.seconds(x) - start) / column);
      const until = Math.max(Math.ceil((view.seconds(x + 1) - start) / column), index + 1);
      let [least, greatest] = [127, -128];
      for (index = Math.max(index, 0); index < Math.min(until, count); index += 1) {
        if (value[2 * index] < least) least = value[2 * index];
        if (value[2 * index + 1] > greatest) greatest = value[2 * index + 1];
      }
      if (least > greatest) continue;
      const up = middle - Math.max((greatest / 127) * half, 0.5);
      if (below.length === 0) context.moveTo(x, up);
      else context.lineTo(x, up);
      below.push(x, middle - Math.min((least / 127) * half, -0.5));
    }
    for (let index = below.length - 2; index >= 0; index -= 2) context.lineTo(below[index], below[index + 1]);
    context.fill();
  }
}

/** Very close: the line of the samples themselves. Gives false while they are on their way. */
function paintSamples(context, { view, sound, colours }, middle, half) {
  const found = sound.samplesOf(view.from, Math.min(view.to, view.length));
  if (!found) return false;
  context.strokeStyle = colours.wave;
  context.lineWidth = 1.5;
  context.beginPath();
  const step = Math.max(Math.floor((view.secondsPerPixel * samples.rate) / 4), 1);
  for (const { value, from } of found) {
    const first = Math.max(Math.floor((view.from - from) * samples.rate) - 1, 0);
    const last = Math.min(Math.ceil((view.to - from) * samples.rate) + 1, value.length);
    for (let index = first; index < last; index += step) {
      context.lineTo(view.x(from + index / samples.rate), middle - (value[index] / 32_768) * half);
    }
  }
  context.stroke();
  return true;
}

function paintAfterEnd(context, { view, end, bars, colours }, lane, width) {
  context.fillStyle = colours.ground;
  context.globalAlpha = 0.55;
  const first = bars.length > 0 ? Math.min(view.x(bars[0].seconds), width) : 0;
  if (first > 0) context.fillRect(0, lane.top, first, lane.bottom - lane.top);
  if (end !== null && end !== undefined && view.x(end) < width) {
    const x = Math.max(view.x(end), 0);
    context.fillRect(x, lane.top, width - x, lane.bottom - lane.top);
  }
  context.globalAlpha = 1;
}

function paintRanges(context, { view, bars, end, selection, loop, colours }, lane, width) {
  const band = (from, to, colour, alpha, top, bottom) => {
    const [left, right] = [Math.max(view.x(from), -2), Math.min(view.x(to), width + 2)];
    if (right <= left) return;
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
  };
  if (selection && bars[selection.from]) {
    const to = barEnd(bars, Math.min(selection.to, bars.length - 1), end, view.length);
    band(bars[selection.from].seconds, to, colours.accent, 0.16, lane.top, lane.bottom);
  }
  if (loop) {
    band(loop.from, loop.to, colours.good, 0.9, lane.bottom - 4, lane.bottom);
    band(loop.from, loop.to, colours.good, 0.9, lane.top, lane.top + 4);
  }
}

function paintAxis(context, { view, colours }, lane, width, height) {
  const step = axisStep(view.secondsPerPixel);
  const digits = step < 0.1 ? 2 : step < 1 ? 1 : 0;
  context.font = `11px ${font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = colours.faint;
  for (let mark = Math.ceil(view.from / step); mark * step <= Math.min(view.to, view.length); mark += 1) {
    const x = Math.round(view.x(mark * step));
    context.fillRect(x, lane.bottom, 1, 4);
    if (x < width - 30) context.fillText(clock(mark * step, digits), x + 4, (lane.bottom + height) / 2 + 1);
  }
}

/** Sections as words over a line that reaches to the next, letters in boxes, repeats as signs. */
function paintMarks(context, { view, bars, marks, colours, end, placeOf }, width) {
  if (!marks.length) return;
  context.textBaseline = "middle";
  const middle = ruler + markLane / 2;
  const placed = marks.map((mark) => ({ ...mark, place: placeOf(mark.bar) })).filter(({ place }) => place >= 0)
    .sort((a, b) => a.place - b.place);
  const sections = placed.filter(({ kind }) => kind === "section");
  sections.forEach((mark, index) => {
    const from = Math.max(view.x(bars[mark.place].seconds), 0);
    const next = sections[index + 1];
    const to = Math.min(view.x(next ? bars[next.place].seconds : end ?? view.length), width);
    if (to <= from) return;
    context.fillStyle = colours.accent;
    context.globalAlpha = index % 2 ? 0.14 : 0.24;
    context.fillRect(from, ruler, to - from - 1, markLane);
    context.globalAlpha = 1;
    context.font = `600 12px ${font}`;
    context.fillStyle = colours.ink;
    context.save();
    context.beginPath();
    context.rect(from, ruler, Math.max(to - from - 6, 0), markLane);
    context.clip();
    context.textAlign = "left";
    context.fillText(mark.text, from + 6, middle + 0.5);
    context.restore();
  });
  for (const mark of placed) {
    if (mark.kind === "section") continue;
    const x = view.x(bars[mark.place].seconds);
    if (x < -20 || x > width + 20) continue;
    const text = { repeatStart: "‖:", repeatEnd: ":‖" }[mark.kind] ?? mark.text;
    context.font = `700 12px ${font}`;
    const wide = context.measureText(text).width + 8;
    context.fillStyle = colours.raised;
    context.strokeStyle = colours.strong;
    context.lineWidth = 1;
    context.beginPath();
    context.rect(Math.round(x) + 0.5, ruler + 1.5, wide, markLane - 4);
    context.fill();
    context.stroke();
    context.fillStyle = colours.ink;
    context.textAlign = "left";
    context.fillText(text, x + 4, middle);
  }
}

function paintBars(context, scene, lane, width) {
  const { view, bars, colours, drag, hover, selection, end } = scene;
  const at = (index) => {
    if (!drag || index < drag.index || (index > drag.index && !drag.all)) return bars[index].seconds;
    return bars[index].seconds + drag.by;
  };
  const margin = drag ? Math.abs(drag.by) : 0;
  const first = Math.max(firstAt(bars, view.from - margin) - 1, 0);
  const last = Math.min(firstAt(bars, view.to + margin) + 1, bars.length);
  const every = labelStep(bars, view.secondsPerPixel, 34);
  let [drawn, worded] = [-10, -100];
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (let index = first; index < last; index += 1) {
    const bar = bars[index];
    const x = Math.round(view.x(at(index)));
    if (x < -1 || x > width + 1) continue;
    const isMarked = isDoubtful(bar);
    const isChosen = selection?.from === index;
    // If lines are closer than two pixels, one stands for all.
    if (x - drawn < 2 && !isMarked && !isChosen) continue;
    drawn = x;
    const isLive = drag?.index === index || hover === index;
    context.fillStyle = isMarked ? colours.warn : isChosen || isLive ? colours.accent : colours.bar;
    context.globalAlpha = isChosen || isLive || isMarked ? 1 : every > 10 ? 0.35 : every > 1 ? 0.6 : 0.85;
    context.fillRect(isLive || isChosen ? x - 1 : x, ruler - 6, isLive || isChosen ? 2 : 1, lane.bottom - ruler + 6);
    context.globalAlpha = 1;
    if (isMarked) triangle(context, x, ruler - 5);
    const isWorded = (bar.printed % every === 0 || index === 0 || isChosen) && x - worded >= 24;
    if (!isWorded) continue;
    worded = x + (bar.printed > 99 ? 8 : 0);
    context.font = `${isChosen ? 700 : 500} 12px ${font}`;
    context.fillStyle = isMarked ? colours.warn : isChosen ? colours.accent : colours.soft;
    context.fillText(String(bar.printed), x + (isMarked ? 6 : 3), ruler / 2 - 1);
  }
  if (end !== null && end !== undefined && view.x(end) >= 0 && view.x(end) <= width) {
    const x = Math.round(view.x(end));
    context.fillStyle = colours.soft;
    context.fillRect(x, ruler - 6, 1, lane.bottom - ruler + 6);
    context.fillRect(x + 3, ruler - 6, 3, lane.bottom - ruler + 6);
  }
}

function triangle(context, x, y) {
  context.beginPath();
  context.moveTo(x - 5, y - 7);
  context.lineTo(x + 5, y - 7);
  context.lineTo(x, y);
  context.fill();
}

function paintTaps(context, { view, taps, expected, colours }, lane) {
  if (!taps) return;
  context.fillStyle = colours.tap;
  for (const { seconds } of taps) {
    const x = Math.round(view.x(seconds));
    if (x < -4 || x > view.width + 4) continue;
    context.fillRect(x - 1, lane.top, 2, lane.bottom - lane.top);
    context.beginPath();
    context.arc(x, lane.top + 6, 4, 0, 2 * Math.PI);
    context.fill();
  }
  if (expected === null) return;
  context.globalAlpha = 0.45;
  for (let y = lane.top; y < lane.bottom; y += 8) context.fillRect(Math.round(view.x(expected)), y, 1, 4);
  context.globalAlpha = 1;
}

function paintHead(context, { colours }, x, lane) {
  context.fillStyle = colours.head;
  context.fillRect(x - 1, ruler + markLane - 2, 2, lane.bottom - ruler - markLane + 2);
  context.beginPath();
  context.moveTo(x - 6, ruler + markLane - 4);
  context.lineTo(x + 6, ruler + markLane - 4);
  context.lineTo(x, ruler + markLane + 4);
  context.fill();
}
