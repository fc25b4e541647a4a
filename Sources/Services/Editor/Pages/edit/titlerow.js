// One title in the list: its bar, its text in each language, and what else it does.
import { make, mark, write } from "/shared/dom.js";
import { titleDoubts } from "/shared/titlechecks.js";
import { grow } from "./fields.js";
import { sign } from "./layout.js";
import { orderTools } from "./ordering.js";
import { playedOfTitle } from "./titlebars.js";

const seconds = [["fadeIn", "Fades in", 20], ["fadeOut", "Fades out", 20], ["lead", "Before its bar", 60],
  ["doubleCut", "Next follows after", 60]];

/** The words of a row before it is built. */
export const titleWords = ({ title }, index) =>
  [title.label || index + 1, title.place ? `Bar ${title.place}` : "no bar", Object.values(title.texts).join(" / ")]
    .join(" · ");

export const titleTraits = ({ id }) => ({ class: "card title-card", "data-node": id, "data-row": true });

/** A title's settings besides its bar, in a few words. */
export const behaviour = ({ fadeIn, fadeOut, lead, doubleCut, position, note }) => [
  fadeIn || fadeOut ? `fades ${fadeIn}/${fadeOut} s` : "", lead ? `${lead} s early` : "",
  doubleCut === null || doubleCut === undefined ? "" : `next after ${doubleCut} s`, position ?? "", note,
].filter(Boolean).join(" · ");

/** What nobody can read in time, or no board can hold: from the rows as they stand here, saved or not. */
function doubtsOf(book, index, languages, measures) {
  const nearby = book.rows.slice(index, index + 2).map(({ title }) => {
    const time = measures[playedOfTitle(title, measures)]?.time;
    return { ...title, seconds: time === undefined ? null : time - title.lead };
  });
  return titleDoubts(nearby, 0, languages);
}

