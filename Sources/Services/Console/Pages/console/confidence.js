// Confidence as a number and its last two minutes; below the line, the state in colour and pattern.
import { find, write } from "/shared/dom.js";
import { intervalWords, isNumber, outOf100 } from "./format.js";
import { isFollowed, leads } from "./leading.js";
import { modeOf } from "./states.js";

const span = 120_000;

/** Paints state bands told apart by pattern: solid, slanted, crossed, dotted. */
function hatch(context, state) {
  const tile = new OffscreenCanvas(8, 8);
  const pen = tile.getContext("2d");
  const { colour } = modeOf(state);
  pen.fillStyle = pen.strokeStyle = colour;
  pen.lineWidth = 2;
  if (state === "following") pen.fillRect(0, 0, 8, 8);
  else if (["coasting", "lost", "undecided"].includes(state)) {
    for (const shift of [-8, 0, 8]) {
      pen.moveTo(shift, 8);
      pen.lineTo(shift + 8, 0);
      if (state !== "coasting") {
        pen.moveTo(shift, 0);
        pen.lineTo(shift + 8, 8);
      }
    }
    pen.stroke();
  } else pen.fillRect(0, 3, 4, 3);
  return context.createPattern(tile, "repeat");
}

/** @param {import("./desk.js").Desk} desk */
export function showConfidence(desk) {
  const [heading, number, canvas, tuning] = ["confidence-of", "confidence", "confidence-graph", "tuning"].map(find);
  const context = canvas.getContext("2d");
  const patterns = new Map();
  let points = []; // [ms on this page's clock, confidence, state]
  let newest = null;

  const pattern = (state) => {
    if (!patterns.has(state)) patterns.set(state, hatch(context, state));
    return patterns.get(state);
  };

  function paint() {
    const scale = devicePixelRatio || 1;
    const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    if (wide === 0) return;
    if (canvas.width !== Math.round(wide * scale) || canvas.height !== Math.round(high * scale)) {
      canvas.width = Math.round(wide * scale);
      canvas.height = Math.round(high * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, wide, high);
    const band = 9;
    const floor = high - band - 4;
    const now = performance.now();
    const x = (at) => wide - ((now - at) / span) * wide;
    const y = (value) => 2 + (1 - value) * (floor - 2);
    context.strokeStyle = "#2b343e";
    context.lineWidth = 1;
    for (const level of [0, 0.5, 1]) {
      context.beginPath();
      context.moveTo(0, Math.round(y(level)) + 0.5);
      context.lineTo(wide, Math.round(y(level)) + 0.5);
      context.stroke();
    }
    for (let at = 0; at < points.length; at += 1) {
      const [from, value, state] = points[at];
      const [until, next] = points[at + 1] ?? [now, value];
      const { colour } = modeOf(state);
      // In silence there is no confidence, only the state's band.
      if (isNumber(value)) {
        const then = isNumber(next) ? next : value;
        context.fillStyle = `${colour}2b`;
        context.beginPath();
        context.moveTo(x(from), floor);
        context.lineTo(x(from), y(value));
        context.lineTo(x(until), y(then));
        context.lineTo(x(until), floor);
        context.fill();
        context.strokeStyle = colour;
        context.lineWidth = state === "following" ? 2 : 2.5;
        context.setLineDash(state === "following" ? [] : ["lost", "undecided"].includes(state) ? [2, 3] : [5, 3]);
        context.beginPath();
        context.moveTo(x(from), y(value));
        context.lineTo(x(until), y(then));
        context.stroke();
      }
      context.fillStyle = pattern(state);
      context.fillRect(x(from), high - band, Math.max(1, x(until) - x(from)), band);
    }
    context.setLineDash([]);
  }

  desk.on("history", (history) => {
    const given = history?.confidence ?? [];
    if (given.length === 0) return;
    // Times are the server's; the last point is taken as now.
    const shift = performance.now() - given[given.length - 1][0];
    points = given.map(([at, value, state]) => [at + shift, value, state]);
    paint();
  });

  function showNumbers() {
    const follower = newest;
    const show = desk.get("show");
    write(heading, leads(show) ? "Confidence" : "Confidence of this server’s own follower");
    if (!follower) return;
    if (!isFollowed(show, follower)) {
      write(number, "–");
      write(tuning, "not following yet");
      return;
    }
    write(number, outOf100(follower.confidence));
    const cents = follower.tuningCents ?? 0;
    const parts = [];
    if (follower.transposition) parts.push(intervalWords(follower.transposition));
    if (Math.abs(cents) >= 1) parts.push(`${cents > 0 ? "+" : "−"}${Math.abs(Math.round(cents))} cents`);
    write(tuning, parts.join(" · "));
  }

  desk.on("follower", (follower) => {
    newest = follower;
    showNumbers();
  });
  desk.on("show", showNumbers);

  desk.on("meters", (meters) => {
    if (!newest) return;
    const now = performance.now();
    if (points.length && now - points[points.length - 1][0] < 500) return;
    points = points.filter(([at]) => now - at < span + 1000);
    points.push([now, meters.confidence ?? null, newest.silent ? "resting" : newest.state]);
    requestAnimationFrame(paint);
  });

  new ResizeObserver(paint).observe(canvas);
}
