// A festival or a tour, entered in one go: who plays when and where. It is kept on this device first.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { keepOwn, newID } from "./own.js";
import { pendingOf, post } from "./outbox.js";
import { heading, sentence } from "./parts.js";
import { suggest } from "./suggesting.js";
import { clockText, today } from "./words.js";

const field = (name, words, traits = {}) => make("label", {}, words, make("input", { name, maxlength: "200",
  autocomplete: "off", ...traits }));

/** The rows' fields: a festival has one place and many ensembles, a tour one ensemble and many places. */
const rowFields = {
  festival: [["ensemble", "Who plays"], ["stage", "Stage"]],
  tour: [["venue", "Hall"], ["city", "Town"]],
};

function row(kind, values, remove) {
  const element = make("li", { class: "fields event-row" },
    field("date", "Day", { type: "date", required: true, value: values.date ?? today() }),
    field("time", "Begins at", { type: "time", value: values.time ?? "" }),
    ...rowFields[kind].map(([name, words]) => field(name, words, { value: values[name] ?? "",
      required: name === "ensemble" })),
    make("button", { type: "button", class: "plain across", text: "Take this concert away", onclick: () => {
      element.remove();
      remove();
    } }));
  // The device makes the id, so that a call that is repeated adds nothing.
  element.dataset.id = values.id ?? `concert-${newID().slice(4)}`;
  for (const name of ["ensemble", "venue"]) {
    const input = element.querySelector(`[name=${name}]`);
    if (input) suggest(input, name === "venue" ? "halls" : "ensembles");
  }
  return element;
}

const valuesOf = (element) => Object.fromEntries([...element.querySelectorAll("input")].map((input) =>
  [input.name, input.value.trim()]).concat([["id", element.dataset.id]]));

/** Reads the form as {description, ensemble, venue, city, concerts}. */
function read(form, rows, kind) {
  const value = (name) => form.elements[name]?.value.trim() ?? "";
  const shared = { ensemble: value("all-ensemble"), venue: value("all-venue"), city: value("all-city") };
  const concerts = [...rows.children].map(valuesOf).map((each) => ({ ...(each.id ? { id: each.id } : {}),
    date: each.date, ...(each.time ? { start: `${each.date}T${each.time}` } : {}),
    ensemble: kind === "tour" ? shared.ensemble : each.ensemble, stage: each.stage ?? "",
    venue: kind === "tour" ? each.venue : shared.venue, city: kind === "tour" ? each.city : shared.city }));
  return { description: value("description"), ...shared, concerts };
}

function troubleOf({ description, concerts }) {
  if (!description) return "The name is missing; write what it is called.";
  if (concerts.length === 0) return "There is no concert yet; add one.";
  if (concerts.some(({ date }) => !date)) return "A day is missing; choose it.";
  if (concerts.some(({ ensemble }) => !ensemble)) return "It is not said who plays; write it.";
  return null;
}

/** The form; `save(event)` gets what was entered. */
function eventForm(event, word, save) {
  let { kind } = event;
  const rows = make("ol", { id: "event-rows" });
  const shared = make("div", { class: "fields across" });
  const trouble = make("p", { class: "trouble", role: "alert", hidden: true });
  const add = (values) => rows.append(row(kind, values, () => {}));
  const next = () => {
    const last = rows.lastElementChild ? valuesOf(rows.lastElementChild) : {};
    add({ date: last.date, stage: last.stage, city: kind === "tour" ? "" : last.city });
    rows.lastElementChild.querySelector(kind === "tour" ? "[name=date]" : "[name=ensemble]").focus();
  };
  const fill = (values) => {
    shared.replaceChildren(...(kind === "tour"
      ? [field("all-ensemble", "Who plays", { required: true, value: event.ensemble ?? "" })]
      : [field("all-venue", "Hall or ground", { value: event.venue ?? "" }),
        field("all-city", "Town", { value: event.city ?? "" })]));
    const input = shared.querySelector("[name=all-ensemble],[name=all-venue]");
    suggest(input, kind === "tour" ? "ensembles" : "halls");
    rows.replaceChildren();
    for (const each of values.length > 0 ? values : [{}]) add(each);
  };
  const kinds = make("div", { class: "row across", role: "radiogroup", "aria-label": "Kind" },
    ...[["festival", "Festival: one place"], ["tour", "Tour: one ensemble"]].map(([value, text]) =>
      make("label", { class: "choice" }, make("input", { type: "radio", name: "kind", value,
        checked: value === kind, onchange: () => {
          const now = [...rows.children].map(valuesOf);
          kind = value;
          fill(now);
        } }), text)));
  const form = make("form", { id: "event", class: "fields" },
    make("label", { class: "across" }, "Name", make("input", { name: "description", required: true, maxlength: "200",
      autocomplete: "off", value: event.description ?? "" })), kinds, shared,
    make("h2", { class: "across", text: "Concerts" }), rows,
    make("button", { type: "button", id: "another", class: "across", text: "Another concert", onclick: next }), trouble,
    make("button", { type: "submit", class: "primary across", text: word }));
  form.addEventListener("submit", (submitted) => {
    submitted.preventDefault();
    const entered = read(form, rows, kind);
    const wrong = troubleOf(entered);
    trouble.hidden = !wrong;
    trouble.textContent = wrong ?? "";
    if (!wrong) save(entered);
  });
  fill(event.concerts ?? []);
  return form;
}

