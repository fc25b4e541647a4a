// The rehearsal history of a score: a strip of bars for each session, and the passages with their last time.
import { frame, text, wide } from "/shared/charts.js";
import { ask } from "/shared/api.js";
import { draw, make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { scrolled } from "./charts.js";

const [left, right] = [110, 12];
const inner = wide - left - right;
const shortDay = (milliseconds) => new Date(milliseconds)
  .toLocaleDateString("en-GB", { day: "numeric", month: "short" });
const levels = 5;

/** Bars across, sessions down; the darker, the longer a bar was rehearsed. */
function strip(history, movement) {
  const { bars } = history.movements[movement];
  const rows = history.sessions;
  const high = 22;
  const chart = frame(rows.length * high + 40, `Seconds on each bar of ${rows.length} sessions`);
  const most = Math.max(1, ...rows.flatMap((session) => session.seconds[movement] ?? []));
  const width = inner / bars.length;
  rows.forEach((session, row) => {
    chart.append(text(left - 10, row * high + 16, shortDay(session.began), "end"));
    chart.append(draw("rect", { x: left, y: row * high + 2, width: inner, height: high - 4, class: "heat-none" }));
    const seconds = session.seconds[movement] ?? [];
    for (let first = 0; first < bars.length;) {
      const level = Math.ceil(Math.sqrt((seconds[first] ?? 0) / most) * levels);
      let next = first + 1;
      // Bars of one shade are one rectangle, so that a long score stays light.
      while (next < bars.length && Math.ceil(Math.sqrt((seconds[next] ?? 0) / most) * levels) === level) next += 1;
      if (level > 0) {
        const whole = seconds.slice(first, next).reduce((sum, each) => sum + each, 0);
        const said = `${shortDay(session.began)}, bars ${bars[first]} to ${bars[next - 1]}: ${duration(whole)}`;
        chart.append(draw("rect", { x: left + first * width, y: row * high + 2, height: high - 4,
          width: Math.max(width * (next - first), 1), class: `heat-${level}` }, draw("title", { text: said })));
      }
      first = next;
    }
  });
  let last = -Infinity;
  bars.forEach((bar, index) => {
    const x = left + (index + 0.5) * width;
    if (x - last < 46 || (index !== 0 && bar % 5 !== 0)) return;
    last = x;
    chart.append(text(x, rows.length * high + 24, String(bar), "middle"));
  });
  return chart;
}

function passageTable(history) {
  const several = history.movements.length > 1;
  const names = ["Passage", "Bars", "Time", "Sessions", "Last played"];
  const rows = history.passages.map((passage) => [
    [several ? history.movements[passage.movement].name || `${passage.movement + 1}. mvt` : "", passage.label]
      .filter(Boolean).join(", ") || "–",
    `${passage.from}–${passage.to}`, duration(passage.seconds), String(passage.sessions),
    passage.lastPlayed ? shortDay(passage.lastPlayed) : "never"]);
  return make("table", {},
    make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col", text: name })))),
    make("tbody", {}, ...rows.map((cells) => make("tr", { class: cells[4] === "never" ? "never" : null },
      ...cells.map((cell) => make("td", { text: cell }))))));
}

/** The section of all sessions of a room. */
export function historySection(path) {
  const body = make("div", {}, make("p", { class: "hint", text: "Reads all sessions …" }));
  (async () => {
    try {
      const history = await ask(`${path}/history`, { patience: 20_000 });
      const strips = history.movements.flatMap((movement, index) => {
        if (movement.bars.length === 0) return [];
        return [history.movements.length > 1 ? make("h3", { text: movement.name || `Movement ${index + 1}` }) : null,
          scrolled(strip(history, index))];
      }).filter(Boolean);
      body.replaceChildren(...(strips.length > 0 ? [...strips, passageTable(history)]
        : [make("p", { text: "No movement of this score has been followed yet." })]));
    } catch (refusal) {
      body.replaceChildren(make("p", { class: "problem", text: refusal.message }));
    }
  })();
  return make("section", { id: "history" }, make("h2", { text: "Over the weeks" }),
    make("p", { class: "hint",
      text: "A line for each session of this room; the darker, the longer a bar was rehearsed." }),
    body);
}
