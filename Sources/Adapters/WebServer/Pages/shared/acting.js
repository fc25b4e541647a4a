// Buttons that act, and show the refusal where there is one.
import { make } from "./dom.js";

/** Gives a maker of such buttons, `(text, run, traits)`; `notice(sentence)` shows a refusal. */
export const actingButtons = (notice) => (text, run, traits = {}) => {
  const button = make("button", { type: "button", text, ...traits });
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await run();
    } catch (refusal) {
      notice(refusal.message);
    } finally {
      button.disabled = false;
    }
  });
  return button;
};