/** The call that writes an event of the house. */
function call(id, entered, revision) {
  const days = entered.concerts.map(({ date }) => date).sort();
  const { description, venue, city, concerts } = entered;
  return { id, what: description, method: "PUT", path: `/api/diary/events/${encodeURIComponent(id)}`,
    body: { revision, description, startDate: days[0], endDate: days.at(-1), venue, city, concerts } };
}

/** Enters an event: for the house by those who run it, else for oneself. */
export function newEventPage(view) {
  const ids = [newID()]; // pressed twice, it is still one event
  view.show(heading("A festival or tour"), eventForm({ kind: "festival" }, "Keep it", (entered) => {
    if (view.isStaff) {
      const id = `event-${ids[0].slice(4)}`;
      if (!post(call(id, entered, ""))) return;
      view.sync();
      location.hash = `#/events/${id}`;
      return;
    }
    for (const [index, concert] of entered.concerts.entries()) {
      ids[index] ??= newID();
      if (!keepOwn({ id: ids[index], title: entered.description, event: entered.description, date: concert.date,
        start: concert.start ?? null, ensemble: concert.ensemble, venue: concert.venue, city: concert.city,
        stage: concert.stage })) return;
    }
    view.sync();
    location.hash = `#/events/mine/${encodeURIComponent(entered.description)}`;
  }), sentence(view.isStaff ? "It is kept on this device first, and everybody sees it once it is sent."
    : "It is kept on this device, and sent to your account when you are signed in.", "faint"));
}

/** The event as the form has it. A tour is an event whose concerts have one ensemble and several places. */
function formValues(event) {
  const concerts = (event.concerts ?? []).map((each) => ({ id: each.id, date: each.date, time: clockText(each.start),
    ensemble: each.ensemble, stage: each.stage ?? "", venue: each.venue ?? "", city: each.city ?? "" }));
  const ensembles = new Set(concerts.map(({ ensemble }) => ensemble));
  const places = new Set(concerts.map(({ venue, city }) => `${venue}|${city}`));
  const kind = ensembles.size === 1 && places.size > 1 ? "tour" : "festival";
  return { kind, description: event.description, venue: event.venue ?? "", city: event.city ?? "",
    ensemble: concerts[0]?.ensemble ?? "", concerts };
}

/** The rows of an event that was entered by the API: who plays when, without entries of their own. */
function slotsOf(event) {
  return Object.entries(event.performances ?? {}).flatMap(([day, stages]) => Object.entries(stages)
    .flatMap(([stage, slots]) => slots.map((slot) => ({ date: day.slice(0, 10), start: slot.startTime, stage,
      ensemble: event.names?.[slot.bandId] ?? slot.bandId, venue: event.venue, city: event.city }))));
}

/** Edits an event of the house; one that waits on this device is edited there. */
export async function editEventPage(view, id) {
  const waiting = pendingOf(id);
  let event = waiting?.body;
  if (!event) {
    try {
      event = await ask(`/api/diary/events/${encodeURIComponent(id)}`);
    } catch (refusal) {
      view.show(sentence(refusal.message));
      return;
    }
    if (view.isGone) return;
    if (event.concerts.length === 0) event.concerts = slotsOf(event);
  }
  view.show(heading("Edit", event.description), eventForm(formValues(event), "Save", (entered) => {
    if (!post(call(id, entered, event.revision ?? ""))) return;
    view.sync();
    location.hash = `#/events/${encodeURIComponent(id)}`;
  }));
}
