// The film that follows the music: where it is, how it is on each screen, and by how much each shows it earlier.
import { ask } from "/shared/api.js";
import { make, mark, write } from "/shared/dom.js";
import { filmTrouble } from "/shared/screenpicture.js";

const step = 20; // ms

const clockWords = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/**
 * The state in a sentence.
 * @param {import("/shared/exchanged").Film} now
 */
export function filmWords({ count, hasFilm, state, seconds, speed, distanceMs, trouble }) {
  const place = !hasFilm ? (count > 0 ? "This piece has no film." : "")
    : state === "waiting" ? "The film waits for the music."
      : state === "holding" ? `The film holds at ${clockWords(seconds)}.`
        : `The film is at ${clockWords(seconds)} · speed ${speed.toFixed(2)} · `
          + (state === "free" || distanceMs === null ? "runs on without the music."
            : Math.abs(distanceMs) < 20 ? "with the music."
              : `${Math.abs(distanceMs)} ms ${distanceMs > 0 ? "behind" : "ahead of"} the music.`);
  return [place, trouble].filter(Boolean).join(" ");
}

/** How the film is on one screen. */
export function screenFilmWords({ state, distanceMs }) {
  if (filmTrouble[state]) return filmTrouble[state];
  if (state === "ready") return "The film is loaded.";
  const away = distanceMs !== null && Math.abs(distanceMs) >= step ? `, ${Math.abs(distanceMs)} ms `
    + (distanceMs > 0 ? "late" : "early") : "";
  return state === "holding" ? "Holds its frame." : `Plays${away}.`;
}

/**
 * A section for the outputs; hidden while no piece of tonight has a film.
 * @param {import("./desk.js").Desk} desk
 */
export function filmSection(desk) {
  const state = make("p", { "data-film": true });
  const say = make("p", { class: "say", role: "status" });
  const list = make("ul", { class: "screen-list" });
  const element = make("section", { class: "stack", hidden: true }, make("h3", { text: "Film" }), state, list, say);
  const rows = new Map(); // by the screen's name

  async function move(name, offset) {
    try {
      await ask(`/api/screens/${name}`, { method: "POST", json: { filmOffset: offset }, patience: 8_000 });
      write(say, "");
    } catch (refusal) {
      write(say, refusal.message);
    }
  }

  function row(name) {
    const words = make("span");
    let offset = 0;
    const button = (label, by) => make("button", { type: "button", "aria-label": `${label} on the screen ${name}`,
      text: label, onclick: () => {
        offset += by;
        void move(name, offset);
      } });
    const made = { element: make("li", {}, make("p", {}, make("strong", { text: name }), " ", words),
      make("fieldset", { class: "commands", role: "presentation" }, button("Later", -step), button("Earlier", step))),
    show: (film) => {
      offset = film.offsetMs;
      write(words, `${screenFilmWords(film)} Shown ${Math.abs(offset)} ms ${offset < 0 ? "later" : "earlier"}.`);
    } };
    rows.set(name, made);
    return made;
  }

  desk.on("film", (now) => {
    element.hidden = now.count === 0 && now.trouble === null;
    write(state, filmWords(now));
    mark(state, "data-warn", now.trouble !== null);
  });
  desk.on("screens", (screens) => {
    const here = screens.filter(({ film, isHere }) => film && isHere);
    const shown = here.map((screen) => {
      const one = rows.get(screen.name) ?? row(screen.name);
      one.show(screen.film);
      return one.element;
    });
    if (shown.length !== list.children.length || shown.some((one, place) => list.children[place] !== one)) {
      list.replaceChildren(...shown);
    }
  });
  return element;
}
