// Laying the pages of a part: their order, their turning, their margins. Measures and remarks stay on their music.
import { CropFrame } from "/shared/cropframe.js";
import { find, icon, make, mark, write } from "/shared/dom.js";
import { lock } from "/shared/locked.js";
import { Form, drawUpright } from "/shared/pageform.js";
import { undoKey } from "/shared/undo.js";
import { LayoutDraft } from "./layoutdraft.js";
import { SharedWork } from "./meanwhile.js";
import { complain, say } from "./say.js";
import { foundPages, layPart, list, picture, score as read } from "./store.js";

let open = null;

export const isUnlaid = () => open !== null && !open.draft.isSaved;

export function closeArranging() {
  open = null;
  find("arranging").replaceChildren();
}

/** Opens a part. */
export async function showArranging(id, number) {
  const score = await read(id);
  const part = score.parts[number];
  if (!part) throw Object.assign(new Error("The score has no such part; choose another."), { status: 404 });
  const draft = new LayoutDraft(part.layout ?? null, part.pages.length, () => draw());
  const work = new SharedWork(score, ({ parts }) => parts[number]?.layout);
  const mine = { id, number, score, part, draft, work, found: null, images: new Map(), cards: [] };
  open = mine;
  build();
  document.title = `Pages of ${part.name} · ${score.title} · Library`;
  draw();
  write(mine.note, "Looking for margins and crooked pages …");
  await look(mine);
}

/** Asks what is found on the pages: again after they were turned, for margins depend on it. */
async function look(mine) {
  try {
    const found = await foundPages(mine.id, mine.number);
    if (open !== mine) return;
    mine.found = found;
    write(mine.note, "");
    draw();
  } catch (refusal) {
    write(mine.note, refusal.message);
  }
}

/** A sentence for the librarian about pages that lie on their side as they are laid now. */
function sideNote({ draft, found }) {
  const lying = draft.pages.flatMap(({ page, turn = 0 }, position) =>
    (found.pages[page]?.side && turn % 2 === 0 ? [position + 1] : []));
  if (lying.length === 0) return "";
  return lying.length === 1 ? `Page ${lying[0]} lies on its side: turn it.`
    : `Pages ${lying.join(", ")} lie on their side: turn them.`;
}

const button = (text, onclick, sign = null, traits = {}) =>
  make("button", { type: "button", onclick, ...traits }, sign ? icon(sign) : null, text);

function build() {
  const { draft, part, score, id } = open;
  const now = () => draft.selected;
  const tools = {
    left: button("↺ Turn left", () => draft.turn(now(), 3)),
    right: button("↻ Turn right", () => draft.turn(now(), 1)),
    earlier: button("◀ Earlier", () => draft.move(now(), now() - 1)),
    later: button("Later ▶", () => draft.move(now(), now() + 1)),
    out: button("Leave out", () => draft.leaveOut(now())),
    blank: button("Empty page after it", () => {
      if (!draft.insertBlank(now())) say("There are 200 empty pages already; leave one out first.", true);
    }),
  };
  open.tools = tools;
  open.save = button("Save", save, null, { class: "primary", title: "Ctrl S" });
  open.undo = button("Undo", () => draft.undo(), null, { title: "Ctrl Z" });
  open.redo = button("Redo", () => draft.redo(), null, { title: "Ctrl Shift Z" });
  open.state = make("span", { class: "state", role: "status" });
  open.note = make("p", { class: "faint", role: "status" });
  open.grid = make("ol", { class: "pages", "aria-label": "Pages as stands show them" });
  open.out = make("div", { class: "left-out" });
  open.tilt = make("input", { type: "range", min: -10, max: 10, step: 0.05, "aria-label": "Straighten, in degrees" });
  open.tilt.addEventListener("input", () => paint(open.tilt.valueAsNumber));
  open.tilt.addEventListener("change", () => draft.straighten(now(), open.tilt.valueAsNumber));
  open.angle = make("output");
  open.asFound = button("As found", () => draft.straighten(now(), null), null, { class: "plain" });
  open.canvas = make("canvas", { "aria-hidden": "true" });
  open.preview = make("div", { class: "preview" }, open.canvas);
  open.alike = make("input", { type: "checkbox" });
  open.frame = new CropFrame(open.preview, {
    done: (box) => draft.cropPages(draft.pages[now()].page, box, !open.alike.checked, open.found?.crop),
  });
  const margins = make("div", { class: "row" },
    button("Find margins", () => draft.setCrop(null), "now"),
    button("Whole pages", () => draft.setCrop({ odd: [0, 0, 1, 1], even: [0, 0, 1, 1] })),
    make("label", { class: "tick" }, open.alike, "Left and right pages differ"));
  open.cropState = make("p", { class: "faint", role: "status" });
  find("arranging").replaceChildren(
    make("div", { class: "bar" },
      make("a", { class: "button", href: `#/score/${id}` }, icon("back"), score.title),
      make("strong", { text: `Pages of ${part.name}` }),
      make("span", { class: "saving" }, open.undo, open.redo, open.state, open.save)),
    make("div", { class: "arrange" },
      make("section", {}, make("h2", { text: "Order" }), open.grid, open.out,
        make("p", { class: "faint", text: "Nothing of the file is lost: a page that is left out can be brought back, " +
          "and measures and remarks stay on their music." }),
        make("div", { class: "row" }, button("All as in the file", () => draft.reset()))),
      make("section", { class: "chosen-page" }, make("h2", { text: "Chosen page" }),
        make("div", { class: "row" }, ...Object.values(tools)),
        make("label", { class: "straighten" }, "Straighten",
          make("span", { class: "slide" }, open.tilt, open.angle, open.asFound)),
        open.note, make("h2", { text: "Margins" }), margins, open.cropState, open.preview)));
}