/** Fills a row; gives how it is brought up to date. */
export function titleRow(context, { id }, element) {
  const { book, player } = context;
  const title = () => book.title(id);
  const number = make("span", { class: "number", "aria-hidden": "true" });
  const bar = make("input", { type: "text", class: "bar-input", maxlength: 40, autocomplete: "off" });
  const does = make("span", { class: "hint title-does" });
  const trouble = make("p", { class: "trouble", role: "alert" });
  const texts = make("div", { class: "title-texts" });
  let doubt = null; // most titles need none
  const order = orderTools({ row: () => element, list: context.list, name: () => `title ${book.index(id) + 1}`,
    move: context.reorder });
  const nudge = (by, name, words) => sign(name, words, () => {
    const played = playedOfTitle(title(), player.measures) ?? player.played;
    context.setBar(id, played + by);
  }, { "data-does": by < 0 ? "nudge-back" : "nudge-on" });
  const more = make("div", { class: "title-more grid", hidden: true });
  const opener = make("button", { type: "button", class: "plain", "data-does": "more", "aria-expanded": "false",
    text: "More", onclick: () => open(more.hidden) });
  const areas = context.languages().map((tag) => {
    const area = make("textarea", { rows: 1, "data-language": tag, lang: tag || null });
    area.addEventListener("input", () => {
      grow(area);
      book.set(id, { texts: { ...title().texts, [tag]: area.value } }, `text ${tag}`);
    });
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.altKey)) return;
      event.preventDefault();
      if (event.altKey) context.split(id, area);
      else context.here(id, true);
    });
    return area;
  });
  const cell = (area) => make("label", { class: "title-text" },
    areas.length > 1 ? make("span", { class: "hint", text: area.dataset.language || "no name" }) : null, area);
  element.append(
    make("div", { class: "card-top" }, order.handle, number,
      make("label", { class: "bar-label" }, make("span", { text: "Bar" }), bar), nudge(-1, "back", "One bar earlier"),
      nudge(1, "on", "One bar later"),
      make("button", { type: "button", class: "plain", "data-does": "here", title: "Comes where the recording is",
        text: "Here", onclick: () => context.here(id) }), does, make("span", { class: "grow" }),
      sign("goto", "Play from here", play), sign("plus", "New title after this one", () => context.newAfter(id),
        { "data-does": "insert" }), order.up, order.down, opener,
      sign("trash", "Remove the title", () => context.removed(id), { "data-does": "remove" })),
    texts, more, trouble);
  texts.append(...areas.map(cell));

  function play() {
    player.goTo(playedOfTitle(title(), player.measures) ?? player.played);
    if (!player.isPlaying) player.toggle();
  }

  bar.addEventListener("change", () => {
    const place = bar.value.trim() || null;
    // The server knows letters and names; it says so if there is no such bar.
    book.set(id, { place, played: null, measure: null, ...(place ? {} : { lead: 0 }) });
  });
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    context.setBar(id, (playedOfTitle(title(), player.measures) ?? player.played) + by);
  });
  element.addEventListener("focusin", () => context.selected() !== id && context.focused(id));

  const inputs = {};

  /** The fields that most titles leave as they are; made when somebody wants them. */
  function open(isWanted) {
    more.hidden = !isWanted;
    mark(opener, "aria-expanded", isWanted);
    if (!isWanted || more.firstChild) return;
    for (const [name, label, most] of seconds) {
      const input = make("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
      input.addEventListener("change", () => {
        const value = input.value.trim() === "" ? null : Number(input.value.replace(",", "."));
        const isGood = value === null || (Number.isFinite(value) && value >= 0 && value <= most);
        mark(input, "aria-invalid", isGood ? null : "true");
        if (isGood) book.set(id, { [name]: name === "doubleCut" ? value : value ?? 0 });
        else write(trouble, `“${label}” is a number of seconds from 0 to ${most}; it is not saved.`);
      });
      inputs[name] = input;
      more.append(make("label", { class: "field" }, make("span", { text: `${label} (s)` }), input));
    }
    inputs.position = make("select", {}, make("option", { value: "", text: "The screen’s own edge" }),
      make("option", { value: "bottom", text: "Bottom" }), make("option", { value: "top", text: "Top" }));
    inputs.position.addEventListener("change", () => book.set(id, { position: inputs.position.value || null }));
    inputs.note = make("input", { type: "text", autocomplete: "off", maxlength: 500 });
    inputs.note.addEventListener("input", () => book.set(id, { note: inputs.note.value }, "note"));
    inputs.label = make("input", { type: "text", autocomplete: "off", maxlength: 12, placeholder: "such as 12a" });
    inputs.label.addEventListener("input", () => book.set(id, { label: inputs.label.value.trim() }, "label"));
    more.append(make("label", { class: "field" }, make("span", { text: "Edge" }), inputs.position),
      make("label", { class: "field" }, make("span", { text: "Number as printed" }), inputs.label),
      make("label", { class: "field" }, make("span", { text: "Note for the operator" }), inputs.note));
    fill(title());
  }

  function fill(now) {
    if (!inputs.note) return;
    const put = (input, value) => document.activeElement !== input && (input.value = value);
    for (const [name] of seconds) put(inputs[name], name === "doubleCut" ? now.doubleCut ?? "" : now[name] || "");
    put(inputs.position, now.position ?? "");
    put(inputs.note, now.note);
    put(inputs.label, now.label ?? "");
  }

  setTimeout(() => areas.forEach(grow));
  return ({ title: now }, index) => {
    write(number, now.label || index + 1);
    mark(bar, "aria-label", `Bar of title ${index + 1}`);
    if (document.activeElement !== bar || playedOfTitle(now, player.measures) !== null) bar.value = now.place ?? "";
    areas.forEach((area) => {
      const text = now.texts[area.dataset.language] ?? "";
      mark(area, "aria-label", `Title ${index + 1}${area.dataset.language ? `, ${area.dataset.language}` : ""}`);
      if (area.value !== text) {
        area.value = text;
        grow(area);
      }
    });
    write(does, behaviour(now));
    const doubts = doubtsOf(book, index, context.languages(), player.measures);
    if (doubts.length > 0 && !doubt) texts.after(doubt = make("p", { class: "doubt" }));
    if (doubt) write(doubt, doubts.length > 0 ? `▲ ${doubts.join(" · ")}` : "");
    write(trouble, book.refusals.get(id) ?? "");
    mark(element, "data-refused", book.refusals.has(id) ? true : null);
    fill(now);
    order.say();
  };
}
