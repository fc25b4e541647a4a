// The top line: which show, which server, and every unusual condition; the banner of a panic.
import { find, make, write } from "/shared/dom.js";

export function showTop(desk) {
  const [title, flags, banner, words] = ["show-title", "show-flags", "panic-banner", "panic-text"].map(find);
  let shown = "";

  desk.on("show", (show) => {
    write(title, show.title || "Baton");
    document.title = `${show.panic !== "none" ? "PANIC · " : ""}${show.title || "Baton"} · console`;
    document.body.dataset.panic = show.panic ?? "none";
    const list = [
      show.server?.role === "backup" && ["This is the backup", "alert"],
      show.rehearsal && ["Rehearsal", "alert"],
      show.intermission && ["Intermission", "alert"],
      show.paused && ["Paused", "alert"],
      show.autoAdvance === false && ["Advance by hand", "alert"],
    ].filter(Boolean);
    const key = JSON.stringify(list);
    if (key !== shown) {
      shown = key;
      flags.replaceChildren(...list.map(([text, kind]) => make("span", { class: `flag ${kind}`, text })));
    }
    banner.hidden = (show.panic ?? "none") === "none";
    write(words, show.panic === "stop" ? "HARD STOP. The live position has ended."
      : show.panic === "safe" ? "PANIC. The audience is frozen, automatic cues are off. Panic again within 3 s: hard stop." : "");
  });
}
