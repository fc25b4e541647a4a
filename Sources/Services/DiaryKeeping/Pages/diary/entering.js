// Guided creation and editing of a concert: by what the house already knows, or by hand. It works without a server.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { heardEntry, keepHeard, keepOwn, newID, ownConcert } from "./own.js";
import { concertRow, heading, houseOnly, sentence, starButtons } from "./parts.js";
import { performerFields, performerNames, performersOf, soloistsText } from "./performers.js";
import { setlistSection } from "./setlists.js";
import { suggest } from "./suggesting.js";
import { offerVideos } from "./videos.js";
import { clockText, commentTrouble, labels, nameTrouble, today, workText } from "./words.js";

const searchAfter = 250; // ms after the last letter

const field = (name, words, traits = {}) => make("label", {}, words, make("input", { name, maxlength: "300",
  autocomplete: "off", ...traits }));

const lineOf = ({ composer, title }) => (composer ? `${composer}: ${title}` : title).trim();

/** A work as somebody types it: "Mahler: Symphony No. 1", "Mahler, Gustav: Symphony No. 1", or with a comma alone. */
function workOf(line) {
  const [, composer, title] = /^([^:,]{1,150}, *[^:,\d]{1,50}):\s*(.+)$/.exec(line)
    ?? /^([^:,]{1,200})[:,]\s*(.+)$/.exec(line) ?? [null, "", line];
  return { composer: composer.trim(), title: title.trim() };
}

/** The works on the lines of a text; a line that was not changed is still the known work. */
export function worksOf(text, known = []) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) =>
    known.find((work) => lineOf(work) === line) ?? workOf(line));
}

const mostWorks = 60;
const mostLinks = 10;

/** The addresses on the lines of a text, and what is wrong with them. */
function linksOf(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const addresses = lines.map((line) => (/^https?:\/\//i.test(line) && URL.canParse(line) ? new URL(line).href : null));
  const wrong = lines.find((line, index) => !addresses[index]);
  return { addresses: addresses.filter(Boolean), trouble: wrong
    ? `“${wrong.slice(0, 60)}” is not the address of a recording; write each on its own line, as https://….`
    : lines.length > mostLinks ? `${lines.length} links are too many; ${mostLinks} are possible.` : null };
}

const textOf = (works) => (works ?? []).map(lineOf).join("\n");

/** First the concerts that the house knows; the last button enters one by hand. */
export async function guidedPage(view) {
  const outside = make("div", {});
  const known = make("ul", { id: "known", "aria-label": "Concerts of the house", "aria-live": "polite" });
  const words = make("input", { name: "q", type: "search", maxlength: "120", autocomplete: "off" });
  const from = make("input", { name: "from", type: "date" });
  const to = make("input", { name: "to", type: "date" });
  let [timer, asked] = [null, 0];
  const look = async () => {
    const turn = asked += 1;
    const query = new URLSearchParams({ limit: "12" });
    for (const input of [words, from, to]) if (input.value) query.set(input.name, input.value);
    try {
      const { concerts } = await ask(`/api/diary/timeline?${query}`);
      if (view.isGone || turn !== asked) return;
      known.replaceChildren(...(concerts.length > 0 ? concerts.map(choice)
        : [make("li", { class: "faint", text: [words, from, to].some(({ value }) => value)
          ? "The house knows no such concert." : "The house has no concert yet. Enter yours by hand." })]));
    } catch {
      if (!view.isGone && turn === asked) {
        known.replaceChildren(make("li", { class: "faint",
          text: "Without the server no concerts are suggested. Enter it by hand; it is kept here." }));
      }
    }
  };
  const choice = (concert) => {
    const row = concertRow(concert);
    const link = row.querySelector("a");
    link.setAttribute("aria-label", `I was at ${concert.title}`);
    link.addEventListener("click", () => {
      keepHeard(heardEntry(concert));
      view.sync();
    });
    return row;
  };
  for (const input of [words, from, to]) {
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(look, searchAfter);
    });
  }
  view.show(heading("Where were you?"),
    make("div", { class: "fields" }, make("label", {}, "Work, person, hall or town", words),
      make("label", {}, "From", from), make("label", {}, "To", to)),
    make("p", { class: "row" },
      make("a", { id: "by-hand", class: "button primary", href: "#/new/by-hand", text: "Enter it by hand" }),
      make("a", { class: "button", href: "#/events/new", text: "A festival or tour" }),
      ...(view.isStaff ? [
        make("a", { class: "button", href: "#/ensembles/new", text: "An ensemble" }),
        make("a", { class: "button", href: "#/halls/new", text: "A hall" })] : [])), outside, known);
  look();
  const section = await setlistSection(view);
  if (section && !view.isGone) outside.replaceChildren(section);
}

/** True while a form holds what was typed and not kept yet. */
let isTyped = false;
addEventListener("beforeunload", (event) => isTyped && document.getElementById("entry") && event.preventDefault());

