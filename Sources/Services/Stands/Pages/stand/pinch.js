// Two fingers, the wheel, and the keys that zoom. What they do is taken from whoever else listens on the stage.

const keyStep = 1.5;
const panStep = 80; // px a key moves zoomed music
const wheelStep = 0.0035; // of the scale's logarithm a pixel of the wheel

/** Listens on the stage before anybody else does. */
export function listenToPinches(stage, lens) {
  const fingers = new Map(); // pointer → { x, y, target }
  let isPinching = false;
  let grip = null; // { middle, gap } of the two fingers
  const pens = new Set();

  const gripNow = () => {
    const [one, other] = [...fingers.values()];
    return {
      middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
      gap: Math.max(Math.hypot(one.x - other.x, one.y - other.y), 1),
    };
  };

  const begin = () => {
    isPinching = true;
    // Whoever followed the first finger gives up what it began.
    for (const [id, { target }] of fingers) {
      target.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true, pointerId: id, pointerType: "touch" }));
    }
  };

  const take = (name, listen) => stage.addEventListener(name, listen, { capture: true });
  const stop = (event) => {
    event.stopImmediatePropagation();
    if (event.cancelable) event.preventDefault();
  };

  take("pointerdown", (event) => {
    if (event.pointerType === "pen") pens.add(event.pointerId);
    if (event.pointerType !== "touch") return;
    // A first finger means that none can be left of before, whatever got lost.
    if (event.isPrimary) {
      fingers.clear();
      isPinching = false;
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, target: event.target });
    if (pens.size > 0) return;
    if (fingers.size === 2) {
      begin();
      grip = gripNow();
    } else grip = null;
    if (isPinching) stop(event);
  });
  take("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    [finger.x, finger.y] = [event.clientX, event.clientY];
    if (!isPinching) return;
    stop(event);
    if (!grip || fingers.size !== 2) return;
    const now = gripNow();
    lens.to(lens.zoom.scale * (now.gap / grip.gap), grip.middle, now.middle);
    grip = now;
  });
  for (const name of ["pointerup", "pointercancel"]) {
    take(name, (event) => {
      // The word given above is for the others.
      if (!event.isTrusted && name === "pointercancel") return;
      if (!fingers.delete(event.pointerId) || !isPinching) return;
      stop(event);
      if (fingers.size < 2 && grip) lens.release();
      // After a third finger is lifted, the other two go on.
      grip = fingers.size === 2 ? gripNow() : null;
      if (fingers.size === 0) isPinching = false;
    });
  }

  // A pen that is lifted outside the stage must not keep fingers from zooming.
  for (const name of ["pointerup", "pointercancel"]) {
    addEventListener(name, ({ pointerId }) => pens.delete(pointerId), { capture: true });
  }

  stage.addEventListener("wheel", (event) => {
    // A trackpad's pinch comes as a wheel with the control key.
    if (event.ctrlKey) {
      const scale = lens.zoom.scale * Math.exp(-event.deltaY * pixels(event) * wheelStep);
      lens.to(scale, { x: event.clientX, y: event.clientY });
    } else if (!lens.isWhole) lens.pan(-event.deltaX * pixels(event), -event.deltaY * pixels(event));
    else return;
    event.preventDefault();
  }, { passive: false });
  // Safari would zoom the whole page.
  for (const name of ["gesturestart", "gesturechange"]) stage.addEventListener(name, (event) => event.preventDefault());
}

const pixels = ({ deltaMode }) => (deltaMode === 0 ? 1 : deltaMode === 1 ? 16 : 400);

const moves = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** A key that zooms, or with Shift moves zoomed music. True if it was one. */
export function zoomedByKey(event, lens) {
  if (event.key === "+" || event.key === "=") lens.go(lens.zoom.scale * keyStep);
  else if (event.key === "-" || event.key === "_") lens.go(lens.zoom.scale / keyStep);
  else if (event.key === "0") lens.whole();
  else if (event.shiftKey && moves[event.key] && !lens.isWhole) {
    const [x, y] = moves[event.key];
    lens.pan(x * panStep, y * panStep);
  } else return false;
  event.preventDefault();
  return true;
}
