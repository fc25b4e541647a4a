// The timeline by month, and the search that answers as one types.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { keep, readKept } from "/shared/kept.js";
import { mine } from "./own.js";
import { byMonth, concertRow, heading, sentence } from "./parts.js";
import { counted, isAbout } from "./words.js";

const keptKey = "baton-diary-timeline"; // the newest concerts, for a page without a server
const isLate = (asked, view) => view.isGone || asked !== view.asked;

/** Shows the newest concerts; more of them by a button. */
export async function timeline(view, query = new URLSearchParams()) {
  const list = make("div", { id: "timeline" });
  const more = make("button", { type: "button", id: "more", hidden: true, text: "Earlier concerts" });
  let [next, last] = [null, null];
  const filter = ["year", "venue", "town", "country", "from", "to"].filter((name) => query.get(name));
  const address = (cursor) => {
    const asked = new URLSearchParams({ limit: "40" });
    for (const name of filter) asked.set(name, query.get(name));
    if (cursor) asked.set("before", cursor);
    return `/api/diary/timeline?${asked}`;
  };
  const add = (answer) => {
    const { sections, last: month } = byMonth(answer.concerts, last);
    list.append(...sections);
    [next, last] = [answer.next ?? null, month];
    more.hidden = !next;
  };
  more.onclick = async () => {
    more.disabled = true;
    try {
      add(await ask(address(next)));
    } catch (refusal) {
      view.say(refusal.message);
    }
    more.disabled = false;
  };
  const title = filter.length > 0
    ? heading(query.get("name") ?? filter.map((name) => query.get(name)).join(", ")) : null;
  view.show(...[title, list, more].filter(Boolean));
  const kept = filter.length === 0 ? readKept(keptKey) : null;
  if (kept) add(kept);
  try {
    const answer = await ask(address(null));
    if (view.isGone) return;
    if (filter.length === 0) keep(keptKey, answer);
    list.replaceChildren();
    last = null;
    add(answer);
    if (answer.concerts.length > 0) return;
    list.append(sentence(title ? "The diary has no concert of this kind."
      : "Nothing is in the diary yet. Add a concert, or play one."));
  } catch (refusal) {
    if (!kept) list.append(sentence(refusal.message));
    else view.say(refusal.status === 0 ? "" : refusal.message);
  }
}

const link = (address, name, facts) => make("li", {}, make("a", { href: address },
  make("span", { class: "title", text: name }), make("span", { class: "faint", text: facts })));

const group = (title, rows) =>
  (rows.length > 0 ? [make("section", { class: "found", "aria-label": title }, make("h2", { text: title }),
    make("ul", {}, ...rows))] : []);

/** Searches while somebody types; an answer that is overtaken is dropped. */
export async function search(view, words) {
  view.asked = words;
  const address = (name, id) => `#/${name}/${encodeURIComponent(id)}`;
  const own = group("My own", mine().filter((concert) => isAbout(concert, words)).slice(0, 12).map(concertRow));
  let answer;
  try {
    answer = await ask(`/api/diary/search?${new URLSearchParams({ q: words })}`);
  } catch (refusal) {
    if (isLate(words, view)) return;
    view.show(sentence(refusal.message), ...own);
    return;
  }
  if (isLate(words, view)) return;
  const concerts = (count) => counted(count, "concert");
  view.show(
    make("p", { id: "count", class: "faint", role: "status", text: concerts(answer.count) }),
    ...own,
    ...group("Works", answer.works.map((work) =>
      link(address("works", work.id), work.title, [work.composer, concerts(work.count)].filter(Boolean).join(" · ")))),
    ...group("People", answer.people.map((person) =>
      link(address("people", person.id), person.name, [person.roles?.join(", "), concerts(person.count)]
        .filter(Boolean).join(" · ")))),
    ...group("Ensembles", answer.ensembles.map((each) =>
      link(address("ensembles", each.id), each.name, concerts(each.count)))),
    ...group("Halls", answer.halls.map((hall) => link(`#/?${new URLSearchParams({ venue: hall.name })}`, hall.name,
      [hall.city, concerts(hall.count)].filter(Boolean).join(" · ")))),
    ...group("Festivals and tours", answer.events.map((event) =>
      link(address("events", event.id), event.name, event.count > 0 ? concerts(event.count) : ""))),
    ...group("Places", [...answer.towns.map((town) => ({ ...town, asked: { town: town.id } })),
      ...answer.countries.map((country) => ({ ...country, asked: { country: country.id, name: country.name } }))]
      .map(({ asked, name, count }) => link(`#/?${new URLSearchParams(asked)}`, name, concerts(count)))),
    ...group("Years", answer.years.map(({ year, count }) => link(`#/?year=${year}`, year, concerts(count)))),
    ...group("Concerts", answer.concerts.map(concertRow)));
}
