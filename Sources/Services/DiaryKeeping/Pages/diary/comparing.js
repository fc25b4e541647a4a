// Two evenings of one work side by side, bar by bar.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { smoothed, tempoChart } from "./curves.js";
import { heading, sentence } from "./parts.js";
import { dayText } from "./words.js";

const difference = (bar) => (bar.one && bar.other ? bar.other - bar.one : null);
const sign = (value) => (value > 0 ? "+" : value < 0 ? "−" : "±");
const signed = (value) => (value === null ? "–" : `${sign(value)}${Math.abs(value).toFixed(2)}`);

function piecePart({ name, bars, oneSeconds, otherSeconds }, one, other) {
  const line = (key, label) => ({ name: label, bars: smoothed(bars.map(({ printed, played, ...each }) =>
    ({ printed, played, seconds: each[key] ?? 0 }))) });
  const rows = bars.map((bar) => make("tr", {}, make("th", { scope: "row", text: bar.printed }),
    make("td", { text: bar.one?.toFixed(2) ?? "–" }), make("td", { text: bar.other?.toFixed(2) ?? "–" }),
    make("td", { text: signed(difference(bar)) })));
  return make("section", { class: "compared" }, make("h3", { text: name }),
    make("p", { class: "facts", text: `${duration(oneSeconds)} and ${duration(otherSeconds)}` }),
    tempoChart([line("one", one), line("other", other)]) ?? sentence("Too few bars were heard in both."),
    make("details", {}, make("summary", { text: "Bar by bar, in seconds" }), make("table", {},
      make("thead", {}, make("tr", {}, ...["Bar", one, other, "Difference"].map((text) => make("th", { text })))),
      make("tbody", {}, ...rows))));
}

/** Compares an evening with another one; a choice of evenings stands on top. */
export async function comparePage(view, id, otherID = null) {
  let first;
  try {
    first = await ask(`/api/diary/concerts/${encodeURIComponent(id)}`);
  } catch (refusal) {
    view.show(sentence(refusal.message));
    return;
  }
  if (view.isGone) return;
  const others = first.comparable ?? [];
  if (others.length === 0) {
    view.show(heading("Compare"), sentence("No other evening with the same work was heard by Baton."));
    return;
  }
  const choice = make("select", { onchange: () => {
    location.hash = `#/compare/${encodeURIComponent(id)}/${encodeURIComponent(choice.value)}`;
  } }, ...others.map((other) => make("option", { value: other.id, text: `${dayText(other.date)}, ${other.title}` })));
  const chosen = others.find((other) => other.id === otherID) ?? others[0];
  choice.value = chosen.id;
  const place = make("div", { id: "compared" });
  view.show(heading("Two evenings", `${dayText(first.date)}, ${first.title}`), make("label", {}, "With", choice),
    place);
  try {
    const { pieces } = await ask(`/api/diary/compare?${new URLSearchParams({ one: id, other: chosen.id })}`,
      { patience: 8000 });
    if (view.isGone) return;
    const names = first.date === chosen.date ? ["First", "Second"] : [dayText(first.date), dayText(chosen.date)];
    place.replaceChildren(...pieces.map((piece) => piecePart(piece, ...names)));
    if (pieces.length === 0) place.append(sentence("No piece was played on both evenings."));
  } catch (refusal) {
    place.append(sentence(refusal.message));
  }
}
