// Buttons that act, and show the refusal where there is one.
import { make } from "./dom.js";

/**
 * Gives a maker of such buttons, `(text, run, traits)`; `notice(sentence)` shows a refusal, and `forget()` takes an
 * earlier one away when the next attempt begins.
 */
export const actingButtons = (notice, forget = () => {}) => (text, run, traits = {}) => {
  const button = make("button", { type: "button", text, ...traits });
  button.addEventListener("click", async () => {
    button.disabled = true;
    forget();
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
