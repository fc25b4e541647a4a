// The show's connections: the audience page and its QR code, show-control targets, the backup, the recording, the
// report.
import { ask } from "/shared/api.js";
import { make, mark, write } from "/shared/dom.js";
import { showNeighbours } from "/shared/neighbours.js";
import { signOut } from "/shared/signout.js";
import { onlyHere } from "/shared/secure.js";
import { filmSection } from "./film.js";
import { screensSection } from "./screens.js";
import { targetsSection } from "./targets.js";
import { timeCodeSection } from "./timecode.js";

export function buildShare({ desk, send }) {
  const address = make("p", { class: "address" });
  const code = make("img", { class: "qr", alt: "QR code of the audience page",
    onload: () => { code.hidden = false; }, onerror: () => { code.hidden = true; code.removeAttribute("src"); } });
  const advice = make("p", { class: "hint" });
  const backup = make("p");
  const recording = make("p");
  const version = make("p", { class: "hint" });
  const note = make("input",
    { maxlength: 200, "aria-label": "Note for the log", placeholder: "A note for tonight’s log" });
  const noteForm = make("form", { class: "row", onsubmit: async (event) => {
    event.preventDefault();
    if (note.value.trim() && await send("note", note.value.trim())) note.value = "";
  } }, note, make("button", { type: "submit" }, "Write"));
  const out = make("button", { type: "button", onclick: async () => {
    await signOut();
    location.assign("/login");
  } }, "Sign out");
  const account = make("a",
    { class: "button", href: "/account", target: "_blank", rel: "noopener", hidden: true, text: "My account" });
  const who = make("span", { class: "hint" });
  const others = make("nav", { class: "neighbours", "aria-label": "Other pages" });
  showNeighbours(others, true);
  const element = make("div", { class: "stack" }, others,
    make("section", { class: "stack" }, make("h3", { text: "Audience page" }),
      make("div", { class: "share" }, code, make("div", {}, address, advice,
        make("p", {}, make("a",
          { class: "button", href: "/poster", target: "_blank", rel: "noopener", text: "Poster to print" }))))),
    screensSection(desk),
    targetsSection(desk),
    timeCodeSection(desk),
    filmSection(desk),
    make("section", { class: "stack" }, make("h3", { text: "Backup" }), backup),
    make("section", { class: "stack" }, make("h3", { text: "Recording" }), recording),
    make("section", { class: "stack" }, make("h3", { text: "Log" }),
      make("fieldset", { class: "commands", role: "presentation" }, noteForm)),
    make("section", { class: "stack" }, make("div", { class: "row" }, who, account, out)), version);

  let shown = "";

  function audience() {
    const url = `${location.origin}/`;
    // Asked for anew with the next report of the show where it did not come.
    mark(code, "src", `/api/qr.svg?text=${encodeURIComponent(url)}`);
    if (shown === url) return;
    shown = url;
    write(address, url);
    const isOurs = onlyHere.test(new URL(url).hostname);
    write(advice, isOurs
      ? "Only this machine reaches this address. Open the console by the address that phones reach; First steps shows "
        + "it." : "Show this on the screen before the concert, or print it.");
    mark(advice, "data-warn", isOurs);
  }

  desk.on("recording", (now) => {
    write(recording, now.sentence);
    mark(recording, "data-warn", now.state === "stopped");
  });
  desk.on("show", (show) => {
    audience();
    const { backup: other, role, version: number } = show.server ?? {};
    write(backup, role === "backup"
      ? `This is the backup. It listens and takes over when the main server ` +
        `${other?.address ? `at ${other.address} ` : ""}is silent.`
      : !other ? "No backup server follows. If this one fails, the show waits for its restart."
        : !other.connected ? "The backup is not reached."
          : `The backup${other.address ? ` at ${other.address}` : ""} follows, ${other.lagMs ?? "–"} ms behind, ` +
            `version ${other.version ?? "unknown"}.${other.sameShow === false ? " It has ANOTHER show loaded." : ""}`);
    write(version,
      `Baton ${number ?? ""} · show began ${show.started ? new Date(show.started).toLocaleString("en-GB") : "–"}`);
  });
  ask("/api/me").then((me) => {
    write(who, me.signIn === false ? "No sign-in is asked on this machine." : `Signed in as ${me.name} (${me.role})`);
    out.hidden = account.hidden = me.signIn === false;
  }).catch(() => write(who, ""));
  return { element };
}
