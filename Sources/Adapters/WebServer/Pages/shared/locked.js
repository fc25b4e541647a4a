// Controls that cannot be used now: grey, still within reach of finger and keyboard, and they say why when pressed.
import { mark } from "./dom.js";

/** Locks a control for a reason, which is a sentence; an empty one frees it. */
export function lock(control, why) {
  const isLocked = control.dataset.why !== undefined;
  if (!isLocked && control.title && why) control.dataset.does = control.title;
  mark(control, "aria-disabled", why ? "true" : null);
  mark(control, "data-why", why || null);
  if (why) control.title = why;
  else if (isLocked) control.title = control.dataset.does ?? "";
}

/** Has `tell(sentence)` called in the place of whatever a locked control of this page does. */
export function tellWhyLocked(tell) {
  addEventListener("click", (event) => {
    const control = event.target.closest?.("[aria-disabled='true'][data-why]");
    if (!control) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(control.dataset.why);
  }, { capture: true });
}
