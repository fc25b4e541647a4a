// The few shapes every page of the editor is made of.
import { icon, make } from "/shared/dom.js";

/** The head of a page: where it belongs, its name, and buttons. */
export const heading = (over, text, ...tools) => make("header", { class: "heading" }, over,
  make("div", { class: "heading-row" }, make("h1", { text }), ...tools));

export const pageLink = (href, text) => make("a", { class: "page-link", href, text });

/** The text in an empty place, with what to do about it. */
export const nothing = (title, text, ...tools) =>
  make("div", { class: "nothing" }, make("p", { class: "nothing-title", text: title }),
    make("p", { class: "hint", text }), tools.length ? make("div", { class: "row" }, ...tools) : null);

export const section = (title, ...content) => make("section", { class: "block" }, make("h2", { text: title }),
  ...content);

/** A button with a sign and a word. */
export const tool = (sign, text, onclick, traits = {}) => make("button", { type: "button", onclick, ...traits },
  icon(sign), make("span", { text }));

/** A button with a sign only. */
export const sign = (name, text, onclick, traits = {}) =>
  make("button", { type: "button", class: "plain small", title: text, "aria-label": text, onclick, ...traits },
    icon(name));
