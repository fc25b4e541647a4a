// The pre-show check: one button, then green, or a sentence that says what to do.
import { ask } from "/shared/api.js";
import { icon, make, mark, write } from "/shared/dom.js";
import { wallClock } from "/shared/wallclock.js";
import { plural } from "./format.js";
import { keyLabel } from "./keymap.js";

const signs = { pass: "finished", fail: "lost", warn: "warn", running: "waiting", skipped: "pause", over: "finished" };
const words = { pass: "Good", fail: "Mend this", warn: "Look", running: "Running", skipped: "Left out", over: "Over" };

/**
 * The reasons why the evening does not work now, even after a green check: sentences, with the key that ends each.
 * `key` gives the key of an action as it is written on the page.
 * @param {import("/shared/exchanged").Show} show
 * @param {import("/shared/exchanged").Position} position
 * @param {(action: string) => string} key
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

/**
 * The items as they are to be shown now. A check is of its moment: what it found in the way of the show is over as
 * soon as nothing is in the way any more, and is marked so. `time` is the check's, as it is written on the page.
 */
export function itemsNow(items, found, time) {
  return items.map((item) => item.id === "state" && ["fail", "warn"].includes(item.state) && found.length === 0
    ? { ...item, state: "over", sentence: `Over now. At ${time}: ${item.sentence}` } : item);
}

/** The result of a finished check, from its items as they are shown. */
export function verdictOf(items, time) {
  const count = (state) => items.filter((item) => item.state === state).length;
  const [fails, warns] = [count("fail"), count("warn")];
  const words = fails ? `${plural(fails, "thing", "things")} to mend before the doors open.`
    : warns ? `Ready, with ${plural(warns, "thing", "things")} to look at.` : "All green. Have a good concert.";
  return { state: fails ? "fail" : warns ? "warn" : "pass",
    words: `Checked at ${time}: ${words[0].toLowerCase()}${words.slice(1)}` };
}

export function buildCheck({ desk, keymap }) {
  const start = make("button", { type: "button", class: "primary wide" }, "Run the check");
  const silence = make("button", { type: "button", class: "wide" }, "Measure the silence");
  const measured = make("p", { class: "hint", role: "status" });
  const verdict = make("p", { class: "verdict", role: "status" });
  const bar = make("progress", { max: "1", value: "0", "aria-label": "Progress of the check", hidden: true });
  const list = make("ul", { class: "check-list" });
  const now = make("ul",
    { class: "check-now", role: "status", "aria-label": "What keeps the evening from working now" });
  const element = make("div", { class: "stack" },
    make("p", { class: "hint",
      text: "Takes half a minute; let the orchestra play some bars of the piece meanwhile. Phones see nothing of it, " +
        "and no cue fires." }), now, start, bar, verdict, list, silence, measured);
  let shown = "";
  let painted = "";
  let refused = ""; // why the newest one could not be started

  const found = () => obstacles(desk.get("show"), desk.get("position"),
    (action) => keyLabel(keymap.keys(action)[0] ?? ""));

  function paintNow() {
    // The check itself moves the place about; what it does is not in the way.
    const inTheWay = desk.get("check")?.running ? [] : found();
    if (JSON.stringify(inTheWay) === shown) return;
    shown = JSON.stringify(inTheWay);
    now.replaceChildren(...inTheWay.map((text) => make("li", {}, icon("warn"), ` ${text}`)));
  }

  for (const section of ["show", "position"]) desk.on(section, paint);

  start.addEventListener("click", async () => {
    start.disabled = true;
    refused = "";
    try {
      await ask("/api/check", { method: "POST", json: {} });
    } catch (refusal) {
      refused = refusal.message;
    }
    paint();
  });

  silence.addEventListener("click", async () => {
    silence.disabled = true;
    mark(measured, "data-warn", null);
    write(measured, "Five seconds of silence, please …");
    try {
      write(measured, (await ask("/api/silence", { method: "POST", json: {}, patience: 15_000 })).sentence);
    } catch (refusal) {
      mark(measured, "data-warn", true);
      write(measured, refusal.message);
    }
    silence.disabled = false;
  });

  desk.on("check", paint);

  function paint() {
    paintNow();
    const { running = false, progress = 0, items: told = [], endedAt } = desk.get("check") ?? {};
    const time = new Date(endedAt ?? wallClock()).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    const items = running ? told : itemsNow(told, found(), time);
    if (running) refused = "";
    start.disabled = running;
    write(start, running ? "Checking …" : items.length ? "Run the check again" : "Run the check");
    bar.hidden = !running;
    bar.value = progress;
    const result = refused ? { state: "fail", words: refused }
      : running || items.length === 0 ? null : verdictOf(items, time);
    write(verdict, result?.words ?? "");
    if (result) mark(verdict, "data-state", result.state);
    const order = running ? items : [...items].sort((a, b) => rank(a.state) - rank(b.state));
    if (JSON.stringify(order) === painted) return;
    painted = JSON.stringify(order);
    list.replaceChildren(...order.map((item) => make("li", { class: "check-item", "data-state": item.state },
      icon(signs[item.state] ?? "waiting"),
      make("div", {}, make("p", { class: "check-title", text: item.title }),
        make("p", { class: "check-text", text: item.sentence ?? "" })),
      make("span", { class: "check-state", text: words[item.state] ?? item.state }))));
  }
  return { element };
}

const rank = (state) => ["fail", "warn", "running", "over", "pass", "skipped"].indexOf(state);
