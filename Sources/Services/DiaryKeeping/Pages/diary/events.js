// Festivals and other events of several ensembles: who played when on which stage.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { heading, sentence } from "./parts.js";
import { clockText, counted, dayText, placeText } from "./words.js";

export async function eventsPage(view) {
  try {
    const { events } = await ask("/api/diary/events");
    if (view.isGone) return;
    view.show(heading("Events", counted(events.length, "event")), events.length === 0
      ? sentence("No festival or other event is in the diary yet. Administrators enter them by the API.")
      : make("ul", { id: "events" }, ...events.map((event) => make("li", {},
        make("a", { href: `#/events/${encodeURIComponent(event.id)}` },
          make("span", { class: "title", text: event.description }),
          make("span", { class: "faint", text: [dayText(event.startDate.slice(0, 10)), placeText(event)]
            .filter(Boolean).join(" · ") }))))));
  } catch (refusal) {
    view.show(sentence(refusal.message));
  }
}

export async function eventPage(view, id) {
  let event;
  try {
    event = await ask(`/api/diary/events/${encodeURIComponent(id)}`);
  } catch (refusal) {
    view.show(sentence(refusal.message));
    return;
  }
  if (view.isGone) return;
  const days = Object.entries(event.performances ?? {}).sort(([one], [other]) => one.localeCompare(other));
  view.show(heading(event.description,
    [dayText(event.startDate.slice(0, 10)), dayText(event.endDate.slice(0, 10))].join(" to "), placeText(event)),
  ...days.map(([day, stages]) => make("section", { class: "month", "aria-label": dayText(day.slice(0, 10)) },
    make("h2", { text: dayText(day.slice(0, 10)) }), ...Object.entries(stages).map(([stage, performances]) =>
      make("div", {}, make("h3", { text: stage }), make("ul", {}, ...performances.map((each) => make("li", {
        text: `${clockText(each.startTime)}–${clockText(each.endTime)} ${event.names?.[each.bandId] ?? each.bandId}`,
      }))))))));
}
