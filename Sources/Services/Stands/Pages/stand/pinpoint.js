// The place shown to all, from where to play again: shown on the page until the music has left it behind.
import { laidPinpoint } from "./layout.js";
import { barByMark, marksOf } from "./marks.js";
import { pinpointOf, pinpointPlace } from "./places.js";
import { notice, say } from "./words.js";

export class Pinpoint {
  #shown = null; // { measure, movement, isTakenUp }

  constructor(reader) {
    this.reader = reader;
  }

  /** Shows a place, or none for null. A new place turns its page up and is announced. */
  show(pinpoint, isNew) {
    const { score, part, paper, turner, turning, chrome } = this.reader;
    if (!score) return;
    this.#shown = pinpoint ? { measure: pinpoint.measure ?? null, movement: pinpoint.movement ?? 0, isTakenUp: false }
      : null;
    const place = pinpoint ? pinpointPlace(laidPinpoint(pinpoint, score), part, score) : null;
    paper.mark("pinpoint", place && (place.box || place.point)
      ? { page: place.page, box: place.box, point: place.box ? null : place.point } : null);
    if (place && isNew) turner.goTo(place.page, place.box);
    const bar = pinpoint?.measure;
    const byMark = pinpoint ? barByMark(marksOf(score), pinpoint.movement ?? 0, bar) : "";
    const sentence = !pinpoint ? "" : bar === null || bar === undefined ? "From the place marked"
      : `From bar ${bar}${byMark ? ` · ${byMark}` : ""}`;
    chrome.sign("sign-pinpoint", sentence);
    if (isNew && sentence) say(`${sentence}, page ${(place?.page ?? turning.view.page) + 1}.`);
  }

  /** Once the players have taken it up and are well on their way, nothing need be shown any more. */
  leave() {
    const bar = this.#shown ? this.reader.live.barOf(this.#shown.movement) : null;
    const { measure = null } = this.#shown ?? {};
    if (bar === null || measure === null) return;
    if (Math.abs(bar - measure) <= 2) this.#shown.isTakenUp = true;
    else if (this.#shown.isTakenUp && bar >= measure + 4) this.show(null, false);
  }

  /** A long press on a bar: its leader shows all from where to play again. */
  put(x, y, target) {
    const { reader } = this;
    if (!reader.leads || target.closest?.("[data-remark]")) return;
    if (!reader.content.isRunning) return notice("A place is shown to all while a session runs: begin one first.");
    const spot = reader.paper.spotAt(x, y);
    if (!spot) return;
    navigator.vibrate?.(15);
    reader.act({ pinpoint: pinpointOf(spot.x, spot.y, spot.page, reader.part, reader.score) });
  }
}
