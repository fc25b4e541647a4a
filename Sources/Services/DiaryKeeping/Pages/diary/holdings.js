// The house's material for a work: models to practise with, slides, scores with their parts, tabs.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";

const kinds = { model: "Practise with Baton", slides: "Slides", score: "Score", tab: "Tab" };

const textOf = ({ kind, name }) => `${kinds[kind] ?? kind}: ${name}`;

/** The links as a row of buttons; null if there are none. */
export const holdingRow = (holdings) => ((holdings ?? []).length > 0 ? make("p", { class: "row holdings" },
  ...holdings.map((holding) => make("a", { class: "button", href: holding.address, text: textOf(holding) }))) : null);

/** The links of a work with a choice of further ones, for those who may change them. */
export function holdingSection(view, work, reload) {
  const change = async (holding, isLinked) => {
    try {
      await ask(`/api/diary/works/${encodeURIComponent(work.id)}/links`, { method: "PUT",
        json: { kind: holding.kind, of: holding.id, isLinked } });
      await reload();
    } catch (refusal) {
      view.say(refusal.message);
    }
  };
  const lists = { model: "models", slides: "slides", score: "scores", tab: "tabs" };
  const isLinked = ({ kind, id }) => (work.linked?.[lists[kind]] ?? []).includes(id);
  const rows = (work.holdings ?? []).map((holding) => make("li", { class: "row" },
    make("a", { class: "button", href: holding.address, text: textOf(holding) }),
    work.mayEdit && isLinked(holding) ? make("button", { type: "button", class: "plain",
      "aria-label": `Take away: ${textOf(holding)}`, text: "Take away", onclick: () => change(holding, false) })
      : null));
  const section = make("section", { class: "holdings", "aria-label": "What the house has" },
    rows.length > 0 || work.mayEdit ? make("h2", { text: "What the house has" }) : null, make("ul", {}, ...rows));
  if (!work.mayEdit) return rows.length > 0 ? section : null;
  const choice = make("select", { name: "holding" });
  const add = make("button", { type: "button", text: "Add", onclick: () => {
    const chosen = all[Number(choice.value)];
    if (chosen) change(chosen, true);
  } });
  let all = [];
  const details = make("details", {}, make("summary", { text: "Add a model, slides, a score or a tab" }),
    make("div", { class: "fields" }, make("label", {}, "Which", choice), add));
  details.addEventListener("toggle", async () => {
    if (!details.open || all.length > 0) return;
    try {
      all = (await ask("/api/diary/holdings", { patience: 8000 })).holdings.filter((each) => !isLinked(each));
      choice.replaceChildren(...all.map((holding, index) => make("option", { value: index, text: textOf(holding) })));
    } catch (refusal) {
      view.say(refusal.message);
    }
  });
  section.append(details);
  return section;
}
