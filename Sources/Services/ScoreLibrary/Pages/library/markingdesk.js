// The tools next to the page: pages, the chosen measure, checks, saving.
import { icon, make, mark, write } from "/shared/dom.js";
import { lock } from "/shared/locked.js";

const button = (text, onclick, sign, traits = {}) => make("button", { type: "button", onclick, ...traits },
  sign ? icon(sign) : null, text);
const number = (label, id) => {
  const input = make("input", { id, type: "number", inputmode: "numeric", step: 1 });
  return { input, label: make("label", {}, label, input) };
};

const shortcuts = [["[ ]", "previous, next measure"], ["← → ↑ ↓", "move; with Shift, size"], ["S", "split"],
  ["N", "number"], ["Del", "delete"], ["{ }", "choose several"], ["A", "choose the page"], ["M", "merge"],
  ["R", "number on from here"], ["C", "looks right"], ["D", "next doubtful frame"], ["G", "staves in a system"],
  ["P", "find on this page"], ["PgUp PgDn", "turn"]];

/** Builds the view into `root`; gives back { paper, image, draw(faults), busy(text) }. */
export function buildDesk(root, open, actions) {
  const paper = make("div", { class: "paper", role: "group", "aria-label": "Measures on this page" });
  const image = make("img", { draggable: "false" });
  paper.append(image);
  const bar = buildBar(open, actions);
  const pages = buildPages(open, actions, paper);
  const chosen = buildChosen(open);
  const ends = buildEnds(open);
  const checks = buildChecks(open, actions);
  const side = make("aside", {},
    pages.element, chosen.element, chosen.none, make("section", {}, ends.element, buildStacking(actions)),
    checks.element,
    make("section", { class: "keys faint" },
      ...shortcuts.map(([key, words]) => make("p", {}, make("kbd", { text: key }), ` ${words}`))));
  root.replaceChildren(bar.element,
    make("div", { class: "desk" }, make("div", { class: "scroll" }, paper), side));
  return {
    paper,
    image,
    isSeveral: pages.isSeveral,
    busy: pages.busy,
    draw(found) {
      for (const part of [pages, bar, chosen, ends, checks]) part.draw(found);
    },
  };
}

/** Back, undo, redo and saving. */
function buildBar({ id, draft, part, score }, actions) {
  const back = make("a", { class: "button", href: `#/score/${id}` }, icon("back"), score.title);
  const state = make("span", { class: "state", role: "status" });
  const save = button("Save", () => actions.save(), null, { class: "primary", title: "Ctrl S" });
  const undo = button("Undo", () => draft.undo(), null, { title: "Ctrl Z" });
  const redo = button("Redo", () => draft.redo(), null, { title: "Ctrl Shift Z" });
  return {
    element: make("div", { class: "bar" }, back, make("strong", { text: part.name }),
      make("span", { class: "gap" }), undo, redo, state, save),
    draw(found) {
      lock(undo, draft.steps.canUndo ? "" : "There is nothing to undo.");
      lock(redo, draft.steps.canRedo ? "" : "Nothing was undone.");
      const grave = found.find((fault) => fault.isGrave);
      lock(save, draft.isSaved ? "Everything is saved." : grave
        ? `Mend what Checks shows in red first: ${grave.sentence}` : "");
      write(state, draft.isSaved ? "Saved" : grave ? "Mend the checks to save" : "Not saved yet");
      mark(state, "data-state", draft.isSaved ? "saved" : grave ? "faulty" : "unsaved");
    },
  };
}

/** The pages: turning them, and finding the measures on them. */
function buildPages(open, actions, paper) {
  const { draft, part } = open;
  const pages = make("select", { "aria-label": "Page" },
    ...part.pages.map((_, page) => make("option", { value: page, text: `Page ${page + 1} of ${part.pages.length}` })));
  pages.addEventListener("change", () => actions.go(Number(pages.value)));
  const previous = button("", () => actions.go(open.page - 1), "back",
    { "aria-label": "Previous page", title: "Page up" });
  const next = button("", () => actions.go(open.page + 1), "on", { "aria-label": "Next page", title: "Page down" });
  const every = button("Find on all pages", () => actions.propose(part.pages.map((_, page) => page)));
  const find = button("Find measures", () => actions.propose([open.page]), "now", { class: "primary", title: "P" });
  const stop = button("Stop", () => actions.stop(), "close", { hidden: true });
  const working = make("p", { class: "faint", role: "status" });
  const follows = make("input", { type: "checkbox", checked: true });
  follows.addEventListener("change", () => { draft.follows = follows.checked; });
  const several = make("input", { type: "checkbox", id: "several" });
  several.addEventListener("change", () => { paper.dataset.several = String(several.checked); });
  return {
    element: make("section", {}, make("div", { class: "pager" }, previous, pages, next),
      make("div", { class: "row" }, find, part.pages.length > 1 ? every : null, stop), working,
      make("label", { class: "tick" }, follows, "Numbers behind a change follow it"),
      make("label", { class: "tick" }, several, "Choose several: tap, or drag over them")),
    isSeveral: () => several.checked,
    busy(text) {
      write(working, text);
      stop.hidden = text === "";
      for (const each of [find, every]) lock(each, text && "Measures are being looked for: wait, or press Stop.");
    },
    draw() {
      pages.value = String(open.page);
      lock(previous, open.page === 0 ? "This is the first page." : "");
      lock(next, open.page === part.pages.length - 1 ? "This is the last page." : "");
    },
  };
}

