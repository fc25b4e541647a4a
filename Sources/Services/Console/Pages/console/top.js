// The top line: which show, which server, and every unusual condition; the banner of a panic.
import { find, make, mark, write } from "/shared/dom.js";
import { eveningName } from "./evening.js";

/** @param {import("./desk.js").Desk} desk */
export function showTop(desk) {
  const [title, flags, banner, words] = ["show-title", "show-flags", "panic-banner", "panic-text"].map(find);
  let shown = "";
  const role = find("role");
  const [sign, said, door] = [make("strong"), make("span"), make("a", { class: "button" })];
  role.append(sign, said, door);

  /**
   * Shows which server this is, if it is not the one that has the show.
   * @param {{ role?: string, backup?: any }} server
   */
  function showRole({ role: name, backup: other } = {}) {
    mark(document.body, "data-role", name ?? null);
    role.hidden = name !== "backup" && name !== "asking";
    if (role.hidden) return;
    write(sign, name === "backup" ? "BACKUP" : "WAITING");
    write(said, name === "asking"
      ? "This server listens whether another has the show; nothing it shows goes to the audience."
      : other?.connected ? "The main server has the show. Commands from this page are refused and have no effect."
        : "The main server is silent. This server takes the show over, or waits for what it lacks.");
    door.hidden = !/^https?:\/\//.test(other?.address ?? "");
    if (door.hidden) return;
    mark(door, "href", `${other.address}/console`);
    write(door, `Main server’s console: ${new URL(other.address).host}`);
  }

  desk.on("show", (show) => {
    const name = eveningName(show) || "Baton";
    write(title, name);
    showRole(show.server);
    document.title =
      `${show.server?.role === "backup" ? "BACKUP · " : ""}${show.panic !== "none" ? "PANIC · " : ""}` +
      `${name} · console`;
    document.body.dataset.panic = show.panic ?? "none";
    const list = [
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
      : show.panic === "safe"
        ? "PANIC. The audience is frozen, automatic cues are off. Panic again within 3 s: hard stop." : "");
  });
}
