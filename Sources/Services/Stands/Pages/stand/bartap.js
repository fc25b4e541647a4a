// A tap on the music that means a bar while a tool is open: the stage does not turn a page for it.
const still = 12; // px a finger may tremble in a tap

export class BarTap {
  #touch = null;

  /** `isWanted()` says whether a tap is for this tool; `take({ page, x, y })` gives true if it meant something. */
  constructor(reader, isWanted, take) {
    const stage = document.getElementById("stage");
    stage.addEventListener("pointerdown", ({ isPrimary, clientX, clientY, target }) => {
      this.#touch = isPrimary && !target.closest("button") ? { x: clientX, y: clientY } : null;
    }, { capture: true });
    stage.addEventListener("pointerup", (event) => {
      const touch = this.#touch;
      this.#touch = null;
      if (!touch || !isWanted() || !reader.score || document.body.dataset.remarking !== undefined) return;
      if (Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > still) return;
      const spot = reader.paper.spotAt(event.clientX, event.clientY);
      if (!spot || !take(spot)) return;
      event.stopImmediatePropagation();
      // Also a stroke that a pen has begun here.
      event.target.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true, pointerId: event.pointerId }));
    }, { capture: true });
  }
}
