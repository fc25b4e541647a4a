// Remarks on the pages that lie here, as the room's copy has them.
import { newID } from "./ids.js";
import { laidRemark } from "./layout.js";
import { createRemarks } from "./remarks/remarks.js";
import { extentOf } from "./remarks/picture.js";

const whole = 10_000; // a page's width and height in the units of remarks

export class Remarking {
  #remarks = null;
  #seen = [];
  #boxes = new Map(); // page → boxes of its remarks, until remarks change

  constructor(reader) {
    this.reader = reader;
  }

  open() {
    const { reader } = this;
    this.#seen = [];
    this.#boxes.clear();
    this.#remarks = createRemarks({ userID: reader.user, send: (act) => reader.act(act), newID });
    const { toolbar } = this.#remarks;
    reader.chrome.equip(toolbar);
    toolbar.addEventListener("remark-layer", ({ detail }) => detail === "own" && reader.wire?.openOwnLayer());
  }

  close() {
    this.#remarks?.close?.();
    this.#remarks = null;
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

  /** Remarks as the pages are laid here; those on pages that are left out are not seen. */
  #laid({ remarks, ownRemarks }) {
    const { score } = this.reader;
    const all = [...remarks.elements, ...ownRemarks.elements];
    this.#boxes.clear();
    this.#seen = score ? all.map((remark) => laidRemark(remark, score)).filter(Boolean) : all;
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

  /** The copy has changed. */
  update() {
    const { wire } = this.reader;
    const shown = wire?.copy?.shown;
    if (!this.#remarks || !shown) return;
    const session = shown.isRunning ? shown.session.id : null;
    this.#remarks.update({
      remarks: this.#laid(shown),
      layers: {
        public: session ? shown.layers.elements.findLast((layer) => layer.session === session)?.id ?? null : null,
        own: session ? wire.ownLayer(session) : null,
      },
      undelivered: wire.copy.undeliveredRemarks,
      names: Object.fromEntries(shown.members.elements.map((member) => [member.user, member.name])),
    });
  }
}
