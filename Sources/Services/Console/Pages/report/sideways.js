// What is wider than a phone: a box that is moved sideways, by a finger, a wheel or the arrow keys.
import { make, mark } from "/shared/dom.js";

/** A box around `content`. Where it does not fit, the keyboard reaches it by its `name`, and a line says what to do. */
export function sideways(name, content) {
  const box = make("div", { class: "sideways" }, content);
  const hint = make("p", { class: "sideways-hint", hidden: true, text: "↔ Move it sideways to see the rest." });
  const fit = () => {
    // On a desk the box is none: what a chart draws beside itself is shown too.
    const isCut = getComputedStyle(box).overflowX === "auto" && box.scrollWidth > box.clientWidth;
    hint.hidden = !isCut;
    for (const [trait, value] of [["role", "region"], ["aria-label", name], ["tabindex", 0]]) {
      mark(box, trait, isCut ? value : null);
    }
  };
  new ResizeObserver(fit).observe(box);
  return make("div", {}, hint, box);
}
