// Faults as sentences: open ones first, those that ended dimmed.
import { find, icon, make } from "/shared/dom.js";

export function showFaults(desk) {
  const list = find("faults");
  let shown = "";
  desk.on("faults", (faults) => {
    const key = JSON.stringify(faults);
    if (key === shown) return;
    shown = key;
    const ordered = [...faults].sort((a, b) => Number(a.over) - Number(b.over));
    list.replaceChildren(...ordered.map((fault) =>
      make("li", { class: fault.over ? "fault over" : "fault" },
        icon(fault.over ? "finished" : "warn"),
        make("span", { text: fault.over ? `Over: ${fault.sentence}` : fault.sentence }),
        make("small", { text: `${fault.since ?? ""}${fault.count > 1 ? ` · ${fault.count} times` : ""}` }))));
    list.parentElement.hidden = faults.length === 0;
  });
  list.parentElement.hidden = true;
}
