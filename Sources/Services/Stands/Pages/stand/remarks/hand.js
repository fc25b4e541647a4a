// Fingers, pens and mice on one page. What is not for remarks goes on to the page untouched.
import { beginStroke, erase, finishMove, finishStroke, putDown, tap } from "./deeds.js";
import { reachOf } from "./tools.js";

const longPress = 450; // ms; shorter than a stand's own long press
const still = 8; // px a hand may tremble
const penStill = 3; // px within which a pen in reading taps; farther, it writes

export class Hand {
  #deed = null; // { kind: "press" | "stroke" | "erase" | "put" | "move", id, isTaken, … }
  #timer = null;
  #swallowsClick = false;
  #ending = new AbortController();

  constructor(surface, desk) {
    this.surface = surface;
    this.desk = desk;
    const { element } = surface;
    const listen = (name, action, options = {}) =>
      element.addEventListener(name, action, { capture: true, signal: this.#ending.signal, ...options });
    listen("pointerdown", (event) => this.#down(event));
    listen("pointerenter", (event) => event.pointerType === "pen" && desk.live.prepare(surface));
    listen("pointermove", (event) => this.#move(event));
    listen("pointerup", (event) => this.#up(event));
    listen("pointercancel", (event) => this.#cancelled(event));
    listen("click", (event) => this.#click(event));
    listen("contextmenu", (event) => { if (this.#deed?.isTaken || desk.tools.kind) event.preventDefault(); });
    listen("dragstart", (event) => { if (this.#deed) event.preventDefault(); });
    for (const name of ["touchstart", "touchmove", "touchend"]) {
      listen(name, (event) => {
        if (!this.#deed?.isTaken) return;
        event.stopPropagation();
        if (event.cancelable && name === "touchmove") event.preventDefault();
      }, { passive: false });
    }
  }

  close() {
    this.cancel();
    this.#ending.abort();
  }

  /** If the browser reports a pen before the next frame is due, its ink is drawn at once. */
  #drawAtOnce(deed) {
    deed.raw = new AbortController();
    this.surface.element.addEventListener("pointerrawupdate", (event) => {
      if (this.#deed !== deed || deed.kind !== "stroke" || event.pointerId !== deed.id) return;
      deed.isRaw = true;
      this.desk.live.extend(event);
    }, { capture: true, signal: deed.raw.signal });
  }

  /** Gives up what is under way; nothing of it stays. */
  cancel() {
    clearTimeout(this.#timer);
    const deed = this.#deed;
    this.#deed = null;
    if (!deed) return;
    deed.raw?.abort();
    if (deed.kind === "stroke") this.desk.live.end();
    if (deed.kind === "move") this.surface.land();
    deed.ghost?.remove();
    for (const id of deed.erased ?? []) this.surface.groupOf(id)?.classList.remove("going");
  }

  #down(event) {
    const { desk, surface } = this;
    desk.tools.see(event);
    if (event.target.closest?.(".remark-writing, .remark-bar, .remark-cross")) return;
    desk.writing.finish();
    desk.hush();
    if (this.#deed) {
      // A second finger means something else, such as zooming.
      const wasTouch = this.#deed.pointerType === "touch" && event.pointerType === "touch";
      if (wasTouch && this.#deed.kind !== "move") this.cancel();
      else this.#take(event);
      return;
    }
    const isEraser = (event.buttons & 32) !== 0 || event.button === 5;
    if (event.button !== 0 && !isEraser) return;
    const works = desk.tools.takes(event) || isEraser;
    const kind = isEraser ? "eraser" : works ? desk.tools.kind : null;
    if (!surface.isLaid) {
      if (!works) return;
      this.#take(event, false);
      return desk.say("This page is not laid out yet; draw in a moment.", true);
    }
    const point = surface.pointOf(event);
    const reach = reachOf(event, surface);
    // In reading, too, a pen writes, on the layer that nobody else sees; fingers turn.
    const writes = kind === null && event.pointerType === "pen";
    const remark = kind === "eraser" ? undefined : surface.hit(point, reach);
    const mayChange = (each) => desk.book.mayChange(each);
    const own = remark && mayChange(remark) ? remark : surface.hit(point, reach, mayChange);
    const deed = { id: event.pointerId, pointerType: event.pointerType, isTaken: Boolean(works), x: event.clientX,
      y: event.clientY, point, remark, own };
    this.#swallowsClick = deed.isTaken;
    if (kind === null && !remark && !writes) {
      if (desk.chosen && !works) desk.choose(null);
      return;
    }
    this.#deed = deed;
    if (deed.isTaken) this.#take(event);
    if (kind === "eraser") Object.assign(deed, { kind: "erase", erased: [] });
    else if (kind === "highlight" || kind === "line") beginStroke(desk, surface, deed, event);
    else if (writes) beginStroke(desk, surface, deed, event, { kind: "line", on: "own" });
    else if (kind === "stamp" || kind === "text") putDown(desk, surface, deed);
    else deed.kind = "press";
    if (deed.kind === "refused") this.#deed = null;
    else if (deed.kind === "stroke" && deed.pointerType === "pen") this.#drawAtOnce(deed);
    if (deed.kind === "erase") erase(desk, surface, deed, event);
    if (own && kind !== "eraser") this.#timer = setTimeout(() => this.#seize(deed), longPress);
  }

  /** A long press on an own remark takes it in hand, whatever tool there is. */
  #seize(deed) {
    if (this.#deed !== deed) return;
    if (deed.kind === "stroke") this.desk.live.end();
    deed.ghost?.remove();
    this.#keepToSelf(deed);
    Object.assign(deed, { kind: "move", remark: deed.own, dx: 0, dy: 0 });
    // The controls change when it is let go: nothing may shift under the finger.
    this.desk.carry(this.surface, deed.own.id);
    this.surface.lift(deed.own.id, 0, 0);
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
  }

  /** Takes a pointer that was everybody's so far. */
  #keepToSelf(deed) {
    if (!deed.isTaken) {
      // Whoever else follows this pointer forgets it.
      this.surface.element.dispatchEvent(new PointerEvent("pointercancel",
        { bubbles: true, pointerId: deed.id, detail: 1 }));
    }
    deed.isTaken = true;
    this.#swallowsClick = true;
    this.#capture(deed.id);
  }

  #move(event) {
    const { desk, surface } = this;
    desk.tools.see(event);
    const deed = this.#deed;
    if (deed?.id !== event.pointerId) return;
    const way = Math.hypot(event.clientX - deed.x, event.clientY - deed.y);
    if (deed.kind === "stroke" && !deed.isTaken && way > penStill) this.#keepToSelf(deed);
    if (deed.isTaken) this.#take(event, false);
    const isFar = way > still;
    if (isFar) clearTimeout(this.#timer);
    if (deed.kind === "stroke" && !deed.isRaw) desk.live.extend(event);
    else if (deed.kind === "erase") erase(desk, surface, deed, event);
    else if (deed.kind === "put") deed.follow(event);
    else if (deed.kind === "press" && isFar) {
      // A remark that is already chosen moves without waiting.
      const chosen = desk.chosen?.surface === surface ? desk.book.get(desk.chosen.id) : null;
      if (deed.isTaken && chosen && deed.own?.id === chosen.id) {
        Object.assign(deed, { kind: "move", remark: chosen, dx: 0, dy: 0 });
        desk.carry(surface, chosen.id);
      } else if (deed.isTaken) deed.kind = "nothing";
      else this.#deed = null;
    }
    if (deed.kind === "move") {
      const point = surface.pointOf(event);
      [deed.dx, deed.dy] = [point.x - deed.point.x, point.y - deed.point.y];
      surface.lift(deed.remark.id, deed.dx, deed.dy);
    }
  }

  #up(event) {
    const { desk, surface } = this;
    const deed = this.#deed;
    if (deed?.id !== event.pointerId) return;
    clearTimeout(this.#timer);
    this.#deed = null;
    deed.raw?.abort();
    if (deed.isTaken) this.#take(event, false);
    if (deed.kind === "stroke" && !deed.isTaken) desk.live.end();
    else if (deed.kind === "stroke") finishStroke(desk, surface, deed, event);
    else if (deed.kind === "erase") desk.acts.do(...deed.erased.map((id) => ({ erase: id })));
    else if (deed.kind === "put") deed.finish(event);
    else if (deed.kind === "move") finishMove(desk, surface, deed, event);
    else if (deed.kind === "press") tap(desk, surface, deed);
  }

  #cancelled(event) {
    if (event.detail === 1 && !event.isTrusted) return;
    if (this.#deed?.id !== event.pointerId) return;
    if (this.#deed.isTaken) event.stopPropagation();
    this.cancel();
    this.surface.show();
  }

  #click(event) {
    if (!this.#swallowsClick || event.target.closest?.(".remark-bar, .remark-writing, .remark-cross")) return;
    this.#swallowsClick = false;
    event.stopPropagation();
    event.preventDefault();
  }

  #take(event, captures = true) {
    event.stopPropagation();
    event.preventDefault();
    if (captures) this.#capture(event.pointerId);
  }

  #capture(id) {
    try {
      this.surface.element.setPointerCapture(id);
    } catch {
      // The pointer has left already.
    }
  }
}
