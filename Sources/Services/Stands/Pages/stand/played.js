// Chooses the passages of a score for a session: as the follower follows them, or ranges of printed measures with
// repeats and cuts, such as 1–32, 1–80, 101–140.
import { make } from "/shared/dom.js";
import { closeDialog, openDialog } from "./words.js";

const mostMeasures = 100_000; // of one movement, as the hub takes them

/** First and last printed measure of a movement, over all parts; null if no measure has a place. */
export function measuresOf(score, movement) {
  let found = null;
  for (const part of score.parts) {
    for (const place of part.places ?? []) {
      if ((place.movement ?? 0) !== movement) continue;
      found = found ? [Math.min(found[0], place.first), Math.max(found[1], place.last)] : [place.first, place.last];
    }
  }
  return found;
}

/** `1–32, 1–80` as `{ passages: [[1, 32], [1, 80]] }`, null passages for nothing; or `{ fault: sentence }`. */
export function readPassages(text, measures = null) {
  const words = text.split(/[,;\n]/).map((word) => word.trim()).filter(Boolean);
  if (words.length === 0) return { passages: null };
  const passages = [];
  let count = 0;
  for (const word of words) {
    const match = word.match(/^(\d{1,6})(?:\s*[-–—]\s*(\d{1,6}))?$/);
    if (!match) return { fault: `“${word}” is no passage; write first and last measure, as in 1–32, 1–80.` };
    const [first, last] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (last < first) return { fault: `${first}–${last} goes backwards; write the lower measure first.` };
    const outside = measures && [first, last].find((number) => number < measures[0] || number > measures[1]);
    if (outside !== null && outside !== undefined) {
      return { fault: `There is no measure ${outside}; the measures go from ${measures[0]} to ${measures[1]}.` };
    }
    count += last - first + 1;
    if (count > mostMeasures) return { fault: `These are more than ${mostMeasures} measures; leave some out.` };
    passages.push([first, last]);
  }
  return { passages };
}

export const written = (passages) => passages.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
  .join(", ");

/** In words, what a session plays; "" where it is what the score says. */
export function playedWords(score, session) {
  return (session?.performances ?? []).map((passages, index) => {
    if (!passages) return "";
    const name = score?.movements?.length > 1 ? `${score.movements[index]?.name || `Movement ${index + 1}`}: ` : "";
    return `${name}${written(passages)}`;
  }).filter(Boolean).join("; ");
}

/** Asks which passages are played; `before` is the choice of the last session if it differed. Calls `begin({
    performances? })`. */
export function askWhatIsPlayed(score, before, begin) {
  const movements = score.movements?.length > 0 ? score.movements : [{ name: "" }];
  const kept = before?.performances ?? [];
  const isOther = kept.some(Boolean);
  const radio = (value, text, isChosen) => {
    const input = make("input", { type: "radio", name: "played", value, id: `played-${value}` });
    input.checked = isChosen;
    input.addEventListener("change", show);
    return make("label", { class: "choice" }, input, ` ${text}`);
  };
  const fault = make("p", { class: "fault", role: "alert", id: "played-fault" });
  const fields = movements.map((movement, index) => {
    const measures = measuresOf(score, index);
    const whole = measures ? written([measures]) : "";
    const field = make("input",
      { id: `passages-${index}`, autocomplete: "off", spellcheck: "false", placeholder: "1–32, 1–80", value: kept[index]
        ? written(kept[index]) : whole, "aria-describedby": "played-fault" });
    field.addEventListener("input", () => (fault.textContent = readPassages(field.value, measures).fault ?? ""));
    field.addEventListener("keydown", (event) => event.key === "Enter" && submit.click());
    return { field, measures, whole,
      name: movement.name || (movements.length > 1 ? `Movement ${index + 1}` : "Measures") };
  });
  const others = make("div", { id: "played-fields" },
    make("p", { class: "hint",
      text: "Printed measures, in the order in which they are played. A passage written twice is repeated, what is " +
        "left out is cut." }),
    ...fields.map(({ field, name }) => make("label", { text: name }, field)));
  const asWritten = radio("score", "As the score says", !isOther);
  const otherwise = radio("passages", "Repeats and cuts", isOther);
  function show() {
    others.hidden = !otherwise.firstChild.checked;
    fault.textContent = "";
    if (!others.hidden) fields[0].field.focus();
  }
  const submit = make("button", { type: "button", class: "primary", id: "begin-session", text: "Begin" });
  submit.addEventListener("click", () => {
    if (others.hidden) {
      closeDialog();
      return begin({});
    }
    const performances = [];
    for (const { field, measures, whole, name } of fields) {
      const found = readPassages(field.value, measures);
      if (found.fault) {
        fault.textContent = fields.length > 1 ? `${name}: ${found.fault}` : found.fault;
        return field.focus();
      }
      performances.push(found.passages && written(found.passages) !== whole ? found.passages : null);
    }
    closeDialog();
    begin(performances.some(Boolean) ? { performances } : {});
  });
  openDialog("Begin the session", make("fieldset", { class: "played" }, make("legend", { text: "What is played" }),
    asWritten, otherwise), others, fault, submit);
  others.hidden = !isOther;
  submit.focus();
}
