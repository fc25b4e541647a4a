// The evening: what it is, begun and ended; and one line when it goes on after an interruption, or when it is over.
import { ask } from "/shared/api.js";
import { find, make, write } from "/shared/dom.js";
import { newID } from "/shared/ids.js";
import { isTakenTwice } from "/shared/oneact.js";
import { goToSignIn } from "/shared/signin.js";
import { wallClock } from "/shared/wallclock.js";
import { leads } from "./leading.js";

const kinds = { concert: "Concert", rehearsal: "Rehearsal", "try-out": "Try-out" };

/** The evening's name, in which a rehearsal and a try-out say what they are; as the server writes it. */
export function eveningName({ kind = "concert", title = "" } = {}) {
  const word = kinds[kind] ?? kind;
  return kind === "concert" || title.toLowerCase().includes(word.toLowerCase()) ? title : `${word}: ${title}`;
}

/**
 * What the line says, and which button acts: { text, does, act, stays }; null where nothing is to be said.
 * @param {{ show: import("/shared/exchanged").Show, position: import("/shared/exchanged").Position,
 *   programme: { pieces?: any[], empty?: boolean } }} now
 */
export function eveningWords({ show, position, programme }) {
  if (!show || !position || !leads(show)) return null;
  if (show.goesOn) {
    const bar = position.measure === null ? "" : `, bar ${position.measure}`;
    const piece = programme?.empty ? "" : `, ${position.pieceName}${bar}`;
    return { text: `Goes on: ${show.kind}${piece}. Begin anew?`, does: "anew", act: "Begin anew",
      stays: "Go on" };
  }
  const isLast = position.mode === "finished" && position.piece === (programme?.pieces?.length ?? 0) - 1;
  if (show.evening !== "over" && !(show.rehearsal && isLast)) return null;
  return { text: "The last piece is over. End the evening?", does: "end", act: "End the evening", stays: "Not yet" };
}

/** Begins an evening, or ends the present one without `fields`; the server's sentence if it refuses, otherwise "". */
async function begin(fields, desk) {
  if (isTakenTwice("evening")) return "";
  try {
    await ask(fields ? "/api/evenings" : "/api/evenings/end",
      { method: "POST", patience: 60_000, ...(fields ? { json: fields } : {}) });
    desk.tell("notice", { kind: "info", sentence: fields ? "The evening begins." : "The evening is over." });
    return "";
  } catch (refusal) {
    if (refusal.status === 401) goToSignIn();
    return refusal.message;
  }
}

/** The line above the show. */
export function showEvening({ desk }) {
  const [root, text, act, stays] = ["evening", "evening-text", "evening-act", "evening-stays"].map(find);
  let words = null;
  let left = null; // what the line said when it was sent away
  const paint = () => {
    words = eveningWords({ show: desk.get("show"), position: desk.get("position"), programme: desk.get("programme") });
    if (words?.does !== left) left = null;
    root.hidden = words === null || left !== null;
    if (root.hidden) return;
    write(text, words.text);
    write(act, words.act);
    write(stays, words.stays);
  };
  stays.addEventListener("click", () => {
    left = words?.does ?? null;
    paint();
  });
  act.addEventListener("click", async () => {
    const { kind, title, date, place, people } = desk.get("show");
    act.disabled = true;
    const refused = await begin(words?.does === "anew"
      ? { kind, title, date, place, people, encores: desk.get("programme")?.encores ?? 0 } : null, desk);
    act.disabled = false;
    if (refused) desk.tell("notice", { kind: "refused", control: "evening", sentence: refused });
  });
  for (const section of ["show", "position", "programme"]) desk.on(section, paint);
}

/** The fields of an evening: their labels, what is written in them, and a way to fill them. */
export function eveningFields() {
  const inputs = {
    kind: make("select", {}, ...Object.entries(kinds).map(([value, word]) => make("option", { value, text: word }))),
    title: make("input", { maxlength: 100, autocomplete: "off" }),
    date: make("input", { type: "date" }),
    place: make("input", { maxlength: 100, autocomplete: "off" }),
    people: make("textarea", { rows: 3, placeholder: "Anna Berg, conductor" }),
  };
  const words = { kind: "What it is", title: "Title", date: "Date", place: "Place", people: "People, each on a line" };
  return {
    inputs,
    labels: Object.entries(inputs).map(([name, input]) => make("label", {}, words[name], input)),
    read: () => Object.fromEntries(Object.entries(inputs).map(([name, input]) =>
      [name, name === "people" ? input.value : input.value.trim()])),
    fill: (values) => {
      for (const [name, input] of Object.entries(inputs)) {
        input.value = values[name] ?? (name === "kind" ? "concert" : "");
      }
    },
  };
}

/** What is said of an evening in one line. */
const aboutEvening = ({ kind, title, date, place, people = "" }) =>
  [kinds[kind] ?? kind, title, date, place, people.replaceAll("\n", "; ")].filter(Boolean).join(" · ");

