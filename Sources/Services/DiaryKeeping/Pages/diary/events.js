// Festivals, tours and other events of several concerts: who played when on which stage.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { waitingWord } from "/shared/savedwords.js";
import { discard, pending, pendingOf } from "./outbox.js";
import { forgetHeard, forgetOwn, heardEntry, heardID, keepHeard, keepOwn, mine, ownConcert, wasThere } from "./own.js";
import { byMonth, concertRow, heading, sentence } from "./parts.js";
import { clockText, counted, dayText, placeText } from "./words.js";

const eventRow = (href, name, facts, badge = null) => make("li", {}, make("a", { href },
  make("span", { class: "title", text: name }), make("span", { class: "faint", text: facts }),
  badge ? make("span", { class: "badge waits", text: badge }) : null));

/** The events of what this device keeps: a name and its concerts. */
function ownEvents() {
  const all = new Map();
  for (const concert of mine()) if (concert.event) all.set(concert.event, [...(all.get(concert.event) ?? []), concert]);
  return [...all];
}

export async function eventsPage(view) {
  let [events, trouble] = [[], null];
  try {
    ({ events } = await ask("/api/diary/events"));
  } catch (refusal) {
    trouble = refusal.message;
  }
  if (view.isGone) return;
  const waiting = pending().filter(({ path }) => path.startsWith("/api/diary/events/"));
  const isWaiting = new Set(waiting.map(({ id }) => id));
  const rows = [
    ...waiting.map((call) => eventRow(`#/events/${encodeURIComponent(call.id)}`, call.body.description,
      counted(call.body.concerts.length, "concert"), waitingWord(call))),
    ...ownEvents().map(([name, concerts]) => eventRow(`#/events/mine/${encodeURIComponent(name)}`, name,
      `My own · ${counted(concerts.length, "concert")}`)),
    ...events.filter(({ id }) => !isWaiting.has(id)).map((event) => eventRow(`#/events/${encodeURIComponent(event.id)}`,
      event.description, [dayText(event.startDate.slice(0, 10)), placeText(event)].filter(Boolean).join(" · "))),
  ];
  view.show(...[heading("Events"),
    make("p", { class: "row" }, make("a", { id: "new-event", class: "button primary", href: "#/events/new",
      text: "Add a festival or tour" })),
    trouble ? sentence(trouble, "faint") : null,
    rows.length === 0 && !trouble ? sentence("No festival or tour is in the diary yet.") : null,
    make("ul", { id: "events" }, ...rows)].filter(Boolean));
}

/** The concerts of an event of this device. */
export function ownEventPage(view, name) {
  const concerts = mine().filter(({ event }) => event === name);
  view.show(heading(name, counted(concerts.length, "concert")),
    make("div", {}, ...byMonth([...concerts].reverse()).sections));
}

const daysText = ({ startDate, endDate }) => [...new Set([startDate, endDate].map((day) => dayText(day.slice(0, 10))))]
  .join(" to ");

/** The performance of an ensemble at an event as a concert of one's own; it begins on the day of its own clock. */
function gig(event, day, stage, slot) {
  const ensemble = event.names?.[slot.bandId] ?? slot.bandId;
  const place = `${event.id}/${day}/${stage}/${slot.bandId}/${slot.startTime ?? ""}`;
  return { id: heardID(place), title: ensemble, ensemble, date: (slot.startTime ?? day).slice(0, 10),
    start: clockText(slot.startTime) ? slot.startTime.slice(0, 16) : null,
    end: clockText(slot.endTime) ? slot.endTime.slice(0, 16) : "", stage, venue: event.venue ?? "",
    city: event.city ?? "", event: event.description, works: [] };
}

/** The button that keeps or forgets a concert of the event as one's own. */
function tick(view, name, { isKept, keep, forget }) {
  const button = make("button", { type: "button", class: "tick", "aria-label": `I was there: ${name}`,
    onclick: () => {
      if (isKept()) forget();
      else keep();
      show();
      view.sync();
    } });
  const show = () => {
    button.setAttribute("aria-pressed", String(isKept()));
    button.textContent = isKept() ? "✓ I was there" : "I was there";
  };
  show();
  return button;
}

