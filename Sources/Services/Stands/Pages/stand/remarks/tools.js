// The tool in hand, and what each tool was last used with.

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

  constructor(changed) {
    this.changed = changed;
  }

  /** Takes a tool in hand, or with null puts it down; what is not named stays as it was. */
  set(tool) {
    this.kind = tool?.kind ?? null;
    if (tool?.layer) this.layer = tool.layer;
    if (tool?.stamp) this.stamp = tool.stamp;
    const kept = this.#kept[this.kind];
    if (kept && tool.colour) kept.colour = tool.colour;
    if (kept && tool.width) kept.width = tool.width;
    this.changed();
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
