// One slide in the list: its bar, its text, and what can be done with it.
import { icon, make, mark, write } from "/shared/dom.js";
import { findingsOf } from "./checking.js";
import { field, grow } from "./fields.js";
import { orderTools } from "./ordering.js";
import { choosePicture, dropPicture } from "./pictures.js";
import { leaveBar, placeSlide, playedOf, refuseBar } from "./slidemoves.js";

const timesOf = new WeakMap();

/** The indexes at which a printed measure is played: looked up for hundreds of slides at each change. */
function timesPlayed(measures, printed) {
  if (!timesOf.has(measures)) {
    const times = new Map();
    measures.forEach((measure, index) => {
      const key = String(measure.printed);
      times.set(key, [...(times.get(key) ?? []), index]);
    });
    timesOf.set(measures, times);
  }
  return timesOf.get(measures).get(printed) ?? [];
}

/** The words of a row before it is built. */
export const slideWordsOf = ({ fields }, index) => `${index + 1} · Bar ${fields.printed ?? "–"} · ${fields.text ?? ""}`;

/** The traits of a row's element. */
export const slideTraits = ({ id }) => ({ class: "card slide-card", "data-node": id, "data-row": true });

/** Fills a row; gives how it is brought up to date. */
export function slideCard(context, { id }, element) {
  const { book, player } = context;
  const node = () => book.tree.get(id);
  const number = make("span", { class: "number", "aria-hidden": "true" });
  const bar = make("input", { type: "text", class: "bar-input", maxlength: 9,
    title: "A bar: 9, 9/2 for its second time, p:60 as played" });
  const time = make("span", { class: "hint" });
  const text = field(book, id, "text",
    { label: "Text", kind: "text", hidden: true, what: "slide text", placeholder: "What should a listener read here?",
      lang: () => book.tree.text(node()?.parent, "language") });
  const found = findingsOf(context.checking, id);
  const nudge = (by, sign, words) =>
    make("button", { type: "button", class: "plain small", "data-does": by < 0 ? "nudge-back" : "nudge-on",
      title: words, "aria-label": words, onclick: () => placeSlide(book, id, node().played + by) }, icon(sign));
  const play = make("button",
    { type: "button", class: "plain small", title: "Play from here", "aria-label": "Play from here" }, icon("goto"));
  const pictures = make("button",
    { type: "button", class: "plain small", title: "Put in a picture", "aria-label": "Put in a picture" },
    icon("slide"));
  const remove = make("button", { type: "button", class: "plain small", "data-does": "remove", title: "Remove",
    "aria-label": "Remove the slide" }, icon("trash"));
  const order = orderTools({ row: () => element, list: context.list,
    name: () => `slide at bar ${node()?.fields.printed}`, move: context.reorder });
  element.append(
    make("div", { class: "card-top" }, order.handle, number,
      make("label", { class: "bar-label" }, make("span", { text: "Bar" }), bar), nudge(-1, "back", "One bar earlier"),
      nudge(1, "on", "One bar later"), time,
      make("span", { class: "grow" }), play, pictures, order.up, order.down, remove),
    text, found);

  bar.addEventListener("change", () => {
    const to = playedOf(player.measures, bar.value, node().played ?? player.played);
    if (to === null) refuseBar(book, id, bar.value);
    else if (to === node().played) leaveBar(book, id);
    else placeSlide(book, id, to);
  });
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    placeSlide(book, id, node().played + by);
    bar.value = node().fields.printed;
  });
  play.addEventListener("click", () => {
    player.goTo(node().played);
    if (!player.isPlaying) player.toggle();
  });
  pictures.addEventListener("click", () => choosePicture(context.desk, text.input));
  remove.addEventListener("click", () => context.removed(id));
  element.addEventListener("focusin", () => context.focused(id));
  text.input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      context.newAfter();
    } else if (event.altKey && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      placeSlide(book, id, node().played + (event.key === "ArrowLeft" ? -1 : 1));
    }
  });
  dropPicture(context.desk, element, text.input);
  setTimeout(() => grow(text.input));

  let shown = "";
  let measures = null;
  return (slide, index) => {
    found.show();
    const refused = book.refusal(id, "played");
    const words = refused?.to ?? slide.fields.printed ?? "";
    const key = `${index} ${slide.fields.printed} ${slide.played} ${refused?.sentence}`;
    if (key === shown && measures === player.measures && bar.value === words) return;
    [shown, measures] = [key, player.measures];
    write(number, index + 1);
    if (document.activeElement !== bar || bar.value === "") bar.value = words;
    mark(bar, "aria-label", `Bar of slide ${index + 1}`);
    mark(bar, "aria-invalid", refused ? "true" : null);
    const times = timesPlayed(measures, slide.fields.printed);
    const which = times.indexOf(slide.played);
    write(time, !Number.isInteger(slide.played) ? "never played" : times.length > 1
      ? `${["1st", "2nd", "3rd"][which] ?? `${which + 1}th`} time` : "");
    order.say();
  };
}
