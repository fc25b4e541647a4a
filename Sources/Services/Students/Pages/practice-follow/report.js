// The report on a take, with earlier takes of the same piece beside it.
import { ask } from "/shared/api.js";
import { find, make, write } from "/shared/dom.js";
import { onChartWidth, tempoChart } from "./chart.js";
import { comparison } from "./comparison.js";
import {
  barLine, keyWords, noteLine, notesSummary, passageLine, processingWords, takeLine, unplayedWords,
} from "./reportwords.js";
import { forgetReport } from "./ownreport.js";
import { fretWords, markedTab, readTab } from "./tabsheet.js";
import { inPresentBars } from "./versions.js";

const mostCompared = 3; // earlier takes of the same piece, drawn beside a report
const reports = new Map(); // address → report
// What is shown: `{ take, own, earlier, others }`, its report, the earlier takes, and those that are compared.
let shown = null;

/** The address of an own take, or of one that a student lets this account see. */
export const address = ({ name, student }) => (student
  ? `/api/practice/shared/${encodeURIComponent(student.id)}` : "/api/practice/takes") + `/${encodeURIComponent(name)}`;

onChartWidth(() => drawChart());

async function report(take) {
  if (take.made) return take.made;
  const key = address(take);
  if (!reports.has(key)) reports.set(key, await ask(`${key}/report`, { patience: 180_000 }));
  return reports.get(key);
}

/** True for takes of one piece, and of one tab, also if it was changed between them. */
const isSamePiece = (one, other) => (one.tab ? one.tab === other.tab : one.piece === other.piece);

/** Shows the report on a take: one of the list, or one whose report is `made` in this page. */
export async function showReport(take, takes) {
  const section = find("report");
  section.hidden = false;
  section.dataset.take = take.name;
  write(find("report-name"), [take.student?.name, take.pieceName, takeLine(take)].filter(Boolean).join(", "));
  write(find("report-say"), "The whole take is aligned with the piece …");
  find("report-body").replaceChildren();
  showProgress(take.made ? 0 : null);
  const asked = { take, own: null, others: [],
    earlier: takes.filter((each) => isSamePiece(each, take) && each.startedAt < take.startedAt) };
  shown = asked;
  take.progressed = (share) => shown === asked && showProgress(share);
  if (!take.made) section.scrollIntoView({ block: "start" });
  let own;
  try {
    own = await report(take);
  } catch (refusal) {
    if (shown !== asked) return;
    showProgress(null);
    write(find("report-say"), refusal.message);
    return;
  }
  if (shown !== asked) return;
  showProgress(null);
  write(find("report-say"), own.refusal
    ?? [own.pieceNote, keyWords(own), processingWords(take)].filter(Boolean).join(" "));
  if (own.refusal) return;
  asked.own = own;
  const tab = own.notes.length > 0 ? await readTab(take.tab) : null;
  if (shown !== asked) return;
  find("report-body").append(...parts(own, tab));
  drawChart();
  drawComparison();
}

/** Shows the part of a report that is done; null where nothing is being made here. */
function showProgress(share) {
  find("report-progress").hidden = share === null;
  find("report-share").value = share ?? 0;
}

find("report-stop").addEventListener("click", () =>
  forgetReport("You stopped the report. The server makes it too, of a take that you keep."));

/** Takes were read anew: those before the one that is shown can be compared with it. */
export function offerEarlier(takes) {
  if (!shown?.take.made || shown.others.length > 0) return;
  shown.earlier = takes.filter((each) => isSamePiece(each, shown.take) && each.startedAt < shown.take.startedAt
    && each.name !== shown.take.name);
  if (shown.own) drawComparison();
}

/** A take was deleted: nothing of it stays on the page. */
export function forgetTake(take) {
  const { name } = take;
  reports.delete(address(take));
  if (!shown) return;
  if (shown.take.name === name) {
    shown = null;
    find("report").hidden = true;
    return;
  }
  shown.earlier = shown.earlier.filter((each) => each.name !== name);
  shown.others = shown.others.filter((each) => each.take.name !== name);
  if (!shown.own) return;
  drawChart();
  drawComparison();
}

/** Bars, bars that were not played, and notes; with the tab that was played, if there is one. */
function parts(own, tab) {
  const unplayed = unplayedWords(own);
  return [
    ...own.passages.map((passage) => make("details", { open: own.passages.length === 1 },
      make("summary", { text: passageLine(passage) }),
      make("ul", { class: "bars" }, ...passage.bars.map((bar) =>
        make("li", { "data-verdict": bar.verdict, text: barLine(bar) }))))),
    ...unplayed ? [make("p", { class: "unplayed soft", text: unplayed })] : [],
    make("h3", { text: "Notes" }), make("p", { class: "soft", text: notesSummary(own) }),
    ...tabParts(own, tab),
    ...own.notes.length > 0 ? [make("ul", { class: "bars", "aria-label": "Notes to look at" },
      ...own.notes.map((note) => make("li", { "data-verdict": note.verdict,
        text: noteLine(note, tab ? fretWords(tab, note) : "") })))] : [],
  ];
}

/** The lines of the tab with the notes that may be mistakes. */
function tabParts(own, tab) {
  const marked = tab && markedTab(tab, find("report-body").clientWidth || 600, own.notes);
  return marked ? [make("div", { class: "tab-report" }, marked)] : [];
}

function drawChart() {
  if (!shown?.own) return;
  const body = find("report-body");
  const compared = shown.others.filter((each) => !each.refusal);
  const chart = tempoChart([{ name: "this take", report: shown.own }, ...compared]);
  body.querySelector("figure")?.remove();
  if (chart) body.prepend(chart);
}

/** Offers the comparison, or shows it, below the chart and above the many bars. */
function drawComparison() {
  const { take, own, earlier, others } = shown;
  const body = find("report-body");
  for (const before of body.querySelectorAll(".comparison, .compare")) before.remove();
  const put = (part) => {
    const chart = body.querySelector("figure");
    if (chart) chart.after(part);
    else body.prepend(part);
  };
  if (others.length > 0) {
    put(comparison([{ name: "this take", take, report: own, whole: own, changed: 0 }, ...others]));
  } else if (earlier.length > 0) {
    const text = `Compare with ${Math.min(mostCompared, earlier.length)} earlier`;
    put(make("button", { type: "button", class: "compare", text, onclick: compare }));
  }
}

async function compare({ currentTarget: button }) {
  const asked = shown;
  button.disabled = true;
  const others = [];
  for (const each of asked.earlier.slice(0, mostCompared)) {
    const found = await report(each).catch((refusal) => ({ refusal: refusal.message }));
    others.push({ name: takeLine(each), take: each, ...found.refusal ? found
      : { whole: found, ...inPresentBars(found, asked.own) } });
  }
  if (shown !== asked) return;
  // A take may have been deleted meanwhile.
  asked.others = others.filter(({ take }) => asked.earlier.includes(take));
  drawChart();
  drawComparison();
}
