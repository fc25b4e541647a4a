// Short words about what just happened; a mis-fired GO flashes.
import { find, make } from "/shared/dom.js";

const stay = { refused: 7000, info: 5000 }; // ms

export function showNotices(desk) {
  const [list, misfire, misfireText] = ["notices", "misfire", "misfire-text"].map(find);
  let timer = 0;
  let last = ["", 0];

  desk.on("notice", ({ kind = "info", sentence }) => {
    const now = performance.now();
    // The same sentence comes twice where the answer and the stream both bring it.
    if (last[0] === sentence && now - last[1] < 700) return;
    last = [sentence, now];
    if (kind === "misfire") {
      misfire.hidden = false;
      misfireText.textContent = sentence;
      clearTimeout(timer);
      timer = setTimeout(() => {
        misfire.hidden = true;
      }, 2500);
      return;
    }
    const entry = make("p", { class: `notice ${kind}`, text: sentence });
    list.append(entry);
    while (list.children.length > 4) list.firstChild.remove();
    setTimeout(() => entry.remove(), stay[kind] ?? stay.info);
  });
}
