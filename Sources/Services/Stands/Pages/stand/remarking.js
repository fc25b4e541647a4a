// Remarks on the pages that lie here: those of the score, which belong to it everywhere, and those of the room's
// sessions.
import { newID } from "/shared/ids.js";
import { filedAct, laidRemark } from "./layout.js";
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

  /** A remark goes where its layer is: into the score, or into the room. */
  #send(act) {
    const wire = this.#wire;
    const id = act.edit?.remark ?? act.erase ?? act.restore;
    const isOfScore = act.place ? wire?.shown.layer(act.place.layer) : wire?.has(id);
    if (!isOfScore) return this.reader.act(act);
    // Whoever writes on a layer wants to see it.
    if (act.place && wire.shown.hidden.has(act.place.layer)) {
      wire.make({ hide: { layer: act.place.layer, isHidden: false } });
    }
    return wire.make(filedAct(act, this.reader.score, (known) => wire.shown.remarks.get(known)?.remark));
  }

  /** Remarks as the pages are laid here; those on pages that are left out are not seen. */
  #laid(remarks) {
    const { score } = this.reader;
    this.#boxes.clear();
    this.#seen = score ? remarks.map((remark) => laidRemark(remark, score)).filter(Boolean) : remarks;
    return this.#seen;
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

  /** The room's copy, the score's remarks, or the part on the stand have changed. */
  update() {
    this.#follow();
    if (!this.#remarks || !this.#wire) return;
    const { reader } = this;
    const { user } = reader;
    const room = reader.wire?.copy?.shown ?? null;
    const session = room?.isRunning ? room.session.id : null;
    const mine = this.#wire.shown;
    const writable = mine.layers.filter((layer) => layer.kind === "section" && mine.writesOn(layer, reader.part));
    const layers = { own: user,
      public: session ? room.layers.elements.findLast((layer) => layer.session === session)?.id ?? null : null };
    for (const { id } of writable) layers[id] = id;
    const ofRoom = [...(room?.remarks.elements ?? []), ...(room?.ownRemarks.elements ?? [])]
      .filter((remark) => room.scoreOf(remark) === reader.score?.id);
    const ofScore = [...mine.remarks.values()].map(({ remark }) => remark)
      .filter(({ layer }) => !mine.hidden.has(layer));
    this.#remarks.update({
      remarks: this.#laid([...ofRoom, ...ofScore]),
      layers,
      layerNames: Object.fromEntries(mine.layers.filter(({ kind }) => kind !== "own")
        .map(({ id, name }) => [id, name])),
      privateLayers: new Set([user, ...(room?.ownLayers.elements ?? []).map(({ id }) => id)]),
      choices: [{ key: "own", name: "Private", title: "Private: only you see it, in every room" },
        ...(reader.room ? [{ key: "public", name: "Public", title: "Public: everybody in the room sees it",
          why: session ? "" : "Public: it opens when the leader begins a session. Private remarks need none." }] : []),
        ...writable.map(({ id, name }) => ({ key: id, name, title: `${name}: all who play these parts see it` }))],
      corrects: (remark) => mine.corrects(remark),
      undelivered: new Set([...(reader.wire?.copy?.undeliveredRemarks ?? []), ...this.#wire.undeliveredRemarks]),
      names: { ...mine.names,
        ...Object.fromEntries((room?.members.elements ?? []).map((member) => [member.user, member.name])) },
    });
    this.#showSought();
  }

  #showSought() {
    if (this.#sought && this.#remarks?.show(this.#sought)) this.#sought = null;
  }
}
