// The remarks of the score on the pages that lie here: one's own, those of sections, and those for everybody in a room.
import { newID } from "/shared/ids.js";
import { filedAct, laidRemark } from "./layout.js";
import { measureOf, shownInPart } from "./remarks/everypart.js";
import { LayerDialog } from "./remarks/layers.js";
import { extentOf } from "./remarks/picture.js";
import { createRemarks } from "./remarks/remarks.js";
import { ScoreWire } from "./remarks/scorewire.js";
import { notice } from "./words.js";

const whole = 10_000; // a page's width and height in the units of remarks

export class Remarking {
  #remarks = null;
  #seen = []; // the remarks that are shown, as the pages are laid here
  #boxes = new Map(); // page → boxes of its remarks, until remarks change
  #wire = null; // ScoreWire of the score that is open
  #sought = null; // the id of a remark to be shown

  constructor(reader) {
    this.reader = reader;
    this.layers = new LayerDialog(this);
  }

  open() {
    this.#remarks = createRemarks({ userID: this.reader.user, send: (act) => this.#send(act), newID });
    const { toolbar } = this.#remarks;
    this.reader.chrome.equip(toolbar);
    toolbar.addEventListener("remark-layers", () => this.layers.open());
    this.#follow();
  }

  close() {
    this.#remarks?.close?.();
    this.#wire?.stop();
    this.#remarks = this.#wire = this.#sought = null;
    this.#seen = [];
    this.#boxes.clear();
  }

  /** Other music comes; see `settle` of the remarks. */
  settle() {
    this.#remarks?.settle();
  }

  attach(element, page) {
    const { part, score } = this.reader;
    this.#remarks?.attach(element, { part, page, paper: score.parts[part].pages[page] });
  }

  detach(element) {
    this.#remarks?.detach(element);
  }

  setTool(tool) {
    this.#remarks?.setTool(tool);
  }

  resume() {
    this.#remarks?.resume();
  }

  /** The wire of the score that is open; null while none is. */
  get wire() {
    return this.#wire;
  }

  /** Shows a remark on its page as soon as it is there. */
  seek(id) {
    this.#sought = id;
    this.#showSought();
  }

  /** The number of the score's remarks that wait to be delivered. */
  get waitingCount() {
    return this.#wire?.undeliveredRemarks.size ?? 0;
  }

  /** A room may open another score while it goes on. */
  #follow() {
    const { score, device } = this.reader;
    if (!this.#remarks || !score || (this.#wire?.score === score.id && this.#wire.user === device.currentID)) return;
    this.#wire?.stop();
    const wire = new ScoreWire(device, score.id, {
      changed: () => {
        if (wire !== this.#wire) return;
        this.update();
        // A remark may lie in a margin that is not shown.
        if (wire.undeliveredRemarks.size === 0 && !document.body.hasAttribute("data-remarking")) {
          this.reader.paper.layout();
        }
        this.layers.refresh();
        this.reader.chrome.paint();
      },
      refused: (sentence) => notice(sentence),
    });
    this.#wire = wire;
    wire.start().then(() => this.layers.lookForGifts(wire));
  }

  #send(act) {
    const wire = this.#wire;
    const { score } = this.reader;
    // Whoever writes on a layer wants to see it.
    if (act.place && wire.shown.hidden.has(act.place.layer)) {
      wire.make({ hide: { layer: act.place.layer, isHidden: false } });
    }
    if (act.place?.parts && score.parts.length > 1 && !measureOf(act.place, score)) {
      notice("No measure is known at this place: only this part shows it. A librarian can mark the measures.");
    }
    return wire.make(filedAct(act, score, (known) => wire.shown.remarks.get(known)?.remark));
  }

  /** Remarks as the pages are laid here, with those that other parts share; those on pages that are left out are not
      seen. */
  #laid(remarks) {
    const { part, score } = this.reader;
    this.#boxes.clear();
    if (!score) return (this.#seen = remarks);
    const laid = remarks.map((remark) => laidRemark(remark, score)).filter(Boolean);
    const covers = ({ layer }) => {
      const { parts = [] } = this.#wire.shown.layer(layer) ?? {};
      return parts.length === 0 || parts.includes(part);
    };
    const shared = laid.filter((remark) => remark.parts && remark.part !== part && covers(remark));
    return (this.#seen = [...laid, ...shownInPart(shared, part, score)]);
  }

  /** The boxes of the remarks on a page, as shares of it: [left, top, right, bottom]. */
  boxesOn(page) {
    const { part, score } = this.reader;
    const paper = score?.parts[part]?.pages[page];
    if (!paper) return [];
    const name = `${part} ${page} ${paper.page}`;
    if (!this.#boxes.has(name)) this.#boxes.set(name, this.#found(part, page, paper));
    return this.#boxes.get(name);
  }

  #found(part, page, paper) {
    const ratio = paper.height / paper.width;
    return this.#seen.filter((remark) => remark.part === part && remark.page === page).map((remark) => {
      const [left, top, right, bottom] = extentOf(remark, ratio);
      const [x, y] = [remark.anchor[0] / whole, remark.anchor[1] / whole];
      return [x + left / whole, y + top / whole / ratio, x + right / whole, y + bottom / whole / ratio];
    });
  }

  /** The room, the score's remarks, or the part on the stand have changed. */
  update() {
    this.#follow();
    if (!this.#remarks || !this.#wire) return;
    const { content, part, room, score, user } = this.reader;
    const mine = this.#wire.shown;
    const ofRoom = mine.layers.find((layer) => layer.kind === "everybody" && layer.room === room);
    const everybody = content?.isRunning ? ofRoom?.id ?? null : null;
    const writable = mine.layers.filter((layer) => layer.kind === "section" && mine.writesOn(layer, part));
    const why = everybody ? "" : "It opens when the leader begins a session. Private remarks need none.";
    const here = score?.parts[part]?.name ?? "this part";
    this.#remarks.update({
      remarks: this.#laid([...mine.remarks.values()].map(({ remark }) => remark)
        .filter(({ layer }) => !mine.hidden.has(layer))),
      layers: { own: user, part: everybody, public: everybody,
        ...Object.fromEntries(writable.map(({ id }) => [id, id])) },
      layerNames: Object.fromEntries(mine.layers.filter(({ kind }) => kind !== "own")
        .map((layer) => [layer.id, layer === ofRoom ? "everybody" : layer.name])),
      choices: [{ key: "own", name: "Private", title: "Private: only you see it, in every room" },
        ...(room ? [
          { key: "part", name: "This part", why: why && `This part: ${why}`,
            title: `This part: everybody in the room sees it who opens “${here}”` },
          { key: "public", name: "Everybody", why: why && `Everybody: ${why}`,
            title: "Everybody: all in the room see it, in every part at its measure" }] : []),
        ...writable.map(({ id, name }) => ({ key: id, name, title: `${name}: all who play these parts see it` }))],
      corrects: (remark) => mine.corrects(remark),
      undelivered: this.#wire.undeliveredRemarks,
      names: { ...mine.names,
        ...Object.fromEntries((content?.members.elements ?? []).map((member) => [member.user, member.name])) },
      partNames: score?.parts.map(({ name }) => name) ?? [],
    });
    this.#showSought();
  }

  #showSought() {
    if (this.#sought && this.#remarks?.show(this.#sought)) this.#sought = null;
  }
}