/** The chosen measure or measures. */
function buildChosen({ draft, score }) {
  const first = number("Number", "first-number");
  const count = number("Measures in this frame", "count");
  first.input.addEventListener("change", () => draft.number(first.input.valueAsNumber));
  count.input.addEventListener("change", () => draft.count(Math.min(count.input.valueAsNumber, 1000)));
  const sure = button("Looks right", () => draft.confirm(), null, { title: "C" });
  const merge = button("Merge", () => draft.merge(), null, { title: "M" });
  const split = button("Split", () => draft.split(), null,
    { title: "S, or a double click where the bar line is" });
  const heading = make("h2", { text: "Chosen measure" });
  const movement = make("select", { "aria-label": "Movement" },
    ...score.movements.map((each, index) =>
      make("option", { value: index, text: each.name || `Movement ${index + 1}` })));
  movement.addEventListener("change", () => draft.movement(Number(movement.value)));
  const element = make("section", { class: "chosen" }, heading,
    make("div", { class: "pair" }, first.label, count.label),
    score.movements.length > 1 ? make("label", {}, "Movement, from here on", movement) : null,
    make("div", { class: "row" },
      sure, button("Number on from here", () => draft.number(first.input.valueAsNumber, true), null,
        { id: "number-on", title: "N, the number, Escape, R" }),
      merge, split,
      button("Delete", () => draft.remove(), "trash", { class: "danger", title: "Delete" })));
  const none = make("p", { class: "faint", text: "Drag over the paper to add a measure, click one to choose it." });
  return {
    element, none,
    draw() {
      const place = draft.current;
      element.hidden = !place?.box;
      none.hidden = Boolean(place?.box);
      const group = draft.group;
      write(heading, group.length > 1 ? `${group.length} chosen measures` : "Chosen measure");
      sure.hidden = !group.some((at) => draft.places[at].isDoubtful);
      lock(merge, draft.canMerge ? "" : "Choose frames that follow each other: Shift and click, or Choose several.");
      lock(split, group.length > 1 ? "Choose one frame to split it." : "");
      if (!place?.box) return;
      if (document.activeElement !== first.input) first.input.value = place.first;
      if (document.activeElement !== count.input) count.input.value = String(place.last - place.first + 1);
      movement.value = String(place.movement);
    },
  };
}

/** The first and last measure of a page, instead of frames. */
function buildEnds(open) {
  const { draft } = open;
  const ends = [number("First measure", "page-first"), number("Last measure", "page-last")];
  const element = make("details", { class: "ends" },
    make("summary", { text: "Only the first and last measure of this page" }),
    make("p", { class: "faint", text: "Enough for turning pages; frames of this page are replaced." }),
    make("div", { class: "pair" }, ...ends.map((end) => end.label)),
    make("div", { class: "row" },
      button("Set", () => {
        const [from, to] = ends.map((end) => end.input.valueAsNumber);
        if (Number.isInteger(from) && Number.isInteger(to)) draft.ends(open.page, from, to);
      }),
      button("Clear this page", () => draft.ends(open.page, null))));
  return {
    element,
    draw() {
      const here = draft.places.filter((each) => each.page === open.page);
      if (!ends.some((end) => end.input === document.activeElement)) {
        ends[0].input.value = here[0]?.first ?? "";
        ends[1].input.value = here.at(-1)?.last ?? "";
      }
      element.open ||= here.some((each) => !each.box);
    },
  };
}

/** Joins frames that were found for each staff into systems. */
function buildStacking(actions) {
  const staves = number("Staves in a system", "system-staves");
  staves.input.min = "2";
  staves.input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") actions.stack(staves.input.valueAsNumber);
  });
  return make("details", { class: "ends" }, make("summary", { text: "Each staff got frames of its own" }),
    make("p", { class: "faint", text: "Joins the frames of this page into systems of this many staves." }),
    staves.label,
    make("div", { class: "row" }, button("Join staves", () => actions.stack(staves.input.valueAsNumber))));
}

/** What is wrong or doubtful about the marked measures. */
function buildChecks({ draft, part }, actions) {
  const doubts = button("Next doubtful frame", () => actions.nextDoubt(), null, { title: "D" });
  const checks = make("ul", { class: "checks", "aria-label": "Checks" });
  const total = make("p", { class: "faint", role: "status" });
  let drawn = "";
  return {
    element: make("section", {}, make("h2", { text: "Checks" }), total,
      make("div", { class: "row" }, doubts), checks),
    draw(found) {
      doubts.parentElement.hidden = !draft.places.some((each) => each.isDoubtful);
      const marked = new Set(draft.places.map((each) => each.page)).size;
      write(total,
        `${draft.places.length} places on ${marked} of ${part.pages.length} pages` +
          (found.length ? "" : ". Everything is in order."));
      const text = JSON.stringify(found);
      if (text === drawn) return;
      drawn = text;
      checks.replaceChildren(...found.slice(0, 100).map((fault) => make("li", { "data-grave": String(fault.isGrave) },
        make("button", { type: "button", class: "plain",
          onclick: () => (fault.index >= 0 ? actions.choose(fault.index) : actions.go(fault.page)) },
          icon(fault.isGrave ? "lost" : "warn"), fault.sentence))));
    },
  };
}
