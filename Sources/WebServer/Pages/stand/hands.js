// Fingers and pedals: swipes, taps left and right, the middle, a long press on a bar, and the keys a pedal sends.

const longPress = 550; // ms
const still = 12; // px a finger may tremble
const swipe = 45; // px that are a swipe

const forwardKeys = ["PageDown", "ArrowRight", "ArrowDown", "Enter", " ", "Spacebar"];
const backKeys = ["PageUp", "ArrowLeft", "ArrowUp", "Backspace"];

/** Listens on the stage. `listener` takes turn(direction), middle(), long(clientX, clientY) and edge("first"|"last"). */
export function listenToHands(stage, listener) {
  let touch = null;
  let timer = null;

  const forget = () => {
    clearTimeout(timer);
    touch = null;
  };

  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return forget();
    touch = { id: event.pointerId, x: event.clientX, y: event.clientY, target: event.target };
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!touch) return;
      const { x, y, target } = touch;
      touch = null;
      listener.long(x, y, target);
    }, longPress);
  });
  stage.addEventListener("pointermove", (event) => {
    if (touch?.id === event.pointerId && Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > still) clearTimeout(timer);
  });
  stage.addEventListener("pointerup", (event) => {
    if (touch?.id !== event.pointerId) return;
    const [across, down] = [event.clientX - touch.x, event.clientY - touch.y];
    const began = touch;
    forget();
    if (Math.abs(across) > swipe && Math.abs(across) > 1.4 * Math.abs(down)) return listener.turn(across < 0 ? "forward" : "back");
    if (Math.hypot(across, down) > still) return;
    const { left, width } = stage.getBoundingClientRect();
    const share = (began.x - left) / width;
    if (share < 0.3) listener.turn("back");
    else if (share > 0.7) listener.turn("forward");
    else listener.middle();
  });
  stage.addEventListener("pointercancel", forget);
  stage.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Listens to the keyboard, which is what a pedal is. `isFree` says whether keys are the stand's just now. */
export function listenToPedal(listener, isFree) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isFree(event)) return;
    const isBack = backKeys.includes(event.key) || (event.key === " " && event.shiftKey);
    if (isBack || forwardKeys.includes(event.key)) {
      event.preventDefault();
      // A foot that rests on the pedal turns once.
      if (!event.repeat) listener.turn(isBack ? "back" : "forward");
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      listener.edge(event.key === "Home" ? "first" : "last");
    } else if (event.key === "Escape" || event.key === "m") listener.middle();
  });
}