/** The form of a laid page; `tilt` instead of the one that is set. */
function formOf(laid, tilt = undefined) {
  const { part, draft, found } = open;
  const size = draft.isBlank(laid) ? part.pages[0] : part.pages[laid.page];
  return new Form(size, laid.turn ?? 0, tilt ?? laid.tilt ?? found?.pages[laid.page]?.tilt ?? 0);
}

const cropOf = ({ page }) => (open.draft.crop ?? open.found?.crop)?.[page % 2 === 0 ? "odd" : "even"] ?? [0, 0, 1, 1];

function draw() {
  if (!open?.grid) return;
  const { draft, tools, found } = open;
  open.cards.splice(draft.pages.length).forEach((card) => card.remove());
  draft.pages.forEach((laid, position) => {
    const card = (open.cards[position] ??= makeCard(position));
    if (!card.isConnected) open.grid.append(card);
    fill(card, laid, position);
  });
  open.out.replaceChildren(...(draft.leftOut.length > 0 ? [make("h2", { text: "Left out" })] : []),
    ...draft.leftOut.map((page) => button(`Bring back page ${page + 1}`, () => draft.bringBack(page), "plus")));
  const laid = draft.pages[draft.selected];
  const isBlank = draft.isBlank(laid);
  lock(tools.earlier, draft.selected === 0 ? "This is the first page." : "");
  lock(tools.later, draft.selected === draft.pages.length - 1 ? "This is the last page." : "");
  lock(tools.out, draft.pages.length === 1 ? "One page must stay." : "");
  for (const tool of [tools.left, tools.right]) lock(tool, isBlank ? "An empty page cannot be turned." : "");
  lock(open.undo, draft.steps.canUndo ? "" : "There is nothing to undo.");
  lock(open.redo, draft.steps.canRedo ? "" : "Nothing was undone.");
  lock(open.save, draft.isSaved ? "Everything is saved." : "");
  write(open.state, draft.isSaved ? "Saved" : "Not saved yet");
  mark(open.state, "data-state", draft.isSaved ? "saved" : "unsaved");
  const { crop } = draft;
  if (crop) open.alike.checked = JSON.stringify(crop.odd) !== JSON.stringify(crop.even) || open.alike.checked;
  write(open.cropState, crop ? "Set by hand, for all pages of this part."
    : found?.crop ? "Found by themselves: common to all pages, so that no printed note is left away."
    : found ? "The pages have no margins worth cropping." : "");
  if (found) write(open.note, sideNote(open));
  const { tilt } = formOf(laid);
  open.tilt.value = String(tilt);
  open.tilt.disabled = isBlank;
  open.asFound.hidden = laid.tilt === undefined || isBlank;
  paint(tilt);
}

