// Counts of the diary: who and what was played most, where, and in which years.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { mine } from "./own.js";
import { heading, sentence } from "./parts.js";
import { counted, personText } from "./words.js";

/** Lines `{name, concerts}` as a table with a bar for each number. */
function table(title, lines, address = null) {
  if (lines.length === 0) return null;
  const most = Math.max(...lines.map(({ concerts }) => concerts));
  return make("section", { class: "counts", "aria-label": title }, make("h2", { text: title }),
    make("table", {}, make("tbody", {}, ...lines.map(({ name, shown = name, concerts }) => make("tr", {},
      make("th", { scope: "row" }, address ? make("a", { href: address(name), text: shown }) : shown),
      make("td", {}, make("meter", { min: "0", max: String(most), value: String(concerts), "aria-hidden": "true" })),
      make("td", { class: "number", text: concerts.toLocaleString("en") }))))));
}

/** The most frequent values of a list, with their numbers. */
function most(values, count = 10) {
  const numbers = new Map();
  for (const value of values) if (value) numbers.set(value, (numbers.get(value) ?? 0) + 1);
  return [...numbers].map(([name, concerts]) => ({ name, concerts }))
    .sort((one, other) => other.concerts - one.concerts || one.name.localeCompare(other.name)).slice(0, count);
}

/** The concerts of the owner of this device. */
function ownParts() {
  const concerts = mine();
  if (concerts.length === 0) return [];
  return [make("h2", { class: "page", text: `My own: ${counted(concerts.length, "concert")}` }),
    table("My years", most(concerts.map(({ date }) => date?.slice(0, 4)), 100)
      .sort((one, other) => one.name.localeCompare(other.name))),
    table("My ensembles", most(concerts.map(({ ensemble }) => ensemble))),
    table("My halls", most(concerts.map(({ venue }) => venue))),
    table("My composers", most(concerts.flatMap(({ works }) =>
      [...new Set((works ?? []).map(({ composer }) => composer))])))];
}

export async function statisticsPage(view, words) {
  const asked = new URLSearchParams([...words].filter(([name]) => ["from", "to"].includes(name)));
  const field = (name, label) => make("label", {}, label, make("input", { name, inputmode: "numeric", maxlength: "10",
    placeholder: name === "from" ? "1842" : "2026", value: words.get(name) ?? "" }));
  const form = make("form", { class: "fields", id: "span" }, field("from", "From the year or day"),
    field("to", "To the year or day"), make("button", { type: "submit", text: "Count" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const next = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])
      .filter(([, value]) => value.trim()));
    location.hash = `#/statistics?${next}`;
  });
  let found;
  try {
    found = await ask(`/api/diary/statistics?${asked}`, { patience: 15_000 });
  } catch (refusal) {
    if (!view.isGone) view.show(heading("Statistics"), form, sentence(refusal.message), ...ownParts().filter(Boolean));
    return;
  }
  if (view.isGone) return;
  const people = (lines) => lines.map((line) => ({ ...line, shown: personText(line.name) }));
  const person = (name) => `#/people/${encodeURIComponent(name)}`;
  view.show(...[
    heading("Statistics", `${counted(found.concerts, "concert")} with ${counted(found.works, "work")}`), form,
    found.concerts === 0 ? sentence("The diary has no concert of these days.") : null,
    make("div", { class: "tables" }, ...[
      table("Works", found.mostPlayed), table("Composers", people(found.composers), person),
      table("Conductors", people(found.conductors), person), table("Soloists", people(found.soloists), person),
      table("Halls", found.venues, (name) => `#/?${new URLSearchParams({ venue: name })}`),
      table("Kinds of concert", found.types),
      table("Decades", found.decades, (name) =>
        `#/?${new URLSearchParams({ from: name.slice(0, 4), to: `${name.slice(0, 3)}9`, name })}`),
    ].filter(Boolean)),
    ...ownParts()].filter(Boolean));
}
