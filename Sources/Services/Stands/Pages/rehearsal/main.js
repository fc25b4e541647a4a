// The report of a session: how long was played, what was repeated, how fast and evenly, and who was present.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { deviationBars, scrolled, tempoCurve } from "./charts.js";
import { historySection } from "./history.js";
import { tuningSection } from "./tuning.js";
import { evening } from "./evening.js";
import { day, gatherRetakes, hour, tempo } from "./words.js";

const room = new URLSearchParams(location.search).get("room") ?? "";
const path = `/api/rooms/${encodeURIComponent(room)}`;
const leastDeviation = 0.05; // s: what nobody hears is not named
let sessions = [];
/** The section of all sessions; it is the same for each. */
let history = null;
let piece = null; // the id of the score that is shown; null for the first of the session

const section = (title, hint, ...children) => make("section", {}, make("h2", { text: title }),
  hint ? make("p", { class: "hint", text: hint }) : null, ...children);
const head = (...names) =>
  make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col", text: name }))));
const table = (names, rows) =>
  make("table", {}, head(...names),
    make("tbody", {}, ...rows.map((cells) =>
      make("tr", {}, ...cells.map((cell) => (cell instanceof Node
        ? make("td", {}, cell) : make("td", { text: String(cell) })))))));

/** A bar of a table, so that lengths are seen before they are read. */
const share = (value, most) => make("meter", { min: 0, max: most || 1, value, "aria-hidden": "true" });

function figures(report) {
  const entries = [
    ["Played", duration(report.playedSeconds)], ["Place lost", duration(report.lostSeconds)],
    ["Retakes", String(report.retakes.length)],
    ["Tempo", report.tempo === undefined || report.tempo === null ? "not known" : tempo(report.tempo)],
    ["Pages turned for all", String(report.turns)],
  ];
  return make("dl", { class: "figures" },
    ...entries.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
}

function paint({ report, names, score, pieces = [], parts: partNames = {} }) {
  const parts = (score.parts ?? []).map((part) => part.name ?? part);
  const nameOf = ({ score: id, part }) => (id ? partNames[id] : partNames[pieces[0]?.score] ?? parts)?.[part]
    ?? `Part ${part + 1}`;
  const movements = new Set(report.bars.map((bar) => bar.movement));
  const bar = (movement, number) => (movements.size > 1 ? `${movement + 1}. mvt, ${number}` : String(number));
  const isSeveral = pieces.length > 1;
  find("title").textContent = isSeveral ? pieces.map(({ title }) => title).join(" · ") : score.title;
  const children = [];
  if (isSeveral) {
    children.push(evening(pieces, score.id, (id) => {
      piece = id;
      find("part").replaceChildren();
      load();
    }), make("h2", { class: "piece", id: "piece", text: score.title }));
  }
  children.push(figures(report));
  if (report.bars.length > 0) {
    children.push(section("Tempo against the reference",
      "Bar by bar; above the line is faster. Larger dots were played more than once.",
      scrolled(tempoCurve(report.bars))));
    if (report.bars.some((each) => each.deviationSeconds !== undefined && each.deviationSeconds !== null)) {
      const deviation = ({ movement, printed, deviationSeconds: seconds }) =>
        `bar ${bar(movement, printed)} (${seconds > 0 ? "+" : "−"}${Math.abs(seconds).toFixed(2)} s)`;
      const worst = report.bars.filter((each) => Math.abs(each.deviationSeconds ?? 0) >= leastDeviation)
        .sort((a, b) => Math.abs(b.deviationSeconds) - Math.abs(a.deviationSeconds)).slice(0, 5);
      children.push(section("Rhythm",
        "How much longer a bar lasted than its neighbours' tempo says. The tick is the worst single time.",
        scrolled(deviationBars(report.bars)),
        make("p", { text: worst.length > 0 ? `Look at ${worst.map(deviation).join(", ")}.`
          : "No bar was out of its neighbours' tempo by a twentieth of a second." })));
    }
  }
  children.push(tuningSection(path, find("session").value, score.id));
  if (report.retakes.length > 0) {
    children.push(section("Retakes", "Where the music went back, the most often first.",
      table(["From bar", "Reached", "Times", "Shown by hand", "At"],
        gatherRetakes(report.retakes)
          .map((line) => [bar(line.movement, line.to), line.farthest, line.times, line.pinpointed || "–",
            line.at.map(hour).join(", ")]))));
  }
  const longest = (list) => Math.max(0, ...list.map((each) => each.seconds));
  const pages = table(["Page", "Time", ""],
    report.pages.map((each) => [each.page + 1, duration(each.seconds), share(each.seconds, longest(report.pages))]));
  const passages = table(["Passage", "From bar", "Time", ""],
    report.passages.map((each) => [each.label, bar(each.movement, each.measure), duration(each.seconds),
      share(each.seconds, longest(report.passages))]));
  children.push(make("div", { class: "pair" }, section("Time on each page", "", pages), report.passages.length > 0
    ? section("Time on each passage", "", passages) : null));
  children.push(section("Who was there", "",
    table(["Name", "Part", "Time", "Remarks for all"],
      report.attendance.map((each) => [names[each.user] ?? "Somebody", nameOf(each), duration(each.seconds),
        each.remarks]))));
  history ??= historySection(path);
  children.push(history);
  find("report").replaceChildren(...children);
  const chooser = find("part");
  if (chooser.options.length === 0 && parts.length > 0) {
    chooser.append(...parts.map((name, index) => make("option", { value: String(index), text: name })));
  }
  chooser.parentElement.hidden = parts.length < 2;
}

async function load() {
  const session = sessions.find((each) => each.id === find("session").value);
  find("when").textContent = `${day(session.began)}${session.ended ? ` – ${hour(session.ended)}` : ", still running"}`;
  try {
    paint(await ask(`${path}/report?session=${session.id}&part=${find("part").value || 0}` +
      `${piece ? `&score=${piece}` : ""}`, { patience: 20_000 }));
  } catch (refusal) {
    find("report").replaceChildren(make("p", { class: "nothing", text: refusal.message }));
  }
}

async function start() {
  find("print").addEventListener("click", () => print());
  if (room === "") {
    find("when").textContent = "A report belongs to a room: open it from there, on the music stand.";
    find("choose").hidden = true;
    return;
  }
  find("part").addEventListener("change", load);
  find("session").addEventListener("change", () => {
    // Another session may have played other pieces.
    piece = null;
    find("part").replaceChildren();
    load();
  });
  try {
    sessions = (await ask(`${path}/sessions`)).sort((a, b) => b.began - a.began);
  } catch (refusal) {
    find("when").textContent = refusal.status === 401 ? "Sign in on the music stand first." : refusal.message;
    find("choose").hidden = true;
    return;
  }
  if (sessions.length === 0) {
    find("when").textContent = "No session has been held in this room yet.";
    find("choose").hidden = true;
    return;
  }
  find("session").append(...sessions.map((each) => make("option", { value: each.id, text: day(each.began) })));
  await load();
}

start();
