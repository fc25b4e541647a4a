// The tuning of a session by its recording: begun by a person, followed while it is made, shown by bar and over time.
import { frame, text, wide } from "/shared/charts.js";
import { ask } from "/shared/api.js";
import { draw, make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { scrolled } from "./charts.js";

const [left, right] = [72, 12];
const inner = wide - left - right;
const signed = (cents) => `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${Math.abs(Math.round(cents))}`;
const known = (value) => value !== undefined && value !== null;

/** Horizontal lines with their cents, and the place of a number of cents. */
function scale(chart, values, [top, floor]) {
  const reach = Math.max(10, Math.ceil(Math.max(...values.map(Math.abs)) / 10) * 10);
  const y = (cents) => (top + floor) / 2 - (cents / reach) * ((floor - top) / 2);
  for (const share of [-1, -0.5, 0, 0.5, 1]) {
    const at = y(share * reach);
    chart.append(draw("line",
      { x1: left, x2: wide - right, y1: at, y2: at, class: share === 0 ? "reference" : "grid" }),
      text(left - 10, y(share * reach) + 5, share === 0 ? "A = 440" : signed(share * reach), "end"));
  }
  return y;
}

/** The tuning of each bar as a curve; bars that stand out are larger, bars that cannot be judged are hollow ticks. */
export function tuningCurve(result) {
  const { bars } = result;
  const [top, floor] = [16, 216];
  const chart = frame(256, "Tuning of each bar in cents");
  const cents = bars.map((bar) => bar.cents).filter(known);
  const y = scale(chart, [...cents, result.referenceCents ?? 0], [top, floor]);
  const x = (index) => left + ((index + 0.5) / bars.length) * inner;
  if (known(result.referenceCents)) {
    chart.append(draw("line", { x1: left, x2: wide - right, y1: y(result.referenceCents), y2: y(result.referenceCents),
      class: "against" }), text(wide - right, y(result.referenceCents) - 6, "reference", "end"));
  }
  let path = "";
  bars.forEach((bar, index) => {
    const before = bars[index - 1];
    if (known(bar.cents)) {
      const joins = before && known(before.cents) && before.movement === bar.movement;
      path += `${joins ? "L" : "M"}${x(index).toFixed(1)} ${y(bar.cents).toFixed(1)}`;
    }
  });
  chart.append(draw("path", { class: "tempo", d: path || "M0 0" }));
  bars.forEach((bar, index) => {
    if (!known(bar.cents)) {
      chart.append(draw("line", { x1: x(index), x2: x(index), y1: floor + 4, y2: floor + 10, class: "unjudged" },
        draw("title", { text: `Bar ${bar.printed} cannot be judged: ${bar.reason}` })));
      return;
    }
    const out = known(bar.standsOutBy);
    chart.append(draw("circle", { cx: x(index), cy: y(bar.cents), r: out ? 6 : 2.5, class: out ? "out" : "once" },
      draw("title", { text: `Bar ${bar.printed}: ${signed(bar.cents)} cents, ${bar.playings} ` +
        (bar.playings === 1 ? "playing" : "playings") +
        (out ? `, ${signed(bar.standsOutBy)} against the bars beside it` : "") })));
  });
  let last = -Infinity;
  bars.forEach((bar, index) => {
    if (x(index) - last < 40 || (index !== 0 && bar.printed % 5 !== 0)) return;
    last = x(index);
    chart.append(text(last, floor + 30, String(bar.printed), "middle"));
  });
  return chart;
}

/** The tuning over the time of the session. */
function tuningOverTime(result) {
  const [top, floor] = [16, 176];
  const chart = frame(210, "Tuning over the time of the session in cents");
  const y = scale(chart, result.points.map((point) => point[1]), [top, floor]);
  const [first, end] = [result.points[0][0], result.points.at(-1)[0]];
  const x = (seconds) => left + ((seconds - first) / Math.max(end - first, 1)) * inner;
  for (const [seconds, cents] of result.points) {
    chart.append(draw("circle", { cx: x(seconds), cy: y(cents), r: 2.5, class: "once" }));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const seconds = first + share * (end - first);
    const anchor = share === 0 ? "start" : share === 1 ? "end" : "middle";
    chart.append(text(x(seconds), floor + 24, duration(seconds), anchor));
  }
  return chart;
}

function findings(result) {
  const judged = result.bars.filter((bar) => known(bar.cents));
  const lines = [];
  if (judged.length === 0) lines.push("No bar could be judged.");
  if (known(result.medianCents)) {
    const against = known(result.referenceCents)
      ? ` (${signed(result.medianCents - result.referenceCents)} against the reference)` : "";
    lines.push(`The ensemble was tuned ${signed(result.medianCents)} cents from A = 440 Hz${against}.`);
  }
  if (known(result.driftCents)) {
    lines.push(Math.abs(result.driftCents) < 3 ? "It kept its tuning."
      : `It ${result.driftCents > 0 ? "rose" : "sank"} by ${Math.abs(Math.round(result.driftCents))} cents from the ` +
        "first to the last bar that was heard.");
  }
  const out = judged.filter((bar) => known(bar.standsOutBy))
    .sort((a, b) => Math.abs(b.standsOutBy) - Math.abs(a.standsOutBy)).slice(0, 8);
  if (out.length > 0) {
    lines.push(`Listen to ${out.map((bar) => `bar ${bar.printed} (${signed(bar.standsOutBy)})`).join(", ")}.`);
  }
  return lines;
}

/** The sentence that says what is not in the curve, and why. */
function unjudged(result) {
  const reasons = new Map();
  for (const bar of result.bars.filter((each) => !known(each.cents))) {
    reasons.set(bar.reason, (reasons.get(bar.reason) ?? 0) + 1);
  }
  const parts = [...reasons].map(([reason, count]) => `${count} ${count === 1 ? "bar" : "bars"}: ${reason}`);
  if (result.unrecordedSeconds >= 1) parts.push(`${duration(result.unrecordedSeconds)} were not recorded`);
  if (result.unlikeSeconds >= 1) parts.push(`${duration(result.unlikeSeconds)} do not sound like the reference`);
  return parts.length > 0 ? `Cannot be judged – ${parts.join("; ")}.` : "";
}

function paintResult(result) {
  return [
    ...findings(result).map((line) => make("p", { class: "finding", text: line })),
    result.bars.some((bar) => known(bar.cents)) ? scrolled(tuningCurve(result)) : null,
    result.points.length > 1 ? make("h3", { text: "Over the session" }) : null,
    result.points.length > 1 ? scrolled(tuningOverTime(result)) : null,
    make("p", { class: "hint", text: unjudged(result) }),
    make("p", { class: "hint", text: "A figure is the common tuning of all that sounds in a bar, right within " +
      "2 cents on made sound. Where several parts play, single players cannot be told apart." }),
  ];
}

/** The section of a session's tuning in a score. It reads and draws itself again while the recording is analysed. */
export function tuningSection(path, session, score) {
  const body = make("div", { "aria-live": "polite" });
  const section = make("section", { id: "tuning" }, make("h2", { text: "Intonation" }),
    make("p", { class: "hint", text: "From the recording of the session, aligned with the reference. Ticks below are " +
      "bars that cannot be judged." }), body);
  const url = `${path}/tuning?session=${session}&score=${score}`;
  const act = (method) => async () => {
    try {
      const answer = await ask(url, { method });
      if (method === "POST") paint(answer); else await read();
    } catch (refusal) {
      body.append(make("p", { class: "problem", role: "alert", text: refusal.message }));
    }
  };
  const button = (words, method) => {
    const made = make("button", { type: "button", text: words });
    made.addEventListener("click", act(method));
    return made;
  };
  function paint(answer) {
    const isBusy = answer.state === "waiting" || answer.state === "running";
    /** @type {(Node | null)[]} */
    const children = answer.result ? paintResult(answer.result) : [];
    if (answer.state === "failed") children.unshift(make("p", { class: "problem", text: answer.sentence }));
    if (isBusy) {
      const share = Math.round((answer.progress ?? 0) * 100);
      children.unshift(make("p", { class: "work" },
        answer.state === "waiting" ? "Waits for other recordings … " : `Listens to the recording: ${share} % `,
        make("progress", { max: 100, value: share, "aria-label": "Share of the recording that was analysed" }),
        button("Stop", "DELETE")));
      setTimeout(read, 1000);
    } else {
      children.push(button(answer.result ? "Analyse again" : "Analyse the recording", "POST"));
    }
    body.replaceChildren(...children.filter(Boolean));
  }
  async function read() {
    if (!section.isConnected) return;
    try {
      paint(await ask(url));
    } catch (refusal) {
      body.replaceChildren(make("p", { class: "problem", text: refusal.message }));
      setTimeout(read, 5000);
    }
  }
  queueMicrotask(read);
  return section;
}
