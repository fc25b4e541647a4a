// The tempo of takes, bar by bar.
import { draw, make } from "/shared/dom.js";

const [height, left, bottom] = [220, 54, 24];
const [wide, narrow] = [720, 360]; // a phone draws fewer units, so that the words stay readable
const mostLabels = 9;
const [slowest, fastest] = [0.4, 1.6]; // of the reference's tempo
const phone = matchMedia("(max-width: 599px)");
const looks = ["take", "earlier-1", "earlier-2", "earlier-3"];

/**
 * A figure of the tempo curves of `takes`: `{ name, report }`, the one that matters first; null if the tempo of no two
 * bars in a row is known.
 */
export function tempoChart(takes) {
  const bars = takes.flatMap(({ report }) => report.passages.flatMap((passage) => passage.bars));
  const width = phone.matches ? narrow : wide;
  const most = Math.max(1, ...bars.map(({ played }) => played));
  const x = (played) => left + (width - left - 8) * played / most;
  const y = (tempo) => {
    const share = (Math.min(fastest, Math.max(slowest, tempo)) - slowest) / (fastest - slowest);
    return height - bottom - (height - bottom - 10) * share;
  };
  const lines = [0.5, 0.75, 1, 1.25, 1.5].flatMap((tempo) => [
    draw("line", { class: tempo === 1 ? "even" : "grid", x1: left, x2: width, y1: y(tempo), y2: y(tempo) }),
    draw("text", { x: 4, y: y(tempo) + 4, text: `${100 * tempo} %` }),
  ]);
  const printed = new Map(bars.map((bar) => [bar.played, bar.printed]));
  const step = Math.ceil((most + 1) / (width === wide ? mostLabels : mostLabels / 2));
  const labels = [...printed].filter(([played]) => played % step === 0).map(([played, number]) => draw("text", {
    class: "bar-label", x: x(played), y: height - 6, text: played === 0 ? `bar ${number}` : number }));
  const points = (run) => run.map(({ played, tempo }) => `${x(played).toFixed(1)},${y(tempo).toFixed(1)}`).join(" ");
  const curves = takes.flatMap(({ report }, index) => report.passages.flatMap((passage) =>
    runs(passage.bars).map((run) => draw("polyline", { class: looks[index], points: points(run) })))).reverse();
  if (curves.length === 0) return null;
  const marks = takes[0].report.passages.flatMap((passage) => passage.bars)
    .filter(({ verdict, tempo }) => tempo !== undefined && (verdict === "late" || verdict === "early"))
    .map(({ played, tempo, verdict }) => draw("text", { class: verdict, x: x(played) - 5, y: y(tempo) - 8,
      text: verdict === "late" ? "▸" : "◂" }));
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Tempo by bar" },
    ...lines, ...labels, ...curves, ...marks);
  const legend = takes.map(({ name }, index) => make("span", { class: looks[index], text: name }));
  return make("figure", {}, svg, make("figcaption", { class: "faint" }, ...legend,
    make("span", { text: "▸ late, ◂ early; 100 % is the tempo of the reference" })));
}

/** Calls `redraw` if a turned device or another window needs a chart of another width. */
export function onChartWidth(redraw) {
  phone.addEventListener("change", redraw);
}

/** Bars one after the other whose tempo is known. */
function runs(bars) {
  const found = [[]];
  for (const bar of bars) {
    if (bar.tempo === undefined) found.push([]);
    else found.at(-1).push(bar);
  }
  return found.filter((run) => run.length > 1);
}