/** A row for an ensemble of an event whose concerts are not in the diary. */
function slotRow(view, event, day, stage, slot) {
  const own = gig(event, day, stage, slot);
  return make("li", { class: "ticked" }, make("span", { text: [[clockText(slot.startTime), clockText(slot.endTime)]
    .filter(Boolean).join("–"), own.ensemble].filter(Boolean).join(" ") }),
  tick(view, own.ensemble, { isKept: () => Boolean(ownConcert(own.id)), keep: () => keepOwn(own),
    forget: () => forgetOwn(own.id) }));
}

/** A row for a concert of an event that stands in the diary. */
function eventConcertRow(view, event, concert) {
  const row = concertRow({ ...concert, title: concert.ensemble });
  if (!concert.id || event.isWaiting) return row;
  row.classList.add("ticked");
  row.append(tick(view, concert.ensemble, { isKept: () => Boolean(wasThere(concert.id)),
    keep: () => keepHeard(heardEntry({ ...concert, event: event.description })),
    forget: () => forgetHeard(concert.id) }));
  return row;
}

function daySections(view, event) {
  const days = new Map();
  for (const concert of event.concerts ?? []) {
    days.set(concert.date, [...(days.get(concert.date) ?? []), concert]);
  }
  if (days.size === 0) {
    return Object.entries(event.performances ?? {}).sort(([one], [other]) => one.localeCompare(other))
      .map(([day, stages]) => make("section", { class: "month", "aria-label": dayText(day.slice(0, 10)) },
        make("h2", { text: dayText(day.slice(0, 10)) }), ...Object.entries(stages).map(([stage, slots]) =>
          make("div", {}, stage ? make("h3", { text: stage }) : null,
            make("ul", {}, ...slots.map((slot) => slotRow(view, event, day, stage, slot)))))));
  }
  return [...days].sort(([one], [other]) => one.localeCompare(other)).map(([day, concerts]) => {
    const stages = [...new Set(concerts.map(({ stage }) => stage ?? ""))];
    return make("section", { class: "month", "aria-label": dayText(day) }, make("h2", { text: dayText(day) }),
      ...stages.map((stage) => make("div", {}, stage ? make("h3", { text: stage }) : null,
        make("ul", {}, ...concerts.filter((each) => (each.stage ?? "") === stage).map((each) =>
          eventConcertRow(view, event, each))))));
  });
}

function waitingPage(view, call) {
  const { body } = call;
  view.show(...[heading(body.description, daysText(body), placeText(body)),
    make("p", { id: "waiting" },
      make("span", { class: "badge waits", text: waitingWord(call) }),
      call.trouble ? ` ${call.trouble}` : " It is safe on this device."),
    ...daySections(view, { ...body, isWaiting: true,
      concerts: body.concerts.map((each, index) => ({ ...each, id: each.id ?? `new-${index}` })) }),
    make("p", { class: "row" },
      make("a", { class: "button", href: `#/events/${encodeURIComponent(call.id)}/edit`, text: "Edit" }),
      make("button", { type: "button", class: "danger", text: "Discard", onclick: () => {
        discard(call.id);
        location.hash = "#/events";
      } }))].filter(Boolean));
  for (const link of document.querySelectorAll("main .concert a")) link.removeAttribute("href");
}

export async function eventPage(view, id) {
  const call = pendingOf(id);
  if (call) {
    waitingPage(view, call);
    return;
  }
  let event;
  try {
    event = await ask(`/api/diary/events/${encodeURIComponent(id)}`);
  } catch (refusal) {
    view.show(sentence(refusal.message));
    return;
  }
  if (view.isGone) return;
  const remove = async () => {
    if (!confirm(`Remove “${event.description}”? Its concerts stay in the diary.`)) return;
    try {
      await ask(`/api/diary/events/${encodeURIComponent(id)}`, { method: "DELETE" });
      location.hash = "#/events";
    } catch (refusal) {
      view.say(refusal.message);
    }
  };
  view.show(...[heading(event.description, daysText(event), placeText(event)),
    event.mayEdit ? make("p", { class: "row" },
      make("a", { class: "button", href: `#/events/${encodeURIComponent(id)}/edit`, text: "Edit" }),
      view.role === "administrator" ? make("button", { type: "button", class: "danger", text: "Remove",
        onclick: remove }) : null) : null,
    ...daySections(view, event)].filter(Boolean));
}
