// Marking measures: a page's picture, the frames on it, and what is known of them.
import { find } from "/shared/dom.js";
import { knownPieces, list, markPart, picture, proposals, score as read } from "./store.js";
import { Draft } from "./draft.js";
import { boundNumbers, faults, meets, shared } from "./places.js";
import { Frames } from "./frames.js";
import { SharedWork } from "./meanwhile.js";
import { filedPlaces, laidPart, layImage } from "./laidpart.js";
import { buildDesk } from "./markingdesk.js";
import { wireMarkingKeys } from "./markingkeys.js";
import { complain, say } from "./say.js";

/** @type {any} */
let open = null;

/** True if there are changes that would be lost. */
export const isUnsaved = () => open !== null && !open.draft.isSaved;

export function closeMarking() {
  open = null;
  find("marking").replaceChildren();
}

/** Opens a part at a page, or turns to the page where the part is open already. */
export async function showMarking(id, number, page) {
  if (open?.id === id && open.number === number) return turn(page);
  const [score, pieces] = await Promise.all([read(id), knownPieces()]);
  const part = score.parts[number] && laidPart(score.parts[number]);
  if (!part) throw Object.assign(new Error("The score has no such part; choose another."), { status: 404 });
  // Frames on an engraved page come from the engraving; they can be changed all the same.
  const draft = new Draft(drafted(part), () => draw());
  open = { id, number, score, part, draft, page: 0, revision: score.revision,
    work: new SharedWork(score, ({ parts }) => parts[number]?.places),
    bound: boundNumbers(score.movements, pieces) };
  open.desk = buildDesk(find("marking"), open, actions);
  open.frames = new Frames(open.desk.paper, {
    select: (index, how) => {
      if (how || !draft.group.includes(index)) draft.select(index, how ?? "only");
    },
    selectIn: (box) => draft.selectAll(draft.places.map((place, index) => ({ place, index }))
      .filter(({ place }) => place.page === open.page && place.box && meets(place.box, box))
      .map(({ index }) => index)),
    shift: (way) => draft.shift(way),
    isSeveral: () => open.desk.isSeveral(),
    frame: (box) => draft.frame(box),
    add: (box) => { draft.add(open.page, box); open.frames.focus(draft.selected); },
    split: (index, share) => { draft.select(index); draft.split(share); },
  });
  document.title = `${part.name} · ${score.title} · Library`;
  turn(page);
}

const drafted = ({ places }) => places.map((place) => ({ ...place, box: place.box ?? null }));

/** Shows the measures that somebody else has marked, on the pages as they are laid here. */
function showTheirs({ draft, score, number }, theirs) {
  const { layout } = score.parts[number];
  const part = theirs.parts[number];
  if (part) draft.take(drafted(laidPart({ ...part, layout })));
  say("Somebody else has marked measures of this part meanwhile; you see theirs now. Undo shows yours again, and " +
    "Save then keeps yours instead.", true);
}

function turn(page) {
  open.page = Math.min(Math.max(page, 0), open.part.pages.length - 1);
  if (open.draft.current && open.draft.current.page !== open.page) {
    open.draft.selected = -1;
    open.draft.others.clear();
  }
  const { desk, id, number, part, revision } = open;
  const { width, height } = part.pages[open.page];
  desk.paper.style.aspectRatio = `${width} / ${height}`;
  desk.image.src = picture(id, number, part.pages[open.page].page, "large", revision);
  layImage(desk.image, part.pages[open.page]);
  desk.image.alt = `Page ${open.page + 1} of ${part.name}`;
  const next = new Image();
  if (open.page + 1 < part.pages.length) {
    next.src = picture(id, number, part.pages[open.page + 1].page, "large", revision);
  }
  draw();
}

function draw() {
  if (!open?.frames) return;
  const { draft, page, score, bound } = open;
  const found = faults(draft.places, score.movements.length, bound);
  const faulty = new Set(found.filter((fault) => fault.isGrave).map((fault) => fault.index));
  const here = draft.places.map((place, index) => ({ place, index, isFaulty: faulty.has(index) }))
    .filter(({ place }) => place.page === page && place.box);
  open.frames.draw(here, draft.selected, draft.group);
  open.desk.draw(found);
}

/** The actions of buttons and keys. */
const actions = {
  go(page) {
    if (page < 0 || page >= open.part.pages.length) return;
    const place = `#/score/${open.id}/part/${open.number}/page/${page}`;
    history.replaceState(null, "", place);
    turn(page);
  },
  choose(index) {
    const place = open.draft.places[index];
    if (!place) return;
    if (place.page !== open.page) actions.go(place.page);
    open.draft.select(index);
    open.frames.focus(index);
  },
  /** The next frame to look at, on any page. */
  nextDoubt() {
    const { places, selected } = open.draft;
    const found = places.map((place, index) => ({ place, index })).filter(({ place }) => place.isDoubtful);
    if (found.length === 0) return say("No frame is doubtful.");
    actions.choose((found.find(({ index }) => index > selected) ?? found[0]).index);
  },
  stack(staves) {
    const gone = open.draft.stack(open.page, staves);
    say(gone ? `${gone} frames were joined to those above them. Check the numbers.`
      : "No lines of frames were joined: find the measures first, and give at least 2 staves.", !gone);
  },
  async propose(pages) {
    const mine = open;
    let added = 0;
    let doubtful = 0;
    for (const [at, page] of pages.entries()) {
      mine.desk.busy(pages.length > 1
        ? `Looking at page ${page + 1} (${at + 1} of ${pages.length}) …` : "Looking for bar lines …");
      try {
        const { page: filed, form } = mine.part.pages[page];
        const boxes = (await proposals(mine.id, mine.number, filed))
          .map((each) => ({ ...each, box: form.uprightBox(each.box) }));
        if (open !== mine) return;
        added += mine.draft.addAll(page,
          boxes.map((each) => ({ box: each.box, isDoubtful: each.confidence < 0.5 })));
        doubtful = mine.draft.places.filter((each) => each.isDoubtful && pages.includes(each.page)).length;
      } catch (refusal) {
        complain(refusal);
        break;
      }
      if (mine.isStopped) break;
    }
    mine.isStopped = false;
    mine.desk.busy("");
    // The last one found may be on another page than the one looked at.
    if (mine.draft.current && mine.draft.current.page !== mine.page) mine.draft.select(-1);
    say(added === 0 ? "No further measures were found; drag over the paper to add one."
      : `${added} measures were found${doubtful ? `; look at the ${doubtful} in yellow (D)` : ""}. ` +
        "Check their numbers.");
  },
  stop() { open.isStopped = true; },
  async save() {
    const mine = open;
    const sent = mine.draft.places;
    try {
      const { answer, theirs } = await mine.work.save((revision) =>
        markPart(mine.id, mine.number, { places: filedPlaces(shared(sent), mine.part), revision }));
      if (theirs) return showTheirs(mine, theirs);
      mine.draft.saved = JSON.stringify(shared(sent));
      mine.draft.watch();
      const { length } = answer.remarks;
      say(length ? `Saved. ${answer.remarks[0]}${length > 1 ? ` ${length - 1} more under Checks.` : ""}` : "Saved.",
        length > 0);
      list.read().catch(() => {});
    } catch (refusal) {
      if (refusal.status === 401) complain(refusal);
      else say(refusal.message.split("\n")[0], true);
    }
  },
};

wireMarkingKeys(() => open, actions);