/** The form of a concert, for one of this device or one of the house. */
function form(concert, save, word, isOwn = true) {
  const works = make("textarea", { name: "works", rows: "4", value: textOf(concert.works),
    placeholder: "Mahler: Symphony No. 1" });
  const comment = make("textarea", { name: "comment", rows: "3", value: concert.comment ?? "" });
  const recordings = make("textarea", { name: "recordings", rows: "2", placeholder: "https://…",
    value: isOwn ? (concert.recordings ?? []).join("\n") : concert.recordings ?? "" });
  let rating = concert.rating ?? 0;
  const performers = performerFields(concert.performers ?? []);
  const element = make("form", { id: "entry", class: "fields" },
    field("date", "Date", { type: "date", required: true, value: concert.date ?? today() }),
    field("ensemble", "Ensemble", { value: concert.ensemble ?? "" }),
    make("label", { class: "across" }, "Works, one on each line", works),
    performers.element,
    field("venue", "Hall", { value: concert.venue ?? "" }),
    field("city", "Town", { value: concert.city ?? "" }),
    ...(isOwn ? [make("div", { class: "across" }, make("span", { class: "faint", text: "How was it?" }),
      starButtons(rating, (value) => {
        rating = value;
      }))] : []),
    make("label", { class: "across" }, "Comment", comment),
    make("details", { class: "across", open: !isOwn }, make("summary", { text: "More" }),
      make("div", { class: "fields" },
        field("title", "Concert or event", { value: concert.title ?? "" }),
        field("time", "Begins at", { type: "time", value: (concert.start ?? "").slice(11, 16) }),
        field("endTime", "Ends at", { type: "time", value: clockText(concert.end) }),
        field("stage", "Stage", { value: concert.stage ?? "" }),
        ...(isOwn ? [] : [field("country", "Country, two letters", { value: concert.country ?? "", maxlength: "2" })]),
        make("label", { class: "check" }, make("input", { type: "checkbox", name: "isSupportAct",
          checked: concert.isSupportAct }), make("span", { text: "They opened for somebody else" })),
        make("label", { class: "across" }, "Links of recordings, one on each line", recordings))),
    make("p", { id: "trouble", class: "across trouble", role: "alert", hidden: true }),
    make("button", { type: "submit", class: "primary across", text: word }));
  const say = (text) => {
    const line = element.querySelector("#trouble");
    line.hidden = text === "";
    line.textContent = text;
  };
  /** @type {Record<string, any>} */
  const fields = element.elements;
  isTyped = false;
  element.addEventListener("input", () => (isTyped = true));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = (name) => fields[name].value.trim();
    if (!value("date")) {
      say("Date is missing; choose the day of the concert.");
      fields.date.focus();
      return;
    }
    const found = { works: worksOf(works.value, concert.works ?? []), links: linksOf(recordings.value),
      performers: performers.read() };
    const named = [...["ensemble", "venue", "city", "title", "stage"].map((name) => [labels[name], value(name)]),
      ...found.works.flatMap(({ composer, title }) => [composer, title].map((name) => [labels.works, name])),
      ...found.performers.flatMap(performerNames)];
    const tooLong = named.map(([what, name]) => nameTrouble(what, name)).find(Boolean);
    const trouble = tooLong ?? commentTrouble(comment.value.trim()) ?? (found.works.length > mostWorks
      ? `${found.works.length} works are too many; ${mostWorks} are possible.` : null) ?? found.links.trouble;
    if (trouble) {
      say(trouble);
      return;
    }
    const start = value("time") ? `${value("date")}T${value("time")}` : null;
    isTyped = false;
    save({ ...(isOwn ? {} : { country: value("country").toUpperCase(), performers: found.performers }),
      end: endOf(concert, value("date"), value("time"), value("endTime")), title: value("title"),
      recordings: isOwn ? found.links.addresses : found.links.addresses.join("\n"),
      date: value("date"), start, ensemble: value("ensemble"), venue: value("venue"), city: value("city"),
      stage: value("stage"), works: found.works, rating, comment: comment.value.trim(),
      isSupportAct: fields.isSupportAct.checked }, say);
  });
  suggest(fields.ensemble, "ensembles");
  suggest(fields.venue, "halls");
  return element;
}

/** The end as "2026-11-23T22:00"; after midnight on the next day. What was not changed stays as it is. */
function endOf(concert, date, start, end) {
  if (!end) return "";
  if (date === concert.date && end === clockText(concert.end)) return concert.end;
  const day = new Date(`${date}T12:00:00Z`);
  if (start && end < start) day.setUTCDate(day.getUTCDate() + 1);
  return `${day.toISOString().slice(0, 10)}T${end}`;
}

/** Enters a concert; it is kept on this device at once. */
export function byHandPage(view) {
  const id = newID(); // pressed twice, it is still one concert
  const entry = form({}, (fields) => {
    const works = fields.works.map(workText);
    const kept = keepOwn({ id, ...fields, title: fields.title || fields.ensemble || works[0] || "A concert" });
    if (!kept) return;
    view.sync();
    location.hash = `#/concerts/${kept.id}`;
  }, "Keep it");
  view.show(heading("A concert"), entry,
    sentence("It is kept on this device, and sent to your account when you are signed in.", "faint"));
  offerVideos(view, entry);
}