function makeCard(position) {
  const canvas = make("canvas", { "aria-hidden": "true", width: 150, height: 200 });
  const button = make("button", { type: "button", class: "page-card", onclick: () => {
    open.draft.select(position);
  } }, canvas, make("span", { class: "words" }), make("span", { class: "faint" }));
  const card = make("li", {}, button);
  button.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (event.shiftKey) open.draft.move(position, position + by);
    else open.draft.select(position + by);
    open.cards[open.draft.selected]?.firstChild.focus();
  });
  return card;
}

function fill(card, laid, position) {
  const { draft } = open;
  const [canvas, title, facts] = card.firstChild.children;
  const isBlank = draft.isBlank(laid);
  write(title, `${position + 1}`);
  write(facts, isBlank ? "empty" : laid.page === position ? "" : `page ${laid.page + 1} of the file`);
  mark(card.firstChild, "aria-label", `Page ${position + 1}${isBlank ? ", empty"
    : laid.page === position ? "" : `, page ${laid.page + 1} of the file`}`);
  mark(card.firstChild, "aria-pressed", String(position === draft.selected));
  const form = formOf(laid);
  const name = `${laid.page} ${form.turns} ${form.tilt}`;
  if (canvas.dataset.drawn === name) return;
  canvas.dataset.drawn = name;
  const scale = Math.min(150 / form.width, 200 / form.height);
  Object.assign(canvas, { width: Math.round(form.width * scale), height: Math.round(form.height * scale) });
  show(canvas, laid, form, "thumbnail", () => canvas.dataset.drawn === name);
}

/** Paints the chosen page large, with its crop. */
function paint(tilt) {
  const { draft, canvas, preview, frame, angle } = open;
  const laid = draft.pages[draft.selected];
  const form = formOf(laid, tilt);
  preview.style.aspectRatio = `${form.width} / ${form.height}`;
  write(angle, `${tilt > 0 ? "+" : ""}${tilt.toFixed(2)}°`);
  frame.element.hidden = draft.isBlank(laid);
  frame.show(cropOf(laid));
  const [width, height] = [900, Math.round((900 * form.height) / form.width)];
  const name = `${laid.page} ${form.turns} ${tilt}`;
  open.painted = name;
  const mine = open;
  show(canvas, laid, form, "medium", () => open === mine && mine.painted === name, [width, height]);
}

async function show(canvas, laid, form, size, isWanted, [width, height] = [canvas.width, canvas.height]) {
  const { draft } = open;
  const image = draft.isBlank(laid) ? null : await imageOf(laid.page, size).catch(() => null);
  if (!isWanted()) return;
  Object.assign(canvas, { width, height });
  const brush = canvas.getContext("2d", { alpha: false });
  brush.fillStyle = "#fff";
  brush.fillRect(0, 0, width, height);
  if (image) drawUpright(brush, image, form, [0, 0, 1, 1], width, height);
}

/** A page's picture, loaded once. */
function imageOf(page, size) {
  const { id, number, score, images } = open;
  const name = `${page} ${size}`;
  if (!images.has(name)) {
    const image = new Image();
    image.src = picture(id, number, page, size, score.images?.[number] ?? score.revision);
    images.set(name, image.decode().then(() => image));
  }
  return images.get(name);
}

async function save() {
  const mine = open;
  const { state, layout } = mine.draft;
  try {
    const { theirs } = await mine.work.save((revision) => layPart(mine.id, mine.number, { layout, revision }));
    if (theirs) {
      mine.draft.take(theirs.parts[mine.number]?.layout ?? null);
      say("Somebody else has laid these pages meanwhile; you see that now. Undo shows yours again, and Save then " +
        "keeps yours instead.", true);
    } else {
      mine.draft.markSaved(state);
      say("Saved. Open stands show it now.");
    }
    look(mine);
    list.read().catch(() => {});
  } catch (refusal) {
    complain(refusal);
  }
}

addEventListener("keydown", (event) => {
  if (!open || !(event.ctrlKey || event.metaKey) || event.target.closest("input[type=text]")) return;
  const course = undoKey(event);
  if (event.key.toLowerCase() === "s") {
    if (!open.draft.isSaved) save();
  } else if (course) open.draft[course]();
  else return;
  event.preventDefault();
});
