// Marking by keyboard.
import { find } from "/shared/dom.js";
import { undoKey } from "/shared/undo.js";
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
    if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (undoKey(event)) return done(() => draft[undoKey(event)]());
    if (control || event.altKey) return;
    if (event.key === "PageDown") return done(() => actions.go(open.page + 1));
    if (event.key === "PageUp") return done(() => actions.go(open.page - 1));
    if (event.key === "]" || event.key === "[") return done(() => neighbour(open, actions, event.key === "]" ? 1 : -1));
    if (event.key === "d") return done(() => actions.nextDoubt());
    if (event.key === "}" || event.key === "{") return done(() => extend(open, event.key === "}" ? 1 : -1));
    if (event.key === "a") return done(() => choosePage(open));
    if (event.key === "g") return done(chooseStaves);
    if (event.key === "p") return done(() => actions.propose([open.page]));
    const place = draft.current;
    if (!place?.box) return;
    if (steps[event.key]) {
      const [across, down] = steps[event.key].map((way) => way * step);
      return done(() => (event.shiftKey ? draft.frame(pulled(place.box, "rb", across, down))
        : draft.shift((box) => moved(box, across, down))));
    }
    if (event.key === "Delete" || event.key === "Backspace") return done(() => draft.remove());
    if (event.key === "s") return done(() => draft.split());
    if (event.key === "m") return done(() => draft.merge());
    if (event.key === "c") return done(() => draft.confirm());
    if (event.key === "r") return done(() => document.getElementById("number-on").click());
    if (event.key === "n") return done(() => find("first-number").select());
    if (event.key === "Escape") return done(() => draft.select(-1));
  });
}

/** The next or previous measure; without one chosen, the first of the page. */
function neighbour(open, actions, way) {
  const { draft } = open;
  if (draft.selected >= 0) return actions.choose(draft.selected + way);
  actions.choose(draft.places.findIndex((place) => place.page === open.page && place.box));
}

/** Chooses the next or previous measure of the page too. */
function extend({ draft, page, frames }, way) {
  const to = draft.selected + way;
  if (draft.selected < 0 || draft.places[to]?.page !== page) return;
  if (draft.group.includes(to)) draft.select(draft.selected, "toggle");
  else draft.select(to, "toggle");
  frames.focus(draft.selected);
}

function choosePage({ draft, page }) {
  draft.selectAll(draft.places.map((_, index) => index)
    .filter((index) => draft.places[index].page === page && draft.places[index].box));
}

function chooseStaves() {
  const staves = find("system-staves");
  staves.closest("details").open = true;
  staves.select();
}