const shown = (value) => {
  if (Array.isArray(value)) return value.map(workText).join("; ");
  if (!value?.conductors) return String(value ?? "–");
  return [...value.conductors, soloistsText(value.soloists)].filter(Boolean).join("; ") || "–";
};

const labelOf = (name) => labels[name] ?? (name.startsWith("performers/") ? "Who played" : name);

/** Shows the two versions of a field that two people wrote; the later one decides. */
function conflictPart(conflicts, decide) {
  return make("section", { id: "conflict", role: "alert" },
    make("h2", { text: "Somebody else has changed this entry meanwhile" }),
    make("table", {}, make("thead", {}, make("tr", {}, ...["Field", "Theirs", "Yours"].map((text) =>
      make("th", { text })))), make("tbody", {}, ...conflicts.map(({ field: name, theirs, yours }) => make("tr", {},
      make("th", { scope: "row", text: labelOf(name) }), make("td", { "data-of": "Theirs", text: shown(theirs) }),
      make("td", { "data-of": "Yours", text: shown(yours) }))))),
    make("div", { class: "row" },
      make("button", { type: "button", id: "use-mine", class: "primary", text: "Use mine",
        onclick: () => decide(true) }),
      make("button", { type: "button", id: "use-theirs", text: "Leave theirs", onclick: () => decide(false) })));
}

/** Asks whether works that were heard are really to be removed. */
function removalPart(sentence, remove) {
  const part = make("section", { id: "heard-works", role: "alert" }, make("p", { text: sentence }),
    make("div", { class: "row" },
      make("button", { type: "button", id: "remove-heard", text: "Remove", onclick: () => {
        part.remove();
        remove();
      } }),
      make("button", { type: "button", id: "keep-heard", class: "primary", text: "Go on editing",
        onclick: () => part.remove() })));
  return part;
}

/** The works of a concert of the house, each once, as the form has them. */
const worksHeard = (concert) => (concert.programme ?? []).filter(({ kind }) => kind === "work")
  .map(({ composer, title }) => ({ composer: composer ?? "", title }));

/** Edits a concert: of this device, or of the house, where others may edit it at the same time. */
export async function editPage(view, id) {
  const own = ownConcert(id);
  const back = `#/concerts/${encodeURIComponent(id)}`;
  if (own) {
    const entry = form(own, (fields) => {
      if (!keepOwn({ ...ownConcert(id), ...fields })) return;
      view.sync();
      location.hash = back;
    }, "Keep it");
    view.show(heading("Edit"), entry);
    await offerVideos(view, entry);
    return;
  }
  let concert;
  try {
    concert = await ask(`/api/diary/concerts/${encodeURIComponent(id)}`);
  } catch (refusal) {
    view.show(sentence(refusal.message));
    return;
  }
  if (view.isGone) return;
  if (!concert.mayEdit) {
    view.show(heading("Edit", concert.title), houseOnly(view.role));
    return;
  }
  const before = { title: concert.title ?? "", date: concert.date, start: concert.start ?? "",
    ensemble: concert.ensemble ?? "", venue: concert.venue ?? "", city: concert.city ?? "", stage: concert.stage ?? "",
    comment: concert.comment ?? "", isSupportAct: concert.isSupportAct ?? false, works: worksHeard(concert),
    end: concert.end ?? "", recordings: (concert.recordings ?? []).join("\n"),
    country: concert.country ?? "", performers: performersOf(concert) };
  const send = async (changes, say, removesHeard = false) => {
    if (Object.keys(changes).length === 0) {
      location.hash = back;
      return;
    }
    try {
      await ask(`/api/diary/concerts/${encodeURIComponent(id)}`, { method: "PUT", json: { changes, removesHeard } });
      location.hash = back;
    } catch (refusal) {
      document.getElementById("heard-works")?.remove();
      if (refusal.code === "heard-works") {
        document.getElementById("entry").before(
          removalPart(refusal.message, () => send(changes, say, true)));
        document.getElementById("keep-heard").focus();
        return;
      }
      if (refusal.code !== "conflict") {
        say(refusal.message);
        return;
      }
      const { conflicts } = refusal.value;
      document.getElementById("conflict")?.remove();
      document.getElementById("entry").before(conflictPart(conflicts, (isMine) => {
        const next = { ...changes };
        for (const { field: name, theirs } of conflicts) {
          if (isMine) next[name] = { from: theirs, to: changes[name].to };
          else delete next[name];
        }
        send(next, say);
      }));
      document.getElementById("use-mine").focus();
    }
  };
  const entry = form(before, (fields, say) => {
    const changes = {};
    fields.performers.forEach((to, index) => {
      const from = before.performers[index];
      if (JSON.stringify(to) !== JSON.stringify(from)) changes[`performers/${index}`] = { from, to };
    });
    for (const [name, from] of Object.entries(before)) {
      if (name === "performers") continue;
      const to = fields[name] ?? "";
      if (JSON.stringify(to) !== JSON.stringify(from)) changes[name] = { from, to };
    }
    send(changes, say);
  }, "Save", false);
  view.show(heading("Edit", concert.title), entry);
  await offerVideos(view, entry);
}
