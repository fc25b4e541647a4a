// A part of an evening that the server recorded: which evening, and from where to where, chosen by ear.
import { Dialog } from "/shared/dialog.js";
import { icon, make, write } from "/shared/dom.js";
import { duration } from "/shared/numbers.js";
import { complain } from "/shared/saved.js";
import { EveningPlayer } from "./eveningplayer.js";
import { evenings as fetchEvenings, rights } from "./server.js";

/** True if the server lets whoever is signed in begin a piece with what it has recorded. */
export const mayUseEvenings = async () => (await rights().catch(() => ({}))).evenings === true;

/** Seconds of “90”, “1:30” or “1:02:30”; NaN for other texts. */
export function secondsOf(text) {
  const parts = text.trim().split(":");
  if (parts.length > 3 || parts.some((part) => !/^\d+([.,]\d+)?$/.test(part))) return NaN;
  return parts.reduce((sum, part) => 60 * sum + Number(part.replace(",", ".")), 0);
}

const lineOf = ({ title, startedAt, isRunning }) => [title, new Date(startedAt).toLocaleString("en-GB",
  { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" }),
isRunning ? "still running" : null].filter(Boolean).join(" · ");

/** A range in words, such as “Rehearsal, 1:02–3:40”. */
export const rangeWords = ({ title, from, to }) => `${title}, ${duration(from)}–${duration(to)}`;

/** Asks for an evening and a range of it; `take({evening, title, from, to})` is called with the answer. */
export async function askEvening(take, wanted = null) {
  let list;
  try {
    list = (await fetchEvenings()).evenings;
  } catch (refusal) {
    return complain(refusal);
  }
  const player = new EveningPlayer();
  const shown = new Dialog({ sign: icon("close"), closed: () => {
    player.stop();
    shown.element.remove();
  } });
  if (list.length === 0) {
    return shown.show("From an evening", make("p", { text: "There are no recordings. What the server hears from its "
      + "sound device is recorded from now on, unless it was started with --no-record." }));
  }
  const choice = make("select", {}, ...list.map((each) => make("option", { value: each.name, text: lineOf(each) })));
  const facts = make("p", { class: "hint" });
  const say = make("p", { class: "trouble", role: "alert" });
  const field = (name) => make("input", { type: "text", inputmode: "numeric", autocomplete: "off", required: true,
    "aria-label": name });
  const [from, to] = [field("From"), field("To")];
  const here = (words, input) => make("button", { type: "button", text: words,
    onclick: () => (input.value = duration(player.seconds)) });
  const evening = () => list.find(({ name }) => name === choice.value);
  const show = () => {
    const { pieces, seconds } = evening();
    player.show(evening());
    [from.value, to.value] = ["0:00", duration(Math.floor(seconds))];
    write(facts, [duration(seconds), ...pieces].join(" · "));
  };
  choice.addEventListener("change", show);
  if (list.some(({ name }) => name === wanted)) choice.value = wanted;
  show();
  const send = (event) => {
    event.preventDefault();
    const range = { evening: choice.value, title: evening().title, from: secondsOf(from.value),
      to: secondsOf(to.value) };
    const isRange = range.to > range.from && range.to <= Math.ceil(evening().seconds);
    write(say, isRange ? ""
      : `Write times such as 1:30, the end after the beginning and not after ${duration(evening().seconds)}.`);
    if (!isRange) return;
    shown.close();
    take(range);
  };
  shown.show("From an evening", make("form", { class: "question", method: "dialog", onsubmit: send },
    make("label", { text: "Recording" }, choice), facts, player.element,
    make("div", { class: "row" }, make("label", { class: "grow", text: "From" }, from), here("Begin here", from)),
    make("div", { class: "row" }, make("label", { class: "grow", text: "To" }, to), here("End here", to)),
    make("p", { class: "hint", text: "All who prepare pieces will hear this part. It stays when the recording of the "
      + "evening is deleted." }), say,
    make("div", { class: "row end" },
      make("button", { type: "button", text: "Cancel", onclick: () => shown.close() }),
      make("button", { type: "submit", class: "chief", text: "Take it" }))));
  choice.focus();
}
