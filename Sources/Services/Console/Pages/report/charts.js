// Charts as plain SVG: no library, sharp on paper, told apart by pattern as well as colour.
import { frame, text, wide } from "/shared/charts.js";
import { draw } from "/shared/dom.js";
import { confidenceRuns, endOf, measureMarks, soundingStretches, startOf, stateSpans } from "./numbers.js";

const [left, right] = [46, 10];
const inner = wide - left - right;
const thinnest = 1.5; // a state that lasted a moment is seen too

const path = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;

/** A place between several copies is drawn as one that is lost. */
const drawnAs = (state) => state === "undecided" ? "lost" : state;

/** Hatchings every chart uses. */
export function patterns() {
  const tile = (id, colour, ...lines) => draw("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" },
    draw("rect", { width: 6, height: 6, fill: "#fff" }),
    ...lines.map((d) => draw("path", { d, stroke: colour, "stroke-width": 1.6 })));
  return draw("svg", { width: 0, height: 0, "aria-hidden": "true", style: null },
    draw("defs", {}, tile("coasting-pattern", "#8a5a00", "M0 6L6 0"),
      tile("lost-pattern", "#b3261e", "M0 6L6 0", "M0 0L6 6")));
}

/** Round steps for an axis of at most `most` lines. */
export function steps(from, until, most) {
  const rough = (until - from) / most || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const values = [];
  for (let value = Math.ceil(from / step) * step; value <= until + step / 1e6; value += step) {
    values.push(Number(value.toFixed(10)));
  }
  return values;
}

/** A time of day under a chart; with seconds where the chart shows a few minutes only. */
const brief = (time, spanMs) => (spanMs < 8 * 60_000 ? time : time.slice(0, 5));

/** The evening: pieces as blocks with their troubled spans; what people did above, faults below. */
export function timelineChart(report, clock) {
  const pieces = report.pieces ?? [];
  const marks = [...(report.interventions ?? []), ...(report.faults ?? [])].map((each) => each.at)
    .filter((at) => typeof at === "number");
  const end = Math.max(1, ...pieces.map(endOf), ...marks);
  const x = (at) => left + (Math.max(0, at) / end) * inner;
  const chart = frame(124, "Timeline of the evening");
  for (const at of steps(0, end / 60_000, 8)) {
    chart.append(draw("line", { x1: x(at * 60_000), x2: x(at * 60_000), y1: 22, y2: 96, class: "grid" }),
      text(x(at * 60_000), 112, brief(clock(at * 60_000), end), "middle"));
  }
  const names = [];
  pieces.forEach((piece, index) => {
    const stretches = soundingStretches(piece);
    if (stretches.length === 0) return;
    for (const [from, until] of stretches) {
      chart.append(draw("rect",
        { x: x(from), y: 34, width: Math.max(2, x(until) - x(from)), height: 42, class: "piece-block" },
        draw("title", { text: piece.name })));
    }
    for (const [start, stop, state] of stateSpans(piece)) {
      if (["coasting", "lost", "undecided"].includes(state) && stop > start) {
        chart.append(draw("rect",
          { x: x(start), y: 34, width: Math.max(2, x(stop) - x(start)), height: 42, class: drawnAs(state) }));
      }
    }
    names.push(...stretches.map(([from]) => text(x(from) + 6, 60, String(index + 1), "start", "piece-name")));
  });
  chart.append(...names);
  for (const each of report.interventions ?? []) {
    if (typeof each.at === "number") {
      chart.append(draw("path", { d: `M${x(each.at) - 5} 20h10l-5 10z`, class: "mark" },
        draw("title", { text: `${clock(each.at)} ${each.who}: ${each.what}` })));
    }
  }
  for (const each of report.faults ?? []) {
    if (typeof each.at === "number") {
      chart.append(draw("path", { d: `M${x(each.at)} 80l5 6-5 6-5-6z`, class: "fault-mark" },
        draw("title", { text: each.sentence })));
    }
  }
  return chart;
}

