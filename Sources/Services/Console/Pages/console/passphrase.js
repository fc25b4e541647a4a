// Changing one's own passphrase.
import { ask } from "/shared/api.js";
import { make, mark, write } from "/shared/dom.js";

export function passphraseForm() {
  const old = make("input", { type: "password", autocomplete: "current-password", maxlength: 128 });
  const fresh = make("input", { type: "password", autocomplete: "new-password", maxlength: 128 });
  const say = make("p", { class: "say", role: "status" });
  return make("form", { class: "stack", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await ask("/api/account/password",
        { method: "POST", json: { old: old.value, new: fresh.value }, patience: 15_000 });
      event.target.reset();
      mark(say, "data-bad", null);
      write(say, "Changed. Other places where you were signed in are signed out.");
    } catch (refusal) {
      mark(say, "data-bad", true);
      write(say, refusal.message);
    }
  } },
  make("label", {}, "Old passphrase", old), make("label", {}, "New passphrase, at least 8 characters", fresh),
  make("div", { class: "row" }, make("button", { type: "submit" }, "Change")), say);
}
