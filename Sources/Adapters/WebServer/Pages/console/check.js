// The pre-show check: one button, then green, or a sentence that says what to do.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { plural } from "./format.js";
import { keyLabel } from "./keymap.js";

const signs = { pass: "finished", fail: "lost", warn: "warn", running: "waiting", skipped: "pause" };
const words = { pass: "Good", fail: "Mend this", warn: "Look", running: "Running", skipped: "Left out" };

/**
 * What keeps the evening from working now, however green a check was: sentences, with the key that ends each.
 * `key` gives the key of an action as it is written on the page.
 */
function obstacles(show, position, key = () => "") {
  const view = position?.audience?.view;
  const end = (action) => (key(action) ? ` ${key(action)} ends it.` : "");
  return [
    show?.panic === "stop" && `Hard stop: the live position has ended, and no cue fires.${end("panic-over")}`,
    show?.panic === "safe" && `Panic: the audience is frozen, and no cue fires.${end("panic-over")}`,
    (show?.black || view === "black") && `The audience’s screens are black.${end("blackout")}`,
    (show?.frozen || (view === "frozen" && show?.panic !== "safe"))
      && `What the audience sees is frozen.${end("freeze")}`,
    show?.paused && `Everything is paused.${end("resume")}`,
    position?.mode === "held" && !show?.paused && `The place is held.${end("hold")}`,
    show?.rehearsal && "It is a rehearsal: phones get nothing. End it in “Programme”.",
    show?.intermission && "It is the intermission. End it in “Programme”, or begin the next piece.",
    position?.holder && position.holder.kind !== "follower"
      && `${position.holder.name || "Somebody"} has the baton, not the follower.` +
        (key("baton") ? ` ${key("baton")} gives it back.` : ""),
    show?.locked && `The show is locked: nobody can change the programme or the cues.${end("lock")}`,
  ].filter(Boolean);
}

export function buildCheck({ desk, keymap }) {
  const start = make("button", { type: "button", class: "primary wide" }, "Run the check");
  const verdict = make("p", { class: "verdict", role: "status" });
  const bar = make("progress", { max: "1", value: "0", "aria-label": "Progress of the check", hidden: true });
  const list = make("ul", { class: "check-list" });
  const now = make("ul",
    { class: "check-now", role: "status", "aria-label": "What keeps the evening from working now" });
  const element = make("div", { class: "stack" },
    make("p", { class: "hint",
      text: "Takes half a minute; let the orchestra play some bars of the piece meanwhile. Phones see nothing of it, " +
        "and no cue fires." }), now, start, bar, verdict, list);
  let shown = "";

  function paintNow() {
    const check = desk.get("check");
    // The check itself moves the place about; what it does is not in the way.
    const found = check?.running
      ? [] : obstacles(desk.get("show"), desk.get("position"), (action) => keyLabel(keymap.keys(action)[0] ?? ""));
    if (JSON.stringify(found) === shown) return;
    shown = JSON.stringify(found);
    now.replaceChildren(...found.map((text) => make("li", {}, icon("warn"), ` ${text}`)));
  }

  for (const section of ["show", "position"]) desk.on(section, paintNow);

  start.addEventListener("click", async () => {
    start.disabled = true;
    try {
      await ask("/api/check", { method: "POST", json: {} });
    } catch (refusal) {
      write(verdict, refusal.message);
      mark(verdict, "data-state", "fail");
    }
    start.disabled = Boolean(desk.get("check")?.running);
  });

  desk.on("check", ({ running, progress = 0, items = [] }) => {
    paintNow();
    start.disabled = running;
    write(start, running ? "Checking …" : items.length ? "Run the check again" : "Run the check");
    bar.hidden = !running;
    bar.value = progress;
    const count = (state) => items.filter((item) => item.state === state).length;
    if (running || items.length === 0) write(verdict, "");
    else {
      const [fails, warns] = [count("fail"), count("warn")];
      mark(verdict, "data-state", fails ? "fail" : warns ? "warn" : "pass");
      write(verdict, fails ? `${plural(fails, "thing", "things")} to mend before the doors open.`
        : warns ? `Ready, with ${plural(warns, "thing", "things")} to look at.` : "All green. Have a good concert.");
    }
    const order = running ? items : [...items].sort((a, b) => rank(a.state) - rank(b.state));
    list.replaceChildren(...order.map((item) => make("li", { class: "check-item", "data-state": item.state },
      icon(signs[item.state] ?? "waiting"),
      make("div", {}, make("p", { class: "check-title", text: item.title }),
        make("p", { class: "check-text", text: item.sentence ?? "" })),
      make("span", { class: "check-state", text: words[item.state] ?? item.state }))));
  });
  return { element };
}

const rank = (state) => ["fail", "warn", "running", "pass", "skipped"].indexOf(state);
