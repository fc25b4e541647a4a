// When a screen may be drawn again: not while somebody presses on it or writes into it, because the press, or what was
// written, would be lost with the button or the field.
const clickAfter = 100; // ms after a press within which its click comes

let timer = null;
let isPressed = false;
let wanted = null;

const isWriting = () => Boolean(document.activeElement?.closest?.("main input, main textarea, main select"));

function drawIfFree() {
  if (!wanted || isPressed || isWriting()) return;
  const draw = wanted;
  wanted = null;
  draw();
}

/** Draws as soon as nobody presses or writes; of several wishes the last one counts. */
export function drawWhenFree(draw) {
  wanted = draw;
  drawIfFree();
}

/** Takes the wish back: the screen was drawn meanwhile. */
export function forgetDrawing() {
  wanted = null;
}

addEventListener("pointerdown", () => {
  clearTimeout(timer);
  isPressed = true;
}, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isPressed = false;
      drawIfFree();
    }, clickAfter);
  }, true);
}
addEventListener("focusout", () => setTimeout(drawIfFree));
