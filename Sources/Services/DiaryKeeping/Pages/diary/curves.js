// Tempo curves, drawn as SVG. Bars go to the right, bars a minute upwards.
import { draw, make } from "/shared/dom.js";
import { frame, text, wide } from "/shared/charts.js";

const high = 240;
const left = 104; // room for the numbers, which are larger on a phone
const right = 42; // half of the last bar's number, on a phone too
const bottom = 28;
const top = 26;

/** Bars a minute of each bar, smoothed over five bars by the median, so that one wrong bar bends nothing. */
export function smoothed(bars) {
  const rates = bars.filter(({ seconds }) => seconds > 0.05).map(({ played, printed, seconds }) =>
    ({ played, printed, rate: 60 / seconds }));
  return rates.map((bar, index) => {
    const near = rates.slice(Math.max(0, index - 2), index + 3).map(({ rate }) => rate).sort((a, b) => a - b);
    return { ...bar, rate: near[Math.floor(near.length / 2)] };
  });
}

const rounded = (value) => Math.round(value * 10) / 10;

/** The rates that an axis shows: three of them, around all that is drawn. */
function scale(lines) {
  const rates = lines.flatMap(({ bars }) => bars.map(({ rate }) => rate));
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const room = Math.max((most - least) * 0.08, most * 0.02, 0.1);
  return { least: Math.max(0, least - room), most: most + room };
}

/** The text of a chart for screen readers: the range of each line. */
const spoken = (lines) => lines.map(({ name, bars }) => {
  const rates = bars.map(({ rate }) => rate);
  return `${name}: ${rounded(Math.min(...rates))} to ${rounded(Math.max(...rates))} bars a minute`;
}).join("; ");

/** A chart of lines `{ name, bars: [{played, printed, rate}] }`; null if there is too little to draw. */
export function tempoChart(lines) {
  const drawn = lines.filter(({ bars }) => bars.length > 1);
  if (drawn.length === 0) return null;
  const { least, most } = scale(drawn);
  const all = drawn.flatMap(({ bars }) => bars);
  const first = Math.min(...all.map(({ played }) => played));
  const last = Math.max(...all.map(({ played }) => played));
  const x = (played) => left + (wide - left - right) * (played - first) / Math.max(last - first, 1);
  const y = (rate) => top + (high - top - bottom) * (most - rate) / (most - least);
  const chart = frame(high, `Tempo. ${spoken(drawn)}`);
  chart.setAttribute("class", "tempo");
  for (const rate of [least, (least + most) / 2, most]) {
    chart.append(draw("line", { x1: left, x2: wide - right, y1: y(rate), y2: y(rate), class: "grid" }),
      text(left - 8, y(rate) + 5, rounded(rate), "end"));
  }
  const marks = new Map(all.map(({ played, printed }) => [played, printed]));
  const step = Math.max(1, Math.ceil((last - first) / 8));
  for (let played = first; played <= last; played += step) {
    if (marks.has(played)) chart.append(text(x(played), high - 8, marks.get(played), "middle"));
  }
  drawn.forEach(({ bars }, index) => chart.append(draw("polyline", { class: `line line-${index + 1}`,
    points: bars.map(({ played, rate }) => `${x(played).toFixed(1)},${y(rate).toFixed(1)}`).join(" ") })));
  return make("figure", { class: "chart" }, chart, make("figcaption", { class: "faint" },
    ...drawn.map(({ name }, index) => make("span", {}, make("span", { class: `key line-${index + 1}` }), name)),
    make("span", { text: "Bars a minute, by bar" })));
}

/** Lengths over the years: a dot for each performance `{ year, minutes, name, id }`. */
export function yearsChart(points) {
  if (points.length < 2) return null;
  const [first, last] = [Math.min(...points.map(({ year }) => year)), Math.max(...points.map(({ year }) => year))];
  const [least, most] = [Math.min(...points.map(({ minutes }) => minutes)),
    Math.max(...points.map(({ minutes }) => minutes))];
  const room = Math.max((most - least) * 0.1, 0.5);
  const x = (year) => left + 10 + (wide - left - 10 - right) * (year - first) / Math.max(last - first, 0.01);
  const y = (minutes) => top + (high - top - bottom) * (most + room - minutes) / (most - least + 2 * room);
  const chart = frame(high, `Length of ${points.length} performances: ${rounded(least)} to ${rounded(most)} minutes`);
  chart.setAttribute("class", "tempo");
  for (const minutes of [least, most]) {
    chart.append(draw("line", { x1: left, x2: wide - 10, y1: y(minutes), y2: y(minutes), class: "grid" }),
      text(left - 8, y(minutes) + 5, rounded(minutes), "end"));
  }
  chart.append(text(x(first), high - 8, Math.floor(first), "middle"));
  if (Math.floor(last) !== Math.floor(first)) chart.append(text(x(last), high - 8, Math.floor(last), "middle"));
  for (const point of points) {
    chart.append(draw("circle", { cx: x(point.year), cy: y(point.minutes), r: 6, class: "dot" },
      draw("title", { text: `${point.name}: ${rounded(point.minutes)} minutes` })));
  }
  return make("figure", { class: "chart" }, chart,
    make("figcaption", { class: "faint", text: "Minutes, by year; measured by Baton" }));
}
