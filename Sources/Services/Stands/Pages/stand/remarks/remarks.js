// Remarks on pages: drawn by finger, pen, mouse or keyboard, shown as the room has them.
import { undoKey } from "/shared/undo.js";
import { Acts } from "./acts.js";
import { Bar } from "./bar.js";
import { Book } from "./book.js";
import { Hand } from "./hand.js";
import { Keys } from "./keys.js";
import { LiveStroke } from "./live.js";
import { Surface } from "./surface.js";
import { Toolbar } from "./toolbar.js";
import { Tools } from "./tools.js";
import { Writing } from "./writing.js";

function addStyleSheet() {
  const href = new URL("remarks.css", import.meta.url).href;
  if ([...document.querySelectorAll("link[rel=stylesheet]")].some((link) => link.href === href)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
}

/**
 * The remarks of one score as one person sees them.
 *
 * `send(act)` takes an act's JSON ({place}, {edit}, {erase}, {restore}) and gives back its event's id; the state, with
 * that act in it, is then to come by `update`. `newID()` gives a new UUID.
 * The toolbar fires `remark-tool` when the tool changes (detail: the tool or null), `remark-layer` where a layer is
 * written on that is not open (detail: its key: "own", "part" for everybody in this part, "public" for everybody in
 * all parts, or a section's layer), and `remark-layers` where the layers are
 * wanted.
 */
export function createRemarks({ userID, send, newID }) {
  addStyleSheet();
  const hands = new Map(); // element → { surface, hand, keys }
  const desk = {
    newID,
    chosen: null,
    sought: null, // the id of the remark that is pointed out
    book: new Book(userID),
    live: new LiveStroke(),

    /** Remarks can be reached by keyboard while there is a tool in hand. */
    get isEditing() {
      return desk.tools.kind !== null;
    },

    /** The chosen remark, if this user may change it; otherwise null. */
    get chosenChangeable() {
      const remark = desk.chosen ? desk.book.get(desk.chosen.id) : null;
      return remark && desk.book.mayChange(remark) ? remark : null;
    },

    /** The id of the layer that is written on; null, with a message, if the layer is not open. */
    openLayer(layer = desk.tools.layer) {
      // Whoever hears this may open it at once.
      if (!desk.book.layers[layer]) {
        toolbar.element.dispatchEvent(new CustomEvent("remark-layer", { detail: layer, bubbles: true }));
      }
      const id = desk.book.layers[layer];
      if (!id) desk.say("This layer is not open; the public one opens when you take part in a session.", true);
      return id ?? null;
    },

    surfaceAt(event, part) {
      return [...hands.values()].find(({ surface }) => surface.part === part && surface.covers(event))?.surface ?? null;
    },

    choose(surface, id) {
      const before = desk.chosen?.surface;
      desk.chosen = surface && id ? { surface, id } : null;
      before?.reframe();
      surface?.reframe();
      desk.showBar();
      toolbar.show();
    },

    /** Chooses a remark that is being moved; its bar and the controls wait until it has landed. */
    carry(surface, id) {
      const before = desk.chosen?.surface;
      desk.chosen = { surface, id };
      before?.reframe();
      bar.hide();
    },

    showBar() {
      const remark = desk.chosen ? desk.book.get(desk.chosen.id) : null;
      if (remark && remark.page === desk.chosen.surface.page) bar.show(desk.chosen.surface, remark);
      else bar.hide();
    },

    remove(id) {
      if (desk.chosen?.id === id) desk.choose(null);
      desk.acts.do({ erase: id });
      desk.say("Deleted.");
    },

    label: (surface, remark) => bar.label(surface, remark),
    hush: () => bar.hush(),
    say: (sentence, isWarning) => toolbar.say(sentence, isWarning),

    setTool(tool) {
      if (tool?.kind !== "select" || !desk.chosen) desk.choose(null);
      desk.tools.set(tool);
    },

    /** A colour or a width for the tool in hand and for what is chosen. */
    setInk(change) {
      const remark = desk.chosenChangeable;
      if (remark) desk.acts.do({ edit: { remark: remark.id, ink: { ...remark.ink, ...change } } });
      else desk.tools.set({ kind: desk.tools.kind, ...change });
    },

    setLayer(layer, name) {
      desk.tools.writeOn(layer, name);
      toolsChanged();
    },

    setFinger(draws) {
      desk.tools.fingerDraws = draws;
      toolsChanged();
    },

    undo() {
      keys((each) => each.settle());
      desk.say(desk.acts.undo() ? "Undone." : "There is nothing to undo.");
    },

    redo() {
      desk.say(desk.acts.redo() ? "Done again." : "There is nothing to do again.");
    },
  };
  const keys = (action) => { for (const each of hands.values()) action(each.keys); };
  const ending = new AbortController();
  let announced = null;
  let soughtTimer = null;

  function show() {
    for (const { surface } of hands.values()) surface.show();
    if (desk.chosen && !desk.book.get(desk.chosen.id)) desk.chosen = null;
    desk.showBar();
    toolbar.show();
  }

  function toolsChanged() {
    const { kind } = desk.tools;
    for (const { surface, hand } of hands.values()) {
      if (kind !== announced) hand.cancel();
      equip(surface.element);
    }
    keys((each) => each.show());
    desk.writing.finish();
    show();
    if (kind === announced) return;
    announced = kind;
    toolbar.element.dispatchEvent(new CustomEvent("remark-tool", { detail: desk.tools.current, bubbles: true }));
  }

  function equip(element) {
    const { kind } = desk.tools;
    element.classList.toggle("remark-drawing", kind !== null);
    if (kind) element.dataset.remarkTool = kind;
    else delete element.dataset.remarkTool;
  }

  function detach(element) {
    const attached = hands.get(element);
    if (!attached) return;
    attached.keys.settle();
    if (desk.chosen?.surface === attached.surface) desk.choose(null);
    attached.hand.close();
    attached.surface.close();
    hands.delete(element);
  }

  desk.tools = new Tools(userID, toolsChanged);
  desk.acts = new Acts(desk.book, send, { changed: show });
  desk.writing = new Writing(desk);
  const bar = new Bar(desk);
  const toolbar = new Toolbar(desk);
  toolbar.show();

  const paper = new MutationObserver(() => { for (const { surface } of hands.values()) surface.ground(); });
  paper.observe(document.documentElement, { attributes: true, attributeFilter: ["data-paper"] });

  document.addEventListener("keydown", (event) => {
    const course = undoKey(event);
    if (hands.size === 0 || !course) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
    desk[course]();
    event.preventDefault();
  }, { signal: ending.signal });

  return {
    /** The controls, to be placed where the page wants them. */
    toolbar: toolbar.element,

    /** Draws over an element that covers a page's picture exactly; `paper` is the page's own `{ width, height }`. */
    attach(element, { part, page, paper }) {
      detach(element);
      const surface = new Surface(element, { part, page, paper }, desk);
      hands.set(element, { surface, hand: new Hand(surface, desk), keys: new Keys(surface, desk) });
      hands.get(element).keys.show();
      equip(element);
    },

    detach,

    /**
     * Takes the present state: whatever was sent is in it, delivered or not. `choices` are the layers to write on, as
     * `{ key, name, title, why }`; `why` says what a locked one waits for.
     */
    update(state) {
      desk.book.take(state);
      if (state.choices) {
        toolbar.offer(state.choices);
        desk.tools.offer(state.choices.filter(({ why }) => !why));
      }
      show();
    },

    /** Points a remark out for a while. False if it is on no page that lies here. */
    show(id) {
      const remark = desk.book.get(id);
      const there = remark && [...hands.values()]
        .find(({ surface }) => surface.part === remark.part && surface.page === remark.page);
      const group = there?.surface.groupOf(id);
      if (!group) return false;
      // The page may be laid anew meanwhile: what is sought is told by its id.
      desk.sought = id;
      for (const { surface } of hands.values()) surface.show();
      clearTimeout(soughtTimer);
      soughtTimer = setTimeout(() => {
        desk.sought = null;
        for (const { surface } of hands.values()) surface.show();
      }, 4_000);
      desk.label(there.surface, remark);
      return true;
    },

    /** Takes a tool in hand; null puts it down. What is not named stays as it was for that kind. */
    setTool: (tool) => desk.setTool(tool),

    /** Takes in hand what was in hand last on this device. */
    resume: () => desk.tools.resume(),

    get tool() {
      return desk.tools.current;
    },

    /** Other music comes: what is under way is finished on this one, and cannot be taken back on the next. */
    settle() {
      keys((each) => each.settle());
      desk.writing.finish();
      desk.choose(null);
      desk.acts.clear();
      toolbar.show();
    },

    undo: () => desk.undo(),
    redo: () => desk.redo(),

    /** Leaves all pages; nothing is listened to any more. */
    close() {
      for (const element of [...hands.keys()]) detach(element);
      paper.disconnect();
      ending.abort();
    },
  };
}
