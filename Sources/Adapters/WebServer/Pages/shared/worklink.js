// Says to which work of the diary a thing belongs: a prepared piece, a score, slides or a tab. Pages put the section
// where people describe the thing.
import { ask } from "./api.js";
import { make } from "./dom.js";

const searchAfter = 250; // ms after the last letter

const nameOf = ({ composer, title }) => [composer, title].filter(Boolean).join(", ");

/**
 * The section for the thing `of` of a `kind`: "model", "slides", "score" or "tab". `guess` is {composer, title}, what
 * the thing calls itself; it is what is searched first.
 */
export function workLink(kind, of, guess = {}) {
  const state = make("p", { class: "faint", role: "status" });
  const linked = make("ul", {});
  const found = make("ul", {});
  const words = make("input", { type: "search", maxlength: "120", autocomplete: "off", value: guess.title ?? "" });
  const details = make("details", {}, make("summary", { text: "Choose the work" }), make("label", {}, "Work", words),
    found);
  const section = make("section", { class: "work-link", "aria-label": "Work in the diary" },
    make("h2", { text: "Work in the diary" }), linked, details, state);

  const change = async (work, isLinked) => {
    try {
      await ask(`/api/diary/works/${encodeURIComponent(work.id)}/links`,
        { method: "PUT", json: { kind, of, isLinked } });
      details.open = false;
      await show();
    } catch (refusal) {
      state.textContent = refusal.message;
    }
  };
  const addNew = async (work) => {
    try {
      await change(await ask("/api/diary/works", { method: "POST", json: work }), true);
    } catch (refusal) {
      state.textContent = refusal.message;
    }
  };
  const choice = (text, chosen) => make("li", {}, make("button", { type: "button", text, onclick: chosen }));

  async function show() {
    const { works } = await ask(`/api/diary/works?${new URLSearchParams({ kind, of })}`);
    linked.replaceChildren(...works.map((work) => make("li", { class: "row" },
      make("a", { class: "button", href: `/diary#/works/${encodeURIComponent(work.id)}`, text: nameOf(work) }),
      make("button", { type: "button", class: "plain", "aria-label": `Take away: ${nameOf(work)}`, text: "Take away",
        onclick: () => change(work, false) }))));
    state.textContent = works.length === 0
      ? "None yet. Once there is one, the diary’s concerts with this work link here." : "";
  }

  let [timer, asked] = [null, 0];
  async function look() {
    const turn = (asked += 1);
    const text = words.value.trim();
    let works = [];
    try {
      if (text.length > 1) ({ works } = await ask(`/api/diary/search?${new URLSearchParams({ q: text })}`));
    } catch (refusal) {
      state.textContent = refusal.message;
    }
    if (turn !== asked) return;
    const fresh = { composer: guess.composer ?? "", title: text };
    found.replaceChildren(...works.map((work) => choice(nameOf(work), () => change(work, true))),
      ...(text ? [choice(`A work that the diary does not have yet: ${nameOf(fresh)}`, () => addNew(fresh))] : []));
  }
  words.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, searchAfter);
  });
  details.addEventListener("toggle", () => details.open && look());
  show().catch((refusal) => {
    if (refusal.status === 403 || refusal.status === 404) section.hidden = true;
    else state.textContent = refusal.message;
  });
  return section;
}
