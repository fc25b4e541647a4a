// The tool in hand, and what it was last used with: tool, colour, width, stamp and layer are kept on this device.
import { quick } from "../store.js";

/** Widths to choose from, in ten-thousandths of the page's width; of texts and stamps the height. */
export const widths = {
  line: [["Fine", 20], ["Medium", 36], ["Broad", 70]],
  highlight: [["Fine", 140], ["Medium", 240], ["Broad", 420]],
  text: [["Small", 160], ["Medium", 230], ["Large", 360]],
  stamp: [["Small", 200], ["Medium", 300], ["Large", 460]],
};
const putting = ["text", "stamp"];
const [fingerReach, penReach] = [14, 6]; // px beside a remark that still count

export const reachOf = (event, surface) => (event.pointerType === "touch" ? fingerReach : penReach) * surface.unit;

export class Tools {
  kind = null;
  layer = "own";
  stamp = "down-bow";
  fingerDraws = true; // until a pen was seen; then only where it is wished
  penSeen = false;
  #kept = {
    line: { colour: "#1a4fd6", width: 36 }, highlight: { colour: "#ffd21f", width: 240 },
    text: { colour: "#1a4fd6", width: 230 }, stamp: { colour: "#1a4fd6", width: 300 },
  };

  #last = null; // the kind that was in hand last; null before the first
  #wished = null; // { key, name } of the layer that was chosen last

  /** `changed` is called when the tool is another. */
  constructor(user, changed) {
    this.changed = changed;
    this.key = `pen.${user}`;
    const { kind = null, layer = null, stamp = this.stamp, inks = {} } = quick.get(this.key) ?? {};
    [this.#last, this.#wished, this.stamp] = [kind, layer, stamp];
    for (const each of Object.keys(this.#kept)) Object.assign(this.#kept[each], inks[each]);
  }

  #keep() {
    quick.put(this.key, { kind: this.#last, layer: this.#wished, stamp: this.stamp, inks: this.#kept });
  }

  /** Takes a tool in hand, or with null puts it down; what is not named stays as it was. */
  set(tool) {
    this.kind = tool?.kind ?? null;
    if (tool?.layer) this.writeOn(tool.layer);
    if (tool?.stamp) this.stamp = tool.stamp;
    const kept = this.#kept[this.kind];
    if (kept && tool.colour) kept.colour = tool.colour;
    if (kept && tool.width) kept.width = tool.width;
    // Nobody begins by erasing.
    if (this.kind && this.kind !== "eraser") this.#last = this.kind;
    if (this.kind) this.#keep();
    this.changed();
  }

  /** Takes in hand what was in hand last. */
  resume() {
    if (this.#last) this.set({ kind: this.#last });
  }

  /** Chooses the layer to write on. The one of another score has the same name. */
  writeOn(key, name = null) {
    this.layer = key;
    this.#wished = { key, name };
    this.#keep();
  }

  /** Takes the layers that are open, as `{ key, name }`. With a tool in hand the layer stays as long as it is open;
      else it is the one that was chosen last, or the private one. */
  offer(open) {
    const { key, name } = this.#wished ?? {};
    const wished = open.find((each) => each.key === key) ?? open.find((each) => name && each.name === name);
    if (this.kind === null) this.layer = wished?.key ?? "own";
    else if (!open.some((each) => each.key === this.layer)) this.layer = "own";
  }

  /** Colour and width of the tool in hand, or of a kind of remark. */
  ink(kind = this.kind) {
    return this.#kept[kind] ?? null;
  }

  get current() {
    if (!this.kind) return null;
    return { kind: this.kind, stamp: this.stamp, layer: this.layer, ...this.ink() };
  }

  get isPutting() {
    return putting.includes(this.kind);
  }

  /** A pen came near: from now on a hand that rests on the page draws nothing. */
  see(event) {
    if (event.pointerType !== "pen" || this.penSeen) return;
    this.penSeen = true;
    this.fingerDraws = false;
    // In reading nothing shows it yet, and the pen's first ink is not to wait.
    if (this.kind) this.changed();
    else setTimeout(() => this.changed(), 300);
  }

  /** True if this pointer works with the tool; otherwise it belongs to the page. */
  takes(event) {
    if (!this.kind) return false;
    return event.pointerType !== "touch" || this.fingerDraws || this.kind === "select";
  }
}
