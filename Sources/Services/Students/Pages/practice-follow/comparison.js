// Takes of one piece side by side, in numbers.
import { make } from "/shared/dom.js";

const percent = (share) => `${Math.round(100 * share)} %`;
const mistakes = ["wrong", "missing", "extra", "late", "early"];

/** A table of takes: `{ name, take, report, whole, changed }`, or `{ name, refusal }` where there is no report. */
export function comparison(takes) {
  const heads = ["Take", "Bars played", "Tempo", "Right notes", "May be mistakes", "Not judged"];
  return make("div", { class: "comparison", tabindex: "0", role: "region", "aria-label": "Takes side by side" },
    make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))),
      make("tbody", {}, ...takes.map((each) => row(each, heads)))));
}

function row(each, heads) {
  const name = make("th", { scope: "row", text: each.name });
  if (each.refusal) return make("tr", {}, name, make("td", { colspan: heads.length - 1, text: each.refusal }));
  const { whole, changed } = each;
  const bars = whole.passages.flatMap((passage) => passage.bars);
  const tempi = bars.map(({ tempo }) => tempo).filter((tempo) => tempo !== undefined)
    .sort((one, other) => one - other);
  const unknown = Object.values(whole.unknownNotes).reduce((sum, count) => sum + count, 0);
  const since = changed > 0 ? `, of which ${changed} ${changed === 1 ? "was" : "were"} changed since` : "";
  const played = `${bars.length}${since}`;
  const notes = whole.notesRefusal ? ["–", "–", "–"] : [whole.rightNotes, kinds(whole.notes), unknown];
  const cells = [played, tempi.length > 0 ? percent(tempi[Math.floor(tempi.length / 2)]) : "–", ...notes];
  return make("tr", {}, name, ...cells.map((text, index) =>
    make("td", { text: `${text}`, "data-label": heads[index + 1] })));
}

function kinds(notes) {
  const parts = mistakes.map((kind) => [notes.filter(({ verdict }) => verdict === kind).length, kind])
    .filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  return parts.length > 0 ? parts.join(", ") : "none";
}
