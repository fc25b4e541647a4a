// Faults as sentences: open ones first, then for a minute those that have ended, dimmed.
import { find, icon, make } from "/shared/dom.js";

const staysAfterEnd = 60_000; // ms

/**
 * Chooses the faults that are shown: all open ones, and for a minute those that ended while this page was open. The
 * report of the show lists all.
 */
export class ShownFaults {
  /** @type {import("/shared/exchanged").Fault[] | null} */
  #faults = null; // the newest list; null before the first
  #ends = new Map(); // id → ms, of those that ended while this page was open

  take(faults, now) {
    const before = new Map((this.#faults ?? []).map((fault) => [fault.id, fault]));
    for (const { id, over, count } of faults) {
      const earlier = before.get(id);
      // A fault may begin and end between two lists; its count has risen then.
      const isNews = earlier ? !earlier.over || earlier.count !== count : this.#faults !== null;
      if (!over) this.#ends.delete(id);
      else if (isNews) this.#ends.set(id, now);
    }
    this.#faults = faults;
  }

  at(now) {
    const isShown = ({ id, over }) => !over || now - (this.#ends.get(id) ?? -Infinity) < staysAfterEnd;
    return (this.#faults ?? []).filter(isShown).sort((a, b) => Number(a.over) - Number(b.over));
  }
}

/** @param {import("./desk.js").Desk} desk */
export function showFaults(desk) {
  const list = find("faults");
  const faults = new ShownFaults();
  let shown = "";
  let timer = 0;

  function paint() {
    const ordered = faults.at(performance.now());
    clearTimeout(timer);
    if (ordered.some(({ over }) => over)) timer = setTimeout(paint, 1000);
    const key = JSON.stringify(ordered);
    if (key === shown) return;
    shown = key;
    list.replaceChildren(...ordered.map((fault) =>
      make("li", { class: fault.over ? "fault over" : "fault" },
        icon(fault.over ? "finished" : "warn"),
        make("span", { text: fault.over ? `Over: ${fault.sentence}` : fault.sentence }),
        make("small", { text: `${fault.since ?? ""}${fault.count > 1 ? ` · ${fault.count} times` : ""}` }))));
    list.parentElement.hidden = ordered.length === 0;
  }
  desk.on("faults", (newest) => {
    faults.take(newest, performance.now());
    paint();
  });
  list.parentElement.hidden = true;
}
