// The pre-show check: one button, then green, or a sentence that says what to do.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { plural } from "./format.js";

const signs = { pass: "finished", fail: "lost", warn: "warn", running: "waiting", skipped: "pause" };
const words = { pass: "Good", fail: "Mend this", warn: "Look", running: "Running", skipped: "Left out" };

export function buildCheck({ desk }) {
  const start = make("button", { type: "button", class: "primary wide" }, "Run the check");
  const verdict = make("p", { class: "verdict", role: "status" });
  const bar = make("progress", { max: "1", value: "0", "aria-label": "Progress of the check", hidden: true });
  const list = make("ul", { class: "check-list" });
  const element = make("div", { class: "stack" },
    make("p", { class: "hint", text: "Takes about 30 s; let the orchestra play some bars of the piece meanwhile. Phones see nothing of it, and no cue fires." }), start, bar, verdict, list);

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
      make("div", {}, make("p", { class: "check-title", text: item.title }), make("p", { class: "check-text", text: item.sentence ?? "" })),
      make("span", { class: "check-state", text: words[item.state] ?? item.state }))));
  });
  return { element };
}

const rank = (state) => ["fail", "warn", "running", "pass", "skipped"].indexOf(state);
