// Remarks on the pages that lie here, as the room's copy has them.
import { newID } from "./ids.js";
import { createRemarks } from "./remarks/remarks.js";

export class Remarking {
  #remarks = null;

  constructor(reader) {
    this.reader = reader;
  }

  open() {
    const { reader } = this;
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

  /** The copy has changed. */
  update() {
    const { wire } = this.reader;
    const shown = wire?.copy?.shown;
    if (!this.#remarks || !shown) return;
    const session = shown.isRunning ? shown.session.id : null;
    this.#remarks.update({
      remarks: [...shown.remarks.elements, ...shown.ownRemarks.elements]
        .filter((remark) => shown.scoreOf(remark) === this.reader.score?.id),
      layers: {
        public: session ? shown.layers.elements.findLast((layer) => layer.session === session)?.id ?? null : null,
        own: session ? wire.ownLayer(session) : null,
      },
      undelivered: wire.copy.undeliveredRemarks,
      names: Object.fromEntries(shown.members.elements.map((member) => [member.user, member.name])),
    });
  }
}
