// Short words about what just happened; a mis-fired GO flashes.
import { find, make, mark } from "/shared/dom.js";

const stay = { refused: 7000, info: 5000, lasting: 20_000 }; // ms
const most = 2; // at a time: each takes room from what lies above

/** @param {import("./desk.js").Desk} desk */
export function showNotices(desk) {
  const [list, misfire, misfireText] = ["notices", "misfire", "misfire-text"].map(find);
  let timer = 0;
  let last = { sentence: "", at: 0, entry: null };
  const newest = new Map(); // of each control that was refused

  /** A control's notice takes the place of its earlier one. */
  function replace(control, entry) {
    if (!control || newest.get(control) === entry) return;
    newest.get(control)?.remove();
    newest.set(control, entry);
  }

  /** Marks what the list of faults says too. */
  function markFaults() {
    const faults = desk.get("faults") ?? [];
    for (const entry of list.children) {
      mark(entry, "data-fault", faults.some(({ sentence, over }) => !over && sentence === entry.dataset.says));
    }
  }
  desk.on("faults", markFaults);

  // What was refused because of the panic may be done when the panic is over.
  desk.on("show", ({ panic }) => {
    if (panic === "none") for (const entry of list.querySelectorAll("[data-code=panic]")) entry.remove();
  });

  desk.on("notice", ({ kind = "info", sentence, control, code }) => {
    const now = performance.now();
    // The same sentence comes twice where the answer and the stream both bring it; the answer knows its control.
    if (last.sentence === sentence && now - last.at < 700) return replace(control, last.entry);
    last = { sentence, at: now, entry: null };
    if (kind === "misfire") {
      misfire.hidden = false;
      misfireText.textContent = sentence;
      clearTimeout(timer);
      timer = setTimeout(() => {
        misfire.hidden = true;
      }, 2500);
      return;
    }
    const entry = make("p", { class: `notice ${kind}`, "data-code": code ?? null, "data-says": sentence,
      text: sentence });
    last.entry = entry;
    replace(control, entry);
    list.append(entry);
    while (list.children.length > most) list.firstChild.remove();
    markFaults();
    setTimeout(() => entry.remove(), stay[kind] ?? stay.info);
  });
}