/** Tempo ratio of each measure: above 1 is faster than the reference. */
export function tempoChart(piece) {
  const points = piece.measures.filter((each) => each.referenceSeconds > 0 && each.liveSeconds > 0)
    .map((each, index) => ({ index, measure: each.measure, ratio: each.referenceSeconds / each.liveSeconds }));
  const reach = Math.min(1, Math.max(0.1, ...points.map(({ ratio }) => Math.abs(ratio - 1))) * 1.05);
  const [top, floor] = [10, 150];
  const x = (index) => left + (points.length > 1 ? (index / (points.length - 1)) * inner : inner / 2);
  const y = (ratio) => (top + floor) / 2 - (Math.max(-reach, Math.min(reach, ratio - 1)) / reach) * ((floor - top) / 2);
  const chart = frame(180, `Tempo of ${piece.name}, measure by measure, against the reference`);
  for (const ratio of steps(1 - reach, 1 + reach, 5)) {
    chart.append(draw("line",
      { x1: left, x2: wide - right, y1: y(ratio), y2: y(ratio), class: ratio === 1 ? "reference" : "grid" }),
      text(left - 8, y(ratio) + 4, `×${ratio.toFixed(2)}`, "end"));
  }
  for (const [index, words, isReturn] of measureMarks(points.map(({ measure }) => measure), 20)) {
    if (isReturn) {
      chart.append(draw("line", { x1: x(index), x2: x(index), y1: top, y2: floor, class: "return" },
        draw("title", { text: `back to measure ${points[index].measure}` })));
    }
    if (words) chart.append(text(x(index), floor + 20, words, "middle"));
  }
  chart.append(draw("path", { d: path(points.map(({ index, ratio }) => [x(index), y(ratio)])), class: "live" }));
  return chart;
}

/** Confidence over time; below it the states, hatched where the follower did not follow. */
export function confidenceChart(piece) {
  const [from, until] = [startOf(piece), endOf(piece)];
  const [top, floor] = [8, 96];
  const x = (at) => left + ((at - from) / Math.max(1, until - from)) * inner;
  const y = (value) => floor - Math.max(0, Math.min(1, value)) * (floor - top);
  const chart = frame(134, `Confidence in ${piece.name}`);
  for (const level of [0, 0.5, 1]) {
    chart.append(draw("line", { x1: left, x2: wide - right, y1: y(level), y2: y(level), class: "grid" }),
      text(left - 8, y(level) + 4, String(level * 100), "end"));
  }
  for (const run of confidenceRuns(piece)) {
    const points = run.map(([at, value]) => [x(at), y(value)]);
    chart.append(draw("path", { d: `${path([[points[0][0], floor], ...points, [points.at(-1)[0], floor]])}z`,
      class: "area" }), draw("path", { d: path(points.length > 1 ? points : [...points, ...points]), class: "live" }));
  }
  for (const [start, stop, state] of stateSpans(piece)) {
    if (stop > start) {
      const width = Math.max(thinnest, x(stop) - x(start));
      chart.append(draw("rect",
        { x: Math.min(x(start), wide - right - width), y: floor + 4, width, height: 10, class: state === "following"
          ? "piece-block" : ["lost", "coasting", "undecided"].includes(state) ? drawnAs(state) : "waiting" },
        draw("title", { text: state })));
    }
  }
  const [unit, sign] = until - from < 120_000 ? [1000, "s"] : [60_000, "min"];
  for (const count of steps(0, (until - from) / unit, 8)) {
    chart.append(text(x(from + count * unit), floor + 30, `${count} ${sign}`, "middle"));
  }
  return chart;
}

/** A count over the evening; below the zero line too, and with a gap where none was counted for `gapMs`. */
export function countChart(points, label, clock, gapMs = Infinity) {
  const chart = frame(110, label);
  if (points.length === 0) {
    chart.append(text(left, 40, "Nothing was counted."));
    return chart;
  }
  const [from, until] = [points[0][0], points.at(-1)[0]];
  const most = Math.max(1, ...points.map(([, count]) => count));
  const x = (at) => left + ((at - from) / Math.max(1, until - from)) * inner;
  const least = Math.min(0, ...points.map(([, count]) => count));
  const y = (count) => 82 - ((count - least) / ((most - least) * 1.08)) * 74;
  for (const count of steps(least, most, 3)) {
    chart.append(draw("line", { x1: left, x2: wide - right, y1: y(count), y2: y(count), class: "grid" }),
      text(left - 8, y(count) + 4, String(count), "end"));
  }
  for (const minute of steps(from / 60_000, until / 60_000, 8)) {
    chart.append(text(x(minute * 60_000), 102, brief(clock(minute * 60_000), until - from), "middle"));
  }
  const runs = [];
  for (const [index, [at, count]] of points.entries()) {
    if (index === 0 || at - points[index - 1][0] > gapMs) runs.push([]);
    runs.at(-1).push([x(at), y(count)]);
  }
  chart.append(draw("path", { d: runs.map(path).join(""), class: "live" }));
  return chart;
}
