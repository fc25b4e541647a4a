// From which bar to play again, by its number or a rehearsal mark: for a leader who hears “from 64” or “four after C”,
// and for pages whose bars nobody has marked.
import { ask } from "/shared/api.js";
import { make } from "/shared/dom.js";
import { marksOf, readPlace } from "./marks.js";
import { placeOf } from "./places.js";
import { measuresOf } from "./played.js";
import { act, closeDialog, openDialog } from "./words.js";

const middle = 5_000; // of a page's width and height in the units of points

/**
 * The pinpoint that shows a bar to all: `{ part, page, point, movement, measure }`, on a leader's own part if it has
 * the bar; null if no part has it.
 */
export function pinpointBar(score, part, movement, measure) {
  const parts = [part, ...score.parts.keys()];
  const on = parts.find((index) => placeOf(score.parts[index], measure, movement));
  if (on === undefined) return null;
  const { page, box } = placeOf(score.parts[on], measure, movement);
  const half = (one, other) => Math.round(middle * (one + other));
  const point = box ? [half(box[0], box[2]), half(box[1], box[3])] : [middle, middle];
  return { part: on, page, point, movement, measure };
}

/** Movements of which any part says where measures are. */
export const knownMovements = (score) => [...(score.movements?.keys() ?? [0])]
  .filter((movement) => measuresOf(score, movement));

/** Asks for the bar and shows it to all. */
export function askFromBar(reader) {
  const { score } = reader;
  const movements = knownMovements(score);
  const here = (score.parts[reader.part].places ?? [])
    .find((place) => place.page >= reader.turning.view.page && !place.steps);
  const movement = make("select", { id: "from-movement" },
    ...movements.map((index) =>
      make("option", { value: String(index), text: score.movements?.[index]?.name || `Movement ${index + 1}` })));
  movement.value = String(here?.movement ?? movements[0]);
  const marks = marksOf(score, reader.tools.references);
  const number = make("input", { id: "from-number", inputmode: marks.length > 0 ? "text" : "numeric", maxlength: 64,
    autocomplete: "off", "aria-describedby": "from-fault" });
  const range = make("p", { class: "hint" });
  const steering = make("p", { class: "hint", id: "from-steers", role: "status" });
  const fault = make("p", { class: "fault", role: "alert", id: "from-fault" });
  const describe = () => {
    const [first, last] = measuresOf(score, Number(movement.value));
    range.textContent = `Bars ${first} to ${last}. Everybody sees the bar.`;
    fault.textContent = "";
  };
  movement.addEventListener("change", describe);
  number.addEventListener("input", () => (fault.textContent = ""));
  const show = act("Show to all", () => {
    const place = readPlace(number.value, Number(movement.value), marks);
    const pinpoint = place ? pinpointBar(score, reader.part, place.movement, place.bar) : null;
    if (!pinpoint) {
      const wanted = marks.length > 0 ? "the number of a bar, or a letter such as C or C+4" : "the number of a bar";
      fault.textContent = place ? `No part says where bar ${place.bar} is; write another number.` : `Write ${wanted}.`;
      number.focus();
      return;
    }
    reader.act({ pinpoint });
    closeDialog();
    reader.chrome.show(false);
  }, { class: "primary", id: "show-bar" });
  number.addEventListener("keydown", (event) => event.key === "Enter" && show.click());
  describe();
  openDialog("From which bar?", movements.length > 1 ? make("label", { text: "Movement" }, movement) : null,
    make("label", { text: marks.length > 0 ? "Bar or letter" : "Bar" }, number), range, steering, fault, show);
  tellWhetherItSteers(reader, steering);
  number.value = here ? String(here.first) : "";
  number.focus();
  number.select();
}

/** Says whether the follower goes there too. This depends on the room's owner and on the show, so the server is asked.
    */
async function tellWhetherItSteers(reader, line) {
  const told = await ask(`/api/rooms/${reader.room}/stands/${reader.stand}?user=${reader.user}`, { patience: 4_000 })
    .catch(() => null);
  if (told?.steers === true) line.textContent = "The follower goes there too, and waits for the players.";
  else if (told?.steers === false) {
    line.textContent = "The follower does not move: it obeys rooms of those who work on the concert, while the show " +
      "is in rehearsal.";
  }
}
