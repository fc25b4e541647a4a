// Charts of a rehearsal as plain SVG: sharp on paper; curves differ in form as well as colour.
import { frame, text, wide } from "/shared/charts.js";
import { draw, make } from "/shared/dom.js";

const [left, right] = [72, 12];
const inner = wide - left - right;

/** A chart in a box in which it can be moved sideways where the screen is narrow. */
export const scrolled = (chart) => make("div",
  { class: "scrolled", role: "region", tabindex: "0", "aria-label": chart.getAttribute("aria-label") }, chart);

function barAxis(chart, bars, x, floor) {
  const every = [1, 2, 4, 5, 10, 20, 50, 100, 200].find((step) => bars.length / step <= 20) ?? 500;
  let last = -Infinity;
  bars.forEach((bar, index) => {
    // Bars that were left out bring numbers together.
    if ((index !== 0 && bar.printed % every !== 0) || x(index) - last < 34) return;
    last = x(index);
    chart.append(text(last, floor + 20, String(bar.printed), "middle"));
  });
}

/** Tempo of each bar against the reference: above the line is faster. */
export function tempoCurve(bars) {
  const [top, floor] = [12, 200];
  const reach = Math.min(1, Math.max(0.1, ...bars.map((bar) => Math.abs(bar.tempo - 1))) * 1.1);
  const x = (index) => left + ((index + 0.5) / bars.length) * inner;
  const y = (ratio) => (top + floor) / 2 - (Math.max(-reach, Math.min(reach, ratio - 1)) / reach) * ((floor - top) / 2);
  const chart = frame(230, "Tempo of each bar against the reference");
  for (const share of [-1, -0.5, 0, 0.5, 1]) {
    const ratio = 1 + share * reach;
    chart.append(draw("line",
      { x1: left, x2: wide - right, y1: y(ratio), y2: y(ratio), class: share === 0 ? "reference" : "grid" }),
      text(left - 10, y(ratio) + 5,
        share === 0 ? "same" : `${share > 0 ? "+" : "−"}${Math.round(Math.abs(share) * reach * 100)} %`, "end"));
  }
  chart.append(draw("path",
    { class: "tempo", d: bars.map((bar, index) =>
      (index === 0 || bar.movement !== bars[index - 1].movement ? "M" : "L") +
        `${x(index).toFixed(1)} ${y(bar.tempo).toFixed(1)}`).join("") }));
  bars.forEach((bar, index) => {
    const again = bar.times > 1;
    chart.append(draw("circle", { cx: x(index), cy: y(bar.tempo), r: again ? 4 : 2, class: again ? "again" : "once" },
      draw("title",
        { text: `Bar ${bar.printed}: ${Math.round((bar.tempo - 1) * 100)} %, played ${bar.times} ` +
          (bar.times === 1 ? "time" : "times") })));
  });
  barAxis(chart, bars, x, floor);
  return chart;
}

/** The time by which each bar was longer (up) or shorter (down) than its neighbours suggest; the worst single time is a
    tick. */
export function deviationBars(bars) {
  const [top, floor] = [12, 180];
  const middle = (top + floor) / 2;
  const sizes = bars.flatMap((bar) => [Math.abs(bar.deviationSeconds ?? 0), Math.abs(bar.worstSeconds ?? 0)]);
  const reach = Math.max(0.1, ...sizes);
  const x = (index) => left + (index / bars.length) * inner;
  const width = Math.max(1, (inner / bars.length) * 0.7);
  const chart = frame(210, "Rhythm deviation of each bar");
  for (const share of [-1, 0, 1]) {
    const at = middle - share * ((floor - top) / 2);
    chart.append(draw("line",
      { x1: left, x2: wide - right, y1: at, y2: at, class: share === 0 ? "reference" : "grid" }),
      text(left - 10, at + 5, share === 0 ? "even" : `${share > 0 ? "+" : "−"}${reach.toFixed(2)} s`, "end"));
  }
  const y = (seconds) => middle - (seconds / reach) * ((floor - top) / 2);
  bars.forEach((bar, index) => {
    const { deviationSeconds: mean, worstSeconds: worst } = bar;
    if (mean === undefined || mean === null) return;
    chart.append(draw("rect",
      { x: x(index), y: Math.min(middle, y(mean)), width, height: Math.max(1, Math.abs(y(mean) - middle)),
        class: mean > 0 ? "longer" : "shorter" },
      draw("title", { text: `Bar ${bar.printed}: ${mean > 0 ? "+" : "−"}${Math.abs(mean).toFixed(2)} s` })));
    if (worst !== undefined && worst !== null) {
      chart.append(draw("line", { x1: x(index), x2: x(index) + width, y1: y(worst), y2: y(worst), class: "worst" }));
    }
  });
  barAxis(chart, bars, (index) => x(index) + width / 2, floor);
  return chart;
}
