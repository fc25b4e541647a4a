// Fingers and pedals: swipes, taps left and right, the middle, a long press on a bar, and the keys a pedal sends.
import { acts } from "/shared/oneact.js";

const longPress = 550; // ms
const still = 12; // px a finger may tremble
const swipe = 45; // px that are a swipe
const twice = 280; // ms in which a second tap in the middle belongs to the first
const near = 40; // px

const forwardKeys = ["PageDown", "ArrowRight", "ArrowDown", "Enter", " ", "Spacebar"];
const backKeys = ["PageUp", "ArrowLeft", "ArrowUp", "Backspace"];

/** Listens on the stage. `listener` takes turn(direction), middle(), twice(point), long(clientX, clientY, target) and
    edge("first"|"last"); and drag(across, down), which says whether a finger moves the music instead of turning it,
    with dropped() after it. */
export function listenToHands(stage, listener) {
  let touch = null;
  let timer = null;
  let tapped = null; // { x, y, timer } of a tap in the middle that may have a second

  const forget = () => {
    clearTimeout(timer);
    if (touch?.drags) listener.dropped();
    touch = null;
  };

  stage.addEventListener("pointerdown", (event) => {
    // What lies on the page and can be pressed has the finger for itself: it turns nothing.
    if (event.button !== 0 || !event.isPrimary || isControl(event.target)) return forget();
    touch = { id: event.pointerId, x: event.clientX, y: event.clientY, target: event.target, drags: false };
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!touch) return;
      const { x, y, target } = touch;
      touch = null;
      listener.long(x, y, target);
    }, longPress);
  });
  stage.addEventListener("pointermove", (event) => {
    if (touch?.id !== event.pointerId) return;
    if (!touch.drags && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) <= still) return;
    clearTimeout(timer);
    const { lastX = touch.x, lastY = touch.y } = touch;
    if (!listener.drag(event.clientX - lastX, event.clientY - lastY)) return;
    Object.assign(touch, { drags: true, lastX: event.clientX, lastY: event.clientY });
    hold(stage, event.pointerId);
  });
  stage.addEventListener("pointerup", (event) => {
    if (touch?.id !== event.pointerId) return;
    const [across, down] = [event.clientX - touch.x, event.clientY - touch.y];
    const began = touch;
    forget();
    if (began.drags) return;
    if (Math.abs(across) > swipe && Math.abs(across) > 1.4 * Math.abs(down)) {
      return listener.turn(across < 0 ? "forward" : "back");
    }
    if (Math.hypot(across, down) > still) return;
    const zone = zoneOf(began.x, stage);
    if (zone === "middle") tap(began);
    else listener.turn(zone);
  });
  stage.addEventListener("pointercancel", forget);
  stage.addEventListener("contextmenu", (event) => event.preventDefault());

  /** Taps left and right turn at once; in the middle there is time to see whether a second one comes. */
  function tap({ x, y }) {
    const before = tapped;
    clearTimeout(before?.timer);
    tapped = null;
    if (before && Math.hypot(x - before.x, y - before.y) < near) return listener.twice({ x, y });
    tapped = { x, y, timer: setTimeout(() => {
      tapped = null;
      listener.middle();
    }, twice) };
  }
}

/** What a tap at `x` of the screen means on a stage: "back", "middle" or "forward". */
export function zoneOf(x, stage) {
  const { left, width } = stage.getBoundingClientRect();
  const share = (x - left) / width;
  return share < 0.3 ? "back" : share > 0.7 ? "forward" : "middle";
}

const isControl = (target) =>
  Boolean(target.closest?.("button, a[href], input, textarea, select, label, summary, [contenteditable]"));

/** A finger that moves the music keeps it, also beyond the stage's edge. */
function hold(stage, pointer) {
  try {
    stage.setPointerCapture(pointer);
  } catch {
    // It has left already.
  }
}

/**
 * Listens to the keyboard, which is what a pedal is. `isFree` says whether keys are the stand's just now; `zoomed`
 * whether a key was one that zooms.
 * @param {any} listener
 * @param {(event: KeyboardEvent) => boolean} isFree
 * @param {(event: KeyboardEvent) => boolean} zoomed
 */
export function listenToPedal(listener, isFree, zoomed = () => false) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isMeantForOthers(event) || !isFree(event) || zoomed(event)) {
      return;
    }
    const isBack = backKeys.includes(event.key) || (event.key === " " && event.shiftKey);
    if (isBack || forwardKeys.includes(event.key)) {
      event.preventDefault();
      if (acts.beginsWithKey(event)) listener.turn(isBack ? "back" : "forward");
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      listener.edge(event.key === "Home" ? "first" : "last");
    } else if (event.key === "Escape" || event.key === "m") listener.middle();
  });
}

/** A key that something else than the stand is waiting for. A pedal turns pages whatever has the focus. */
function isMeantForOthers({ key, target }) {
  if (target.closest?.("input, textarea, select, [contenteditable]")) return true;
  return ["Enter", " "].includes(key) && target.closest?.("button, a, summary") !== null
    && target.closest !== undefined;
}

const afterPen = 500; // ms in which a hand rests after a pen was near
const palm = 90; // px across: no finger is as broad

/** Keeps the hand that holds a pen from turning and zooming: touches while a pen is near, and broad ones. To be called
    before anybody else listens on the stage. */
export function rejectPalms(stage) {
  const down = new Set(); // pens that touch the page
  const fingers = new Map(); // touch → its target
  const ignored = new Set();
  let seen = -Infinity;

  const take = (name, listen) => stage.addEventListener(name, listen, { capture: true });
  const stop = (event) => {
    event.stopImmediatePropagation();
    if (event.cancelable) event.preventDefault();
  };

  take("pointerdown", (event) => {
    if (event.pointerType === "pen") {
      down.add(event.pointerId);
      seen = event.timeStamp;
      // The palm often lands first: it turns nothing any more.
      for (const [id, target] of fingers) {
        ignored.add(id);
        target.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true, pointerId: id, pointerType: "touch" }));
      }
      return;
    }
    if (event.pointerType !== "touch") return;
    if (down.size > 0 || event.timeStamp - seen < afterPen || Math.max(event.width, event.height) >= palm) {
      ignored.add(event.pointerId);
      return stop(event);
    }
    fingers.set(event.pointerId, event.target);
  });
  take("pointermove", (event) => {
    if (event.pointerType === "pen") seen = event.timeStamp;
    if (ignored.has(event.pointerId)) stop(event);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, (event) => {
      if (!event.isTrusted) return;
      if (down.delete(event.pointerId)) seen = event.timeStamp;
      const wasFinger = fingers.delete(event.pointerId);
      // Whoever saw it land hears that it is lifted.
      if (ignored.delete(event.pointerId) && !wasFinger) stop(event);
    }, { capture: true });
  }
}
