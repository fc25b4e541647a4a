// The takes that were kept: hear, report, compare, delete.
import { ask } from "/shared/api.js";
import { find, make, write } from "/shared/dom.js";
import { onChartWidth, tempoChart } from "./chart.js";
import { comparison } from "./comparison.js";
import {
  barLine, noteLine, notesSummary, passageLine, processingWords, takeLine, unplayedWords,
} from "./reportwords.js";
import { inPresentBars } from "./versions.js";

const mostCompared = 3; // earlier takes of the same piece, drawn beside a report
const address = ({ name }) => `/api/practice/takes/${encodeURIComponent(name)}`;
const reports = new Map(); // name → report
let drawChart = () => {}; // of the report that is shown

onChartWidth(() => drawChart());

/** Reads and shows the list; gives the takes, newest first. */
export async function readTakes() {
  const { takes } = await ask("/api/practice/takes", { patience: 20_000 });
  const done = takes.filter(({ seconds }) => seconds !== null);
  find("take-list").replaceChildren(...done.map((take) => row(take, done)));
  find("no-takes").hidden = done.length > 0;
  return done;
}

function row(take, takes) {
  const name = takeLine(take);
  const element = make("li", { class: "take", "data-take": take.name },
    make("div", {}, make("p", { text: take.pieceName }), make("p", { class: "faint", text: name })));
  const button = (text, act, traits = {}) => make("button",
    { type: "button", text, "aria-label": `${text}: ${take.pieceName}, ${name}`, onclick: act, ...traits });
  element.append(make("div", { class: "row" },
    button("Report", () => showReport(take, takes)),
    button("Hear", () => hear(take, element)),
    button("Delete", (event) => remove(take, event.currentTarget), { class: "danger" })));
  return element;
}

function hear(take, element) {
  document.querySelector("audio")?.remove();
  const audio = make("audio", { controls: true, src: `${address(take)}/sound` });
  element.append(audio);
  audio.play().catch(() => {}); // The element's own controls tell.
}

/** The first press asks, the second deletes. */
async function remove(take, button) {
  if (button.dataset.asked !== "yes") {
    button.dataset.asked = "yes";
    button.textContent = "Delete for ever";
    setTimeout(() => {
      delete button.dataset.asked;
      button.textContent = "Delete";
    }, 4000);
    return;
  }
  button.disabled = true;
  try {
    await ask(address(take), { method: "DELETE" });
    reports.delete(take.name);
    if (find("report").dataset.take === take.name) find("report").hidden = true;
    await readTakes();
  } catch (refusal) {
    button.disabled = false;
    button.textContent = refusal.message;
  }
}

async function report(take) {
  if (!reports.has(take.name)) reports.set(take.name, await ask(`${address(take)}/report`, { patience: 180_000 }));
  return reports.get(take.name);
}

/** True for takes of one piece, and of one tab, also if it was changed between them. */
const isSamePiece = (one, other) => (one.tab ? one.tab === other.tab : one.piece === other.piece);

/** Shows the report on a take, with earlier takes of the same piece beside it. */
export async function showReport(take, takes) {
  const section = find("report");
  section.hidden = false;
  section.dataset.take = take.name;
  write(find("report-name"), `${take.pieceName}, ${takeLine(take)}`);
  write(find("report-say"), "The whole take is aligned with the piece …");
  find("report-body").replaceChildren();
  drawChart = () => {};
  section.scrollIntoView({ block: "start" });
  let own;
  try {
    own = await report(take);
  } catch (refusal) {
    write(find("report-say"), refusal.message);
    return;
  }
  if (section.dataset.take !== take.name) return;
  write(find("report-say"), own.refusal ?? [own.pieceNote, processingWords(take)].filter(Boolean).join(" "));
  if (own.refusal) return;
  const earlier = takes.filter((each) => isSamePiece(each, take) && each.startedAt < take.startedAt)
    .slice(0, mostCompared);
  const body = find("report-body");
  let compared = [];
  drawChart = () => {
    const chart = tempoChart([{ name: "this take", report: own }, ...compared]);
    if (!chart) return;
    const before = body.querySelector("figure");
    if (before) before.replaceWith(chart);
    else body.prepend(chart);
  };
  drawChart();
  body.append(...own.passages.map((passage) => make("details", { open: own.passages.length === 1 },
    make("summary", { text: passageLine(passage) }),
    make("ul", { class: "bars" }, ...passage.bars.map((bar) =>
      make("li", { "data-verdict": bar.verdict, text: barLine(bar, own.leastLateness) }))))));
  const unplayed = unplayedWords(own);
  if (unplayed) body.append(make("p", { class: "unplayed soft", text: unplayed }));
  body.append(make("h3", { text: "Notes" }), make("p", { class: "soft", text: notesSummary(own) }));
  if (own.notes.length > 0) {
    body.append(make("ul", { class: "bars", "aria-label": "Notes to look at" }, ...own.notes.map((note) =>
      make("li", { "data-verdict": note.verdict, text: noteLine(note) }))));
  }
  if (earlier.length > 0) {
    body.append(make("button", { type: "button", text: `Compare with ${earlier.length} earlier`,
      onclick: async (event) => {
        const button = event.currentTarget;
        button.disabled = true;
        const others = [];
        for (const each of earlier) {
          const found = await report(each).catch((refusal) => ({ refusal: refusal.message }));
          others.push({ name: takeLine(each), take: each, ...found.refusal ? found
            : { whole: found, ...inPresentBars(found, own) } });
        }
        if (section.dataset.take !== take.name) return;
        compared = others.filter((each) => !each.refusal);
        drawChart();
        button.replaceWith(comparison([{ name: "this take", take, report: own, whole: own, changed: 0 }, ...others]));
      } }));
  }
}
