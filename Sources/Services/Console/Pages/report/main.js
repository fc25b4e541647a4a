// The evening on paper: totals, timeline, each piece, who intervened, what failed.
import { ask } from "/shared/api.js";
import { find, make } from "/shared/dom.js";
import { goToSignIn } from "/shared/signin.js";
import { confidenceChart, countChart, patterns, tempoChart, timelineChart } from "./charts.js";
import { clockOf, isPlayed, minutes, rates, spell, totalsOf } from "./numbers.js";
import { sideways } from "./sideways.js";
import { wallClock } from "/shared/wallclock.js";

const isText = (value) => typeof value === "string";

function totals(report) {
  return make("dl", { class: "totals" },
    ...totalsOf(report)
      .map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))));
}

function table(caption, heads, rows) {
  return sideways(caption, make("table", { "aria-label": caption },
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col", text: head })))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", { text: cell })))))));
}

const figure = (chart) => make("figure", {}, sideways(chart.getAttribute("aria-label"), chart));

function pieceSection(piece, number) {
  const figures = [];
  if (piece.measures?.some((measure) => measure.referenceSeconds > 0 && measure.liveSeconds > 0)) {
    figures.push(make("h3", { text: "Tempo against the reference" }), figure(tempoChart(piece)));
  }
  if (piece.confidence?.length) {
    figures.push(make("h3", { text: "Confidence and state" }), figure(confidenceChart(piece)));
  }
  if (figures.length === 0) figures.push(make("p", { class: "soft", text: "Nothing was followed in this piece." }));
  return make("section", { class: "charts" }, make("h2", { text: `${number}. ${piece.name}` }), ...figures);
}

function show(report) {
  document.title = `${report.title} · report`;
  find("title").textContent = report.title;
  const [began, ended] = [report.started, report.ended].map((text) => (isText(text) ? new Date(text) : null));
  const day = began?.toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })
    ?? "";
  const hour = (date) => date?.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  find("when").textContent = [day, began && `${hour(began)}–${ended ? hour(ended) : "still running"}`].filter(Boolean)
    .join(", ");

  find("people").textContent = (report.people ?? "").replaceAll("\n", "; ");

  const clock = clockOf(report);
  // A piece keeps its number of the programme, as in the timeline.
  const pieces = (report.pieces ?? []).map((piece, index) => [piece, index + 1]).filter(([piece]) => isPlayed(piece));
  const root = find("report");
  root.replaceChildren(...[
    patterns(), totals(report),
    make("section", { class: "charts" }, make("h2", { text: "The evening" }),
      figure(timelineChart(report, clock)), legend()),
    ...pieces.map(([piece, number]) => pieceSection(piece, number)),
    make("section", {}, make("h2", { text: "What people did" }), report.interventions?.length
      ? table("Interventions", ["Time", "Who", "What"],
        report.interventions.map((each) =>
          [clock(each.at), each.who, each.refused ? `${each.what} – refused: ${each.refused}` : each.what]))
      : make("p", { class: "soft", text: "Nobody had to do anything." })),
    make("section", {}, make("h2", { text: "Faults" }), report.faults?.length
      ? table("Faults", ["Time", "What", "For"],
        report.faults.map((each) => [clock(each.at), each.sentence, typeof each.until === "number"
          ? minutes(each.until - each.at) : "not over"]))
      : make("p", { class: "soft", text: "None." })),
    report.notes?.length
      ? make("section", {}, make("h2", { text: "Notes" }),
        table("Notes", ["Time", "Note"], report.notes.map((each) => [clock(each.at), each.text])))
      : null,
    make("section", {}, make("h2", { text: "Accuracy" }), report.accuracy
      ? table("Accuracy", ["Measure", "Value"],
        Object.entries(report.accuracy).map(([name, value]) => [spell(name), String(value)]))
      : make("p", { class: "soft", text: "Not known: no true measure times were given for this evening." })),
    report.timeCode?.length ? make("section", { class: "charts" }, make("h2", { text: "Time code" }),
      make("h3", { text: "Milliseconds by which the music was ahead of the code" }),
      figure(countChart(report.timeCode, "Distance of the time code from the music", clock, 5_000))) : null,
    make("section", { class: "charts" }, make("h2", { text: "Packets and clients" }),
      make("h3", { text: "Packets a second" }),
      figure(countChart(rates(report.packets ?? []), "Packets a second", clock)),
      make("h3", { text: "Clients" }), figure(countChart(report.clients ?? [], "Clients", clock))),
  ].filter(Boolean));
  root.setAttribute("aria-busy", "false");
  find("foot").textContent = `Made by Baton from the show log, ${new Date(wallClock()).toLocaleString("en-GB")}.`;
}

function legend() {
  const entry = (name, text) => {
    const sample = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    sample.setAttribute("viewBox", "0 0 26 12");
    const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of [["width", 26], ["height", 12], ["class", name]]) box.setAttribute(key, value);
    sample.append(box);
    return make("span", {}, sample, text);
  };
  return make("p", { class: "legend" }, entry("piece-block", "followed"), entry("coasting", "coasting"),
    entry("lost", "lost"),
    make("span", { text: "▼ a person did something" }), make("span", { text: "◆ a fault" }));
}

/** Offers the recording of this show, if there is one, to those who may make references. */
async function offerRecording({ folder }) {
  try {
    const { role } = await ask("/api/me");
    if (!["editor", "administrator"].includes(role)) return;
    const { recordings } = await ask("/api/references", { patience: 20_000 });
    const use = find("use");
    use.href = `/reference?recording=${encodeURIComponent(folder ?? "")}`;
    use.hidden = !recordings.some(({ name, seconds }) => name === folder && seconds > 0);
  } catch {
    // Without the list it is not known whether there is a recording.
  }
}

/** Offers the reports on the evenings that are over; `shown` is the name of the one that is shown, null for the present
 *  one's. */
async function offerEvenings(shown) {
  const { evenings } = await ask("/api/report", { patience: 20_000 });
  const day = (text) => new Date(text).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
  const select = find("evening");
  select.replaceChildren(new Option("The evening of now", ""), ...evenings.map((each) =>
    new Option(`${each.name}, ${day(each.started)}`, each.show)));
  select.value = shown ?? "";
  select.hidden = evenings.length === 0;
  select.addEventListener("change", () => {
    location.href = select.value ? `/report?show=${encodeURIComponent(select.value)}` : "/report";
  });
}

find("print").addEventListener("click", () => print());
try {
  const shown = new URLSearchParams(location.search).get("show");
  offerEvenings(shown).catch(() => {}); // tonight's report is shown without the list
  const report = await ask(`/api/report/${encodeURIComponent(shown ?? "current")}`, { patience: 20_000 });
  show(report);
  offerRecording(report);
} catch (refusal) {
  if (refusal.status === 401) goToSignIn();
  find("when").textContent = "";
  find("report").replaceChildren(make("p",
    { class: "trouble", role: "alert", text: `No report can be shown. ${refusal.message}` }));
}
