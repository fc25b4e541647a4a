// Putting things in order: a handle to drag by finger or mouse, and buttons that do the same by key.
import { icon, make, mark } from "/shared/dom.js";

/**
 * The handle and the two buttons of one row. `name()` says what is moved; `list` is the element whose children are
 * the rows; `move(from, to)` puts the row of one index behind or before others, as an index after the move.
 */
export function orderTools({ row, list, name, move }) {
  const handle = make("span", { class: "handle", "aria-hidden": "true", title: "Drag to order" }, grip());
  const up = button("up", "Move up", -1);
  const down = button("down", "Move down", 1);

  function rows() {
    return [...list().children].filter((child) => child.matches("[data-row]"));
  }

  function button(sign, words, by) {
    const element = make("button", { type: "button", class: "plain small", "data-does": `move-${sign}` }, arrow(by));
    element.addEventListener("click", () => {
      const all = rows();
      const from = all.indexOf(row());
      const to = from + by;
      if (to < 0 || to >= all.length) return;
      move(from, to);
      element.focus();
    });
    element.say = () => mark(element, "aria-label", `${words}: ${name()}`);
    mark(element, "title", words);
    return element;
  }

  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const all = rows();
    const moved = row();
    const from = all.indexOf(moved);
    const tops = all.map((element) => element.getBoundingClientRect());
    const scrolled = scroller(list());
    const began = scrolled.scrollTop;
    let to = from;
    moved.classList.add("dragged");
    handle.setPointerCapture(event.pointerId);

    const drag = ({ clientY }) => {
      const shift = scrolled.scrollTop - began;
      moved.style.transform = `translateY(${clientY - event.clientY + shift}px)`;
      const y = clientY + shift;
      to = tops.findIndex((box) => y < box.top + box.height / 2);
      if (to < 0) to = tops.length;
      if (to > from) to -= 1;
      all.forEach((element, index) => {
        mark(element, "data-drop", index === to && to !== from ? (to < from ? "before" : "after") : null);
      });
      const view = scrolled.getBoundingClientRect();
      if (clientY > view.bottom - 40) scrolled.scrollTop += 12;
      if (clientY < view.top + 40) scrolled.scrollTop -= 12;
    };
    const end = ({ type }) => {
      handle.removeEventListener("pointermove", drag);
      moved.classList.remove("dragged");
      moved.style.transform = "";
      for (const element of all) mark(element, "data-drop", null);
      if (type === "pointerup" && to !== from) move(from, to);
    };
    handle.addEventListener("pointermove", drag);
    handle.addEventListener("pointerup", end, { once: true });
    handle.addEventListener("pointercancel", end, { once: true });
  });

  return { handle, up, down, say: () => [up, down].forEach((element) => element.say()) };
}

/** The change that moves a node among its siblings from one index to another. */
export function moveChange(siblings, from, to, parent) {
  const others = siblings.filter((_, index) => index !== from);
  const change = { move: siblings[from].id, in: parent };
  return others[to] ? { ...change, before: others[to].id } : change;
}

function scroller(element) {
  for (let at = element; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement;
}

const arrow = (by) => {
  const sign = icon(by < 0 ? "back" : "on");
  sign.style.transform = "rotate(90deg)";
  return sign;
};

function grip() {
  const sign = make("span", { class: "grip" });
  sign.append(...Array.from({ length: 6 }, () => make("i")));
  return sign;
}
