// The evening's stands: one button opens their room and gives its music to those who play; the address to open there.
import { ask } from "/shared/api.js";
import { make, mark, write } from "/shared/dom.js";
import { goToSignIn } from "/shared/signin.js";

/** What is said of the evening's stands, as sentences. */
export function standsWords({ room, people, accounts, withoutScore }) {
  const without = people.filter(({ hasAccount }) => !hasAccount).map(({ name }) => name);
  return [
    room === null ? "" : `${accounts} ${accounts === 1 ? "account has" : "accounts have"} the music of tonight.`,
    without.length > 0 ? `No account has this name: ${without.join("; ")}.` : "",
    withoutScore.length > 0 ? `The library has no score of: ${withoutScore.join("; ")}.` : "",
  ].filter(Boolean);
}

export function buildStands() {
  const every = make("input", { type: "checkbox", checked: true });
  const open = make("button", { type: "button", class: "wide" }, "Stands tonight");
  const say = make("p", { class: "say", role: "alert" });
  const address = make("p", { class: "address" });
  const code = make("img", { class: "qr", alt: "QR code of tonight’s stands" });
  const told = make("div");
  const share = make("div", { class: "share", hidden: true }, code, make("div", {}, address,
    make("p", { class: "hint", text: "Open it on the stands: who signs in there has the music, and it follows once "
      + "the evening is armed." })));
  const element = make("section", { class: "stack", "aria-label": "Stands" }, open,
    make("label", { class: "tick" }, every, "Also for everybody who signs in as a musician"), share, told, say);

  function show(stands) {
    told.replaceChildren(...standsWords(stands).map((text) => make("p", { class: "hint", text })));
    share.hidden = stands.room === null;
    if (share.hidden) return;
    const url = `${location.origin}/stand?tonight`;
    write(address, url);
    mark(code, "src", `/api/qr.svg?text=${encodeURIComponent(url)}`);
  }

  /** Asks how the stands are; with `way`, opens them. */
  async function tell(way = null) {
    open.disabled = true;
    say.textContent = "";
    try {
      const stands = await ask("/api/stands/tonight", { patience: 15_000, ...way });
      if (stands.room) every.checked = stands.players === "everyMusician";
      show(stands);
    } catch (refusal) {
      if (refusal.status === 401) goToSignIn();
      // Whoever may not open them need not be told how they are.
      if (way) say.textContent = refusal.message;
    }
    open.disabled = false;
  }

  const send = () => tell({ method: "POST", json: { players: every.checked ? "everyMusician" : "people" } });
  open.addEventListener("click", send);
  every.addEventListener("change", () => !share.hidden && send());
  return { element, opened: () => tell() };
}
