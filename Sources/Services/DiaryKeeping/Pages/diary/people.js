// The pages of a work, an ensemble and a person, and the list of ensembles.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { savedWords } from "/shared/savedwords.js";
import { yearsChart } from "./curves.js";
import { holdingSection } from "./holdings.js";
import { ensembleForm } from "./namesform.js";
import { identifying, mbidLine } from "./outside.js";
import { pending } from "./outbox.js";
import { mine } from "./own.js";
import { byMonth, concertRow, heading, sentence } from "./parts.js";
import { counted, dayText, stars } from "./words.js";

/** Asks for one page's content; shows the server's sentence where there is none. */
async function read(view, path) {
  try {
    const answer = await ask(path, { patience: 8000 });
    return view.isGone ? null : answer;
  } catch (refusal) {
    if (!view.isGone) view.show(sentence(refusal.message));
    return null;
  }
}

/** A list of concerts that goes on by a button. */
function growing(view, path, first) {
  const list = make("div", {});
  const more = make("button", { type: "button", text: "Earlier concerts" });
  let [next, last] = [null, null];
  const add = (answer) => {
    const { sections, last: month } = byMonth(answer.concerts, last);
    list.append(...sections);
    [next, last] = [answer.next ?? null, month];
    more.hidden = !next;
  };
  more.onclick = async () => {
    try {
      add(await ask(`${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ before: next })}`));
    } catch (refusal) {
      view.say(refusal.message);
    }
  };
  add(first);
  return make("div", {}, list, more);
}

/** A work's page: every performance, and its length over the years. */
export async function workPage(view, id) {
  const path = `/api/diary/works/${encodeURIComponent(id)}`;
  const work = await read(view, path);
  if (!work) return;
  const outside = make("div", {});
  const points = (work.measured ?? []).map(({ date, seconds, title, id: concert }) => ({
    year: Number(date.slice(0, 4)) + (Number(date.slice(5, 7)) - 1) / 12, minutes: seconds / 60,
    name: `${dayText(date)}, ${title}`, id: concert }));
  view.show(...[
    heading(work.title, work.composer, counted(work.count, "concert")), mbidLine("work", work.mbid),
    yearsChart(points),
    points.length > 0 ? make("table", {}, make("caption", { class: "spoken", text: "Measured performances" }),
      make("thead", {}, make("tr", {}, make("th", { text: "Evening" }), make("th", { text: "Length" }))),
      make("tbody", {}, ...work.measured.map((each) => make("tr", {},
        make("td", {}, make("a", { href: `#/concerts/${encodeURIComponent(each.id)}`, text: dayText(each.date) })),
        make("td", { text: duration(each.seconds) }))))) : null,
    holdingSection(view, work, () => workPage(view, id)), outside,
    growing(view, path, work),
  ].filter(Boolean));
  if (!work.mayEdit) return;
  const section = await identifying(view, "works", work.id, () => ({ title: work.title, composer: work.composer }),
    () => workPage(view, id));
  if (section && !view.isGone) outside.replaceChildren(section);
}

const ownConcertsOf = (name) => mine().filter(({ ensemble }) => ensemble === name);

/** The concerts of an ensemble at which the owner of this device was; null if there are none. */
function ownSection(name) {
  const concerts = ownConcertsOf(name);
  if (concerts.length === 0) return null;
  const mean = meanStars(concerts).get(name);
  return make("section", { class: "found", "aria-label": "My own" },
    make("h2", { text: ["My own", mean ? `${stars(Math.round(mean))} ${mean.toFixed(1)}` : ""].filter(Boolean)
      .join(" · ") }), make("ul", {}, ...concerts.map(concertRow)));
}

/** An ensemble that only this device knows. */
export function ownEnsemblePage(view, name) {
  view.show(...[heading(name, counted(ownConcertsOf(name).length, "concert")), ownSection(name)].filter(Boolean));
}