/** The part of the programme's panel that begins, plans and ends evenings; `change` opens a plan in the editor. */
export function buildEvening(desk, change) {
  const about = make("p", { class: "evening-about" });
  const fields = eveningFields();
  const { people } = fields.inputs;
  const pieces = make("select", {});
  let offered = ""; // the people that are offered, until somebody writes others
  const offer = (names) => {
    if (people.value === offered) people.value = names;
    offered = names;
  };
  pieces.addEventListener("change", () => offer(earlier[Number(pieces.value)]?.people
    ?? desk.get("show")?.people ?? ""));
  const say = make("p", { class: "say", role: "alert" });
  const form = make("form", { class: "stack", hidden: true, novalidate: true },
    ...fields.labels, make("label", {}, "Programme", pieces),
    make("p", { class: "hint", text: "Begun now, it ends the present evening if something was played in that: its log, "
      + "recording and report are closed. Planned, it waits in the list; the next one begins when an evening ends." }),
    make("div", { class: "row" }, make("button", { type: "submit", class: "primary" }, "Begin it"),
      make("button", { type: "button", onclick: () => plan() }, "Plan it"),
      make("button", { type: "button", onclick: () => open(null) }, "Cancel")));
  const asked = make("p", { class: "hint" });
  const agree = make("button", { type: "button", class: "danger" });
  const question = make("div", { class: "stack", hidden: true }, asked,
    make("div", { class: "row" }, agree, make("button", { type: "button", onclick: () => open(null) }, "Go on")));
  const doors = make("div", { class: "row" },
    make("button", { type: "button", onclick: () => open(form) }, "New evening"),
    make("button", { type: "button", onclick: () => pose("End this evening? Its log, recording and report are closed, "
      + "and the diary has it. The console comes back by itself.", "End it now", () => send(null)) },
    "End the evening"));
  const planned = make("ul", { class: "planned", "aria-label": "Planned evenings" });
  const element = make("section", { class: "stack", "aria-label": "The evening" },
    about, doors, planned, form, question, say);
  let earlier = [];

  function open(part) {
    say.textContent = "";
    doors.hidden = planned.hidden = part !== null;
    form.hidden = part !== form;
    question.hidden = part !== question;
    if (part === form) fill();
    part?.querySelector("select, button").focus({ preventScroll: true });
  }

  function pose(text, verb, run) {
    asked.textContent = text;
    agree.textContent = verb;
    agree.onclick = run;
    open(question);
  }

  async function fill() {
    const now = new Date(wallClock());
    const { place, people: names = "" } = desk.get("show") ?? {};
    fields.fill({ date: new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10), place,
      people: names });
    offered = names;
    const fixed = [["now", "As it is now"], ["none", "Empty"]];
    pieces.replaceChildren(...fixed.map(([value, text]) => make("option", { value, text })));
    // Added to what is there: a list that somebody has opened stays open, and keeps its choice.
    pieces.append(...(await list()).map((each, index) => make("option", { value: index,
      text: `${each.name}, ${each.started.slice(0, 10)} (${each.pieces.length} pieces)` })));
  }

  /** Asks for the evenings and shows those that are planned; gives the earlier ones with a programme. */
  async function list() {
    try {
      const { evenings, planned: plans } = await ask("/api/evenings", { patience: 15_000 });
      earlier = evenings.filter((each) => each.pieces.length > 0);
      planned.replaceChildren(...plans.map(planRow));
    } catch (refusal) {
      // Whoever may not begin an evening sees no list.
      if (refusal.status !== 403) say.textContent = refusal.message;
    }
    return earlier;
  }

  const planRow = (each) => make("li", { class: "row" }, make("span", { text: aboutEvening(each) }),
    make("button", { type: "button", onclick: () => pose(`Begin “${each.title}”? If something was played in the `
      + "present evening, that ends: its log, recording and report are closed.", "Begin it now",
    () => send({ plan: each.id })) }, "Begin"),
    make("button", { type: "button", onclick: () => change(each) }, "Change"),
    make("button", { type: "button", "aria-label": `Drop ${each.title}`, onclick: () => pose(`Drop the plan of `
      + `“${each.title}”?`, "Drop it", () => save(each.id, { method: "DELETE" })) }, "Drop"));

  async function send(values) {
    say.textContent = "";
    const refused = await begin(values, desk);
    if (refused) say.textContent = refused;
    else open(null);
    list();
  }

  async function save(id, way) {
    try {
      await ask(`/api/evenings/planned/${id}`, { patience: 15_000, ...way });
      open(null);
    } catch (refusal) {
      say.textContent = refusal.message;
    }
    list();
  }

  const written = () => {
    const chosen = pieces.value === "none" ? { pieces: [], intermissions: [] } : earlier[Number(pieces.value)];
    return { ...fields.read(), ...(chosen ? { pieces: chosen.pieces, intermissions: chosen.intermissions }
      : { encores: desk.get("programme")?.encores ?? 0 }) };
  };
  const plan = () => isTakenTwice("plan") || save(newID(), { method: "PUT", json: written() });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(written());
  });
  desk.on("show", (show) => write(about, aboutEvening(show)));
  return { element, opened: list };
}
