import { draw } from "/shared/dom.js";

/** One of the page's own signs; decoration, hidden from screen readers. */
export const sign = (name) =>
  draw("svg", { class: "sign", "aria-hidden": "true", viewBox: "0 0 24 24" },
    draw("use", { href: `/audience/signs.svg#${name}` }));
