// An evening from setlist.fm, for the own diary or for that of the house.
import { make } from "/shared/dom.js";
import { keepOwn, newID } from "./own.js";
import { offered, question, sourceSection } from "./outside.js";
import { suggest } from "./suggesting.js";
import { counted, dayText, placeText, today, workText } from "./words.js";

const staff = new Set(["technician", "editor", "administrator"]);

/** The section that finds a setlist; null if no source is configured or nobody is signed in. */
export async function setlistSection(view) {
  const [source] = (await offered()).setlists;
  if (!source) return null;
  const ensemble = make("input", { name: "setlist-ensemble", required: true, maxlength: "200", autocomplete: "off" });
  const date = make("input", { name: "setlist-date", type: "date", required: true, max: today() });
  const own = (found) => make("button", { type: "button", text: "I was there", onclick: () => {
    const kept = keepOwn({ id: newID(), title: found.tour || found.ensemble, date: found.date, venue: found.venue,
      city: found.city, ensemble: found.ensemble, works: found.works.slice(0, 60), link: found.link });
    view.sync();
    location.hash = `#/concerts/${kept.id}`;
  } });
  const house = (found) => make("button", { type: "button", class: "primary", text: "Import for the house",
    onclick: async () => {
      try {
        const { id } = await question(`setlists/${encodeURIComponent(found.id)}`, {});
        location.hash = `#/concerts/${encodeURIComponent(id)}`;
      } catch (refusal) {
        view.say(refusal.message);
      }
    } });
  const label = make("label", {}, "Who played", ensemble);
  suggest(ensemble, "ensembles");
  return sourceSection({ source, kind: "setlists", word: `Find on ${source}`,
    fields: [label, make("label", {}, "On which day", date)],
    wanted: () => ({ ensemble: ensemble.value.trim(), date: date.value }),
    actions: (found) => [
      make("p", { class: "across", text: [dayText(found.date), placeText(found), found.tour,
        counted(found.works.length, "song")].filter(Boolean).join(" · ") }),
      make("p", { class: "faint across", text: found.works.map(workText).slice(0, 8).join("; ") }),
      own(found), ...(staff.has(view.person?.role) ? [house(found)] : [])] });
}
