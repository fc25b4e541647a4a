// Fingers, pens and mice on one page. What is not for remarks goes on to the page untouched.
import { zoneOf } from "../hands.js";
import { beginStroke, erase, finishMove, finishStroke, putDown, tap } from "./gestures.js";
import { reachOf } from "./tools.js";

const longPress = 450; // ms; shorter than a stand's own long press
const still = 8; // px a hand may tremble
const penStill = 3; // px within which a pen in reading taps; farther, it writes

export class Hand {
  #gesture = null; // { kind: "press" | "stroke" | "erase" | "put" | "move", id, isTaken, … }
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
    listen("pointermove", (event) => this.#move(event));
    listen("pointerup", (event) => this.#up(event));
    listen("pointercancel", (event) => this.#cancelled(event));
    listen("click", (event) => this.#click(event));
    listen("contextmenu", (event) => { if (this.#gesture?.isTaken || desk.tools.kind) event.preventDefault(); });
    listen("dragstart", (event) => { if (this.#gesture) event.preventDefault(); });
    for (const name of ["touchstart", "touchmove", "touchend"]) {
      listen(name, (event) => {
        if (!this.#gesture?.isTaken) return;
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
  #drawAtOnce(gesture) {
    gesture.raw = new AbortController();
    this.surface.element.addEventListener("pointerrawupdate", (event) => {
      if (this.#gesture !== gesture || gesture.kind !== "stroke" || event.pointerId !== gesture.id) return;
      gesture.isRaw = true;
      this.desk.live.extend(event);
    }, { capture: true, signal: gesture.raw.signal });
  }

  /** Gives up what is under way; nothing of it stays. */
  cancel() {
    clearTimeout(this.#timer);
    const gesture = this.#gesture;
    this.#gesture = null;
    if (!gesture) return;
    gesture.raw?.abort();
    if (gesture.kind === "stroke") this.desk.live.end();
    if (gesture.kind === "move") this.surface.land();
    gesture.ghost?.remove();
    for (const id of gesture.erased ?? []) this.surface.groupOf(id)?.classList.remove("going");
  }

  #down(event) {
    const { desk, surface } = this;
    desk.tools.see(event);
    if (event.target.closest?.(".remark-writing, .remark-bar, .remark-cross")) return;
    desk.writing.finish();
    desk.hush();
    if (this.#gesture) {
      // A second finger means something else, such as zooming.
      const wasTouch = this.#gesture.pointerType === "touch" && event.pointerType === "touch";
      if (wasTouch && this.#gesture.kind !== "move") this.cancel();
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
    const gesture = { id: event.pointerId, pointerType: event.pointerType, isTaken: Boolean(works), x: event.clientX,
      y: event.clientY, point, remark, own };
    this.#swallowsClick = gesture.isTaken;
    if (kind === null && !remark && !writes) {
      if (desk.chosen && !works) desk.choose(null);
      return;
    }
    this.#gesture = gesture;
    if (gesture.isTaken) this.#take(event);
    if (kind === "eraser") Object.assign(gesture, { kind: "erase", erased: [] });
    else if (kind === "highlight" || kind === "line") beginStroke(desk, surface, gesture, event);
    else if (writes) beginStroke(desk, surface, gesture, event, { kind: "line", on: "own" });
    else if (kind === "stamp" || kind === "text") putDown(desk, surface, gesture);
    else gesture.kind = "press";
    if (gesture.kind === "refused") this.#gesture = null;
    else if (gesture.kind === "stroke" && gesture.pointerType === "pen") this.#drawAtOnce(gesture);
    if (gesture.kind === "erase") erase(desk, surface, gesture, event);
    if (own && kind !== "eraser") this.#timer = setTimeout(() => this.#seize(gesture), longPress);
  }

  /** A long press on an own remark takes it in hand, whatever tool there is. */
  #seize(gesture) {
    if (this.#gesture !== gesture) return;
    if (gesture.kind === "stroke") this.desk.live.end();
    gesture.ghost?.remove();
    this.#keepToSelf(gesture);
    Object.assign(gesture, { kind: "move", remark: gesture.own, dx: 0, dy: 0 });
    // The controls change when it is let go: nothing may shift under the finger.
    this.desk.carry(this.surface, gesture.own.id);
    this.surface.lift(gesture.own.id, 0, 0);
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
  }

  /** Takes a pointer that was everybody's so far. */
  #keepToSelf(gesture) {
    if (!gesture.isTaken) {
      // Whoever else follows this pointer forgets it.
      this.surface.element.dispatchEvent(new PointerEvent("pointercancel",
        { bubbles: true, pointerId: gesture.id, detail: 1 }));
    }
    gesture.isTaken = true;
    this.#swallowsClick = true;
    this.#capture(gesture.id);
  }

  #move(event) {
    const { desk, surface } = this;
    desk.tools.see(event);
    const gesture = this.#gesture;
    if (gesture?.id !== event.pointerId) return;
    const way = Math.hypot(event.clientX - gesture.x, event.clientY - gesture.y);
    if (gesture.kind === "stroke" && !gesture.isTaken && way > penStill) this.#keepToSelf(gesture);
    if (gesture.isTaken) this.#take(event, false);
    const isFar = way > still;
    if (isFar) clearTimeout(this.#timer);
    if (gesture.kind === "stroke" && !gesture.isRaw) desk.live.extend(event);
    else if (gesture.kind === "erase") erase(desk, surface, gesture, event);
    else if (gesture.kind === "put") gesture.follow(event);
    else if (gesture.kind === "press" && isFar) {
      // A remark that is already chosen moves without waiting.
      const chosen = desk.chosen?.surface === surface ? desk.book.get(desk.chosen.id) : null;
      if (gesture.isTaken && chosen && gesture.own?.id === chosen.id) {
        Object.assign(gesture, { kind: "move", remark: chosen, dx: 0, dy: 0 });
        desk.carry(surface, chosen.id);
      } else if (gesture.isTaken) gesture.kind = "nothing";
      else this.#gesture = null;
    }
    if (gesture.kind === "move") {
      const point = surface.pointOf(event);
      [gesture.dx, gesture.dy] = [point.x - gesture.point.x, point.y - gesture.point.y];
      surface.lift(gesture.remark.id, gesture.dx, gesture.dy);
    }
  }

  #up(event) {
    const { desk, surface } = this;
    const gesture = this.#gesture;
    if (gesture?.id !== event.pointerId) return;
    clearTimeout(this.#timer);
    this.#gesture = null;
    gesture.raw?.abort();
    if (gesture.isTaken) this.#take(event, false);
    if (gesture.kind === "stroke" && !gesture.isTaken) {
      desk.live.end();
      this.#name(gesture);
    } else if (gesture.kind === "stroke") finishStroke(desk, surface, gesture, event);
    else if (gesture.kind === "erase") desk.acts.do(...gesture.erased.map((id) => ({ erase: id })));
    else if (gesture.kind === "put") gesture.finish(event);
    else if (gesture.kind === "move") finishMove(desk, surface, gesture, event);
    else if (gesture.kind === "press" && gesture.isTaken) tap(desk, surface, gesture);
    else if (gesture.kind === "press") this.#name(gesture);
  }

  /** In reading, a tap on another's remark says whose it is; at the sides of the stage it turns. */
  #name(gesture) {
    const { desk, surface } = this;
    const stage = surface.element.closest("#stage");
    if (!gesture.remark || desk.book.isOwn(gesture.remark) || zoneOf(gesture.x, stage) !== "middle") return;
    this.#keepToSelf(gesture);
    desk.label(surface, gesture.remark);
  }

  #cancelled(event) {
    if (event.detail === 1 && !event.isTrusted) return;
    if (this.#gesture?.id !== event.pointerId) return;
    if (this.#gesture.isTaken) event.stopPropagation();
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