export async function ensemblePage(view, id) {
  const path = `/api/diary/ensembles/${encodeURIComponent(id)}`;
  const ensemble = await read(view, path);
  if (!ensemble) return;
  const outside = make("div", {});
  view.show(...[
    heading(ensemble.name, ensemble.genre, counted(ensemble.count, "concert")), mbidLine("artist", ensemble.mbid),
    ensemble.biography ? make("p", { class: "biography", text: ensemble.biography }) : null,
    ensemble.mayEdit ? make("p", { class: "row" }, make("a", { class: "button", text: "Edit",
      href: `#/ensembles/${encodeURIComponent(id)}/edit` })) : null,
    outside, ownSection(ensemble.name), growing(view, path, ensemble),
  ].filter(Boolean));
  if (!ensemble.mayEdit || ensemble.mbid) return;
  const section = await identifying(view, "ensembles", ensemble.id, () => ({ name: ensemble.name }),
    () => ensemblePage(view, id));
  if (section && !view.isGone) outside.replaceChildren(section);
}

export async function ensembleEditPage(view, id) {
  const ensemble = await read(view, `/api/diary/ensembles/${encodeURIComponent(id)}`);
  if (ensemble) ensembleForm(view, ensemble);
}

export async function personPage(view, id) {
  const path = `/api/diary/people?${new URLSearchParams({ name: id })}`;
  const person = await read(view, path);
  if (!person) return;
  view.show(heading(person.name, (person.roles ?? []).join(", "), counted(person.count, "concert")),
    growing(view, path, person));
}

/** The mean of the own stars for each ensemble, by its name; only concerts with stars count. */
export function meanStars(concerts) {
  const all = new Map();
  for (const { ensemble, rating } of concerts) {
    if (ensemble && rating) all.set(ensemble, [...(all.get(ensemble) ?? []), rating]);
  }
  return new Map([...all].map(([name, ratings]) => [name, ratings.reduce((sum, each) => sum + each) / ratings.length]));
}

/** The ensembles that the owner of this device likes best come first; then those with most concerts. */
export function ranked(ensembles, concerts) {
  const means = meanStars(concerts);
  const own = concerts.filter(({ ensemble }) => ensemble);
  const names = new Set(ensembles.map(({ name }) => name));
  const further = [...new Set(own.map(({ ensemble }) => ensemble))].filter((name) => !names.has(name))
    .map((name) => ({ id: null, name, count: own.filter(({ ensemble }) => ensemble === name).length }));
  return [...ensembles, ...further].map((each) => ({ ...each, rating: means.get(each.name) ?? 0 }))
    .sort((one, other) => other.rating - one.rating || other.count - one.count || one.name.localeCompare(other.name));
}

/** The ensembles, the best loved first. */
export async function ensemblesPage(view) {
  let known = [];
  try {
    known = (await ask("/api/diary/ensembles", { patience: 8000 })).ensembles;
  } catch (refusal) {
    if (refusal.status !== 0) view.say(refusal.message);
  }
  if (view.isGone) return;
  const all = ranked(known, mine());
  const waiting = pending().filter(({ path }) => path === "/api/diary/ensembles");
  view.show(heading("Ensembles"), make("p", { class: "row" }, view.isStaff
    ? make("a", { class: "button", href: "#/ensembles/new", text: "Add an ensemble" }) : null),
  ...waiting.map(({ what, trouble }) => make("p", { class: "facts" }, `${what} `,
    make("span", { class: "badge waits", text: trouble ?? savedWords.waiting }))),
  all.length === 0 ? sentence("No ensemble is in the diary yet.")
    : make("ul", { id: "ensembles" }, ...all.map((each) => make("li", {},
      make("a", { href: `#/ensembles/${each.id ? "" : "mine/"}${encodeURIComponent(each.id ?? each.name)}` },
        make("span", { class: "title", text: each.name }),
        make("span", { class: "faint", text: [counted(each.count, "concert"),
          each.rating ? `${stars(Math.round(each.rating))} ${each.rating.toFixed(1)}` : ""].filter(Boolean).join(" · ")
        }))))));
}
