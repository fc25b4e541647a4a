// The evening: what it is, begun and ended; and one line when it goes on after an interruption, or when it is over.
import { ask } from "/shared/api.js";
import { find, make, write } from "/shared/dom.js";
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
    const refused = await begin(words?.does === "anew" ? { kind, title, date, place, people } : null, desk);
    act.disabled = false;
    if (refused) desk.tell("notice", { kind: "refused", control: "evening", sentence: refused });
  });
  for (const section of ["show", "position", "programme"]) desk.on(section, paint);
}

/** The part of the programme's panel that begins and ends evenings. */
export function buildEvening(desk) {
  const about = make("p", { class: "evening-about" });
  const kind = make("select", {},
    ...Object.entries(kinds).map(([value, word]) => make("option", { value, text: word })));
  const title = make("input", { maxlength: 100, autocomplete: "off" });
  const date = make("input", { type: "date" });
  const place = make("input", { maxlength: 100, autocomplete: "off" });
  const people = make("textarea", { rows: 3, placeholder: "Anna Berg, conductor" });
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
    make("p", { class: "hint",
      text: "If something was played in the present evening, it ends: its log, recording and report are closed." }),
    make("label", {}, "What it is", kind), make("label", {}, "Title", title), make("label", {}, "Date", date),
    make("label", {}, "Place", place), make("label", {}, "Programme", pieces),
    make("label", {}, "People, each on a line", people),
    make("div", { class: "row" }, make("button", { type: "submit", class: "primary" }, "Begin it"),
      make("button", { type: "button", onclick: () => open(null) }, "Cancel")));
  const question = make("div", { class: "stack", hidden: true },
    make("p", { class: "hint", text: "End this evening? Its log, recording and report are closed, and the diary "
      + "has it. The console comes back by itself." }),
    make("div", { class: "row" },
      make("button", { type: "button", class: "danger", onclick: () => send(null) }, "End it now"),
      make("button", { type: "button", onclick: () => open(null) }, "Go on")));
  const doors = make("div", { class: "row" },
    make("button", { type: "button", onclick: () => open(form) }, "New evening"),
    make("button", { type: "button", onclick: () => open(question) }, "End the evening"));
  const element = make("section", { class: "stack", "aria-label": "The evening" }, about, doors, form, question, say);
  let earlier = [];

  function open(part) {
    say.textContent = "";
    doors.hidden = part !== null;
    form.hidden = part !== form;
    question.hidden = part !== question;
    if (part === form) fill();
    part?.querySelector("select, button").focus({ preventScroll: true });
  }

  async function fill() {
    const now = new Date(wallClock());
    title.value = "";
    date.value = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    place.value = desk.get("show")?.place ?? "";
    people.value = offered = desk.get("show")?.people ?? "";
    const fixed = [["now", "As it is now"], ["none", "Empty"]];
    pieces.replaceChildren(...fixed.map(([value, text]) => make("option", { value, text })));
    try {
      const { evenings } = await ask("/api/evenings", { patience: 15_000 });
      earlier = evenings.filter((each) => each.pieces.length > 0);
      // Added to what is there: a list that somebody has opened stays open, and keeps its choice.
      pieces.append(...earlier.map((each, index) => make("option", { value: index,
        text: `${each.name}, ${each.started.slice(0, 10)} (${each.pieces.length} pieces)` })));
    } catch (refusal) {
      say.textContent = refusal.message;
    }
  }

  async function send(fields) {
    say.textContent = "";
    const refused = await begin(fields, desk);
    if (refused) say.textContent = refused;
    else open(null);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = pieces.value === "none" ? { pieces: [], intermissions: [] } : earlier[Number(pieces.value)];
    send({ kind: kind.value, title: title.value.trim(), date: date.value, place: place.value.trim(),
      people: people.value,
      ...(chosen ? { pieces: chosen.pieces, intermissions: chosen.intermissions } : {}) });
  });
  desk.on("show", (show) => write(about,
    [kinds[show.kind] ?? show.kind, show.title, show.date, show.place,
    (show.people ?? "").replaceAll("\n", "; ")].filter(Boolean).join(" · ")));
  return element;
}
