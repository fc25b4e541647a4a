// Marking by keyboard.
import { moved, pulled } from "./frames.js";

const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** About a millimetre of A4. */
const step = 0.004;

export function wireMarkingKeys(opened, actions) {
  addEventListener("keydown", (event) => {
    const open = opened();
    if (!open) return;
    const draft = open.draft;
    const control = event.ctrlKey || event.metaKey;
    const done = (action) => {
      event.preventDefault();
      action();
    };
    if (control && event.key.toLowerCase() === "s") return done(() => actions.save());
    if (event.target.closest("input, textarea, select")) return;
    if (control && event.key.toLowerCase() === "z") return done(() => (event.shiftKey ? draft.redo() : draft.undo()));
    if (control && event.key.toLowerCase() === "y") return done(() => draft.redo());
    if (control || event.altKey) return;
    if (event.key === "PageDown") return done(() => actions.go(open.page + 1));
    if (event.key === "PageUp") return done(() => actions.go(open.page - 1));
    if (event.key === "]" || event.key === "[") return done(() => neighbour(open, actions, event.key === "]" ? 1 : -1));
    if (event.key === "p") return done(() => actions.propose([open.page]));
    const place = draft.current;
    if (!place?.box) return;
    if (steps[event.key]) {
      const [across, down] = steps[event.key].map((way) => way * step);
      return done(() => draft.frame(event.shiftKey
        ? pulled(place.box, "rb", across, down) : moved(place.box, across, down)));
    }
    if (event.key === "Delete" || event.key === "Backspace") return done(() => draft.remove());
    if (event.key === "s") return done(() => draft.split());
    if (event.key === "n") return done(() => document.getElementById("first-number").select());
    if (event.key === "Escape") return done(() => draft.select(-1));
  });
}

/** The next or previous measure; without one chosen, the first of the page. */
function neighbour(open, actions, way) {
  const { draft } = open;
  if (draft.selected >= 0) return actions.choose(draft.selected + way);
  actions.choose(draft.places.findIndex((place) => place.page === open.page && place.box));
}
