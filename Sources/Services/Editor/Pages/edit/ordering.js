// Putting things in order: a handle to drag by finger or mouse, and buttons that do the same by key.
import { icon, make, mark } from "/shared/dom.js";

// A row that is held this near to the edge of the view rolls it; pixels, and pixels a frame at most.
const edge = 56;
const fastest = 24;

/**
 * The handle and the two buttons of one row. `name()` says what is moved; `list` is the element whose children are
 * the rows; `move(from, to)` puts the row of one index after or before others, as an index after the move.
 */
export function orderTools({ row, list, name, move }) {
  const handle = make("span", { class: "handle", "aria-hidden": "true", title: "Drag to order" }, grip());
  const up = button("up", "Move up", -1);
  const down = button("down", "Move down", 1);

  function rows() {
    return [...list().children].filter((child) => child.matches("[data-row]"));
  }

  function button(sign, words, by) {
    /** @type {any} */
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
    const others = all.filter((element) => element !== moved);
    const scrolled = scroller(list());
    const grip = event.clientY - moved.getBoundingClientRect().top;
    let [to, y, lifted, frame, marked] = [from, event.clientY, 0, 0, null];
    moved.classList.add("dragged");
    handle.setPointerCapture(event.pointerId);

    // Rows far away have no height of their own until they are seen, so that places are asked for anew each time.
    const place = () => {
      const natural = moved.getBoundingClientRect().top - lifted;
      lifted = y - grip - natural;
      moved.style.transform = `translateY(${lifted}px)`;
      to = firstBelow(others, y);
      const target = to === from ? null : all[to];
      if (marked !== target) mark(marked ?? moved, "data-drop", null);
      if (target) mark(target, "data-drop", to < from ? "before" : "after");
      marked = target;
    };
    const roll = () => {
      const view = scrolled.getBoundingClientRect();
      const beyond = Math.max(y - view.bottom + edge, 0) - Math.max(view.top + edge - y, 0);
      if (beyond) {
        scrolled.scrollTop += Math.sign(beyond) * Math.min(Math.abs(beyond), edge) * fastest / edge;
        place();
      }
      frame = requestAnimationFrame(roll);
    };
    const drag = ({ clientY }) => {
      y = clientY;
      place();
    };
    const end = ({ type }) => {
      cancelAnimationFrame(frame);
      handle.removeEventListener("pointermove", drag);
      moved.classList.remove("dragged");
      moved.style.transform = "";
      if (marked) mark(marked, "data-drop", null);
      if (type === "pointerup" && to !== from) move(from, to);
    };
    roll();
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

/** Puts a slide or section on another of `count` measures; where it passes others, it goes before or after them. */
export function moveToMeasure(book, node, played, count, label) {
  const to = Math.min(Math.max(played, 0), count - 1);
  if (!node || to === node.played) return;
  const siblings = book.tree.children(node.parent, node.kind);
  const from = siblings.indexOf(node);
  const others = siblings.filter((other) => other !== node);
  const before = others.findIndex((other) => Number.isInteger(other.played) && other.played > to);
  const target = before < 0 ? others.length : before;
  /** @type {any[]} */
  const changes = [{ set: node.id, field: "played", to: String(to) }];
  if (target !== from) changes.push(moveChange(siblings, from, target, node.parent));
  book.edit(changes, label);
}

/** The index of the first row whose middle lies below a height; the row count if there is none. */
function firstBelow(rows, y) {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const box = rows[middle].getBoundingClientRect();
    if (y < box.top + box.height / 2) to = middle;
    else from = middle + 1;
  }
  return from;
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
