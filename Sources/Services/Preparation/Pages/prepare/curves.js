// The tempo of the recordings, bar by bar, drawn over each other: where they part, a bar is wrong or played otherwise.
import { draw, make } from "/shared/dom.js";
import { frame, text, wide } from "/shared/charts.js";
import { curve as fetchCurve } from "./server.js";

const high = 220;
const edge = { left: 46, right: 10, top: 12, bottom: 26 };

export class Curves {
  element = make("figure", { class: "curves", hidden: true });
  #editor;
  #known = new Map(); // recording and revision → seconds by bar

  constructor(editor) {
    this.#editor = editor;
  }

  async update(draft) {
    const others = draft.recordings.filter(({ isMain, isAligned }) => !isMain && isAligned !== false);
    this.element.hidden = draft.bars.length < 4 || others.length === 0;
    if (this.element.hidden) return;
    const lines = [{ name: "main recording", seconds: draft.bars.map(({ seconds }) => seconds) }];
    for (const { id, name } of others) {
      const key = `${id} ${draft.bars.length}`;
      try {
        if (!this.#known.has(key)) this.#known.set(key, (await fetchCurve(this.#editor.piece.id, id)).secondsByBar);
        lines.push({ name, seconds: this.#known.get(key) });
      } catch {
        continue; // It is not aligned yet.
      }
    }
    if (lines.length > 1) this.#draw(lines, draft.bars);
    else this.element.hidden = true;
  }

  #draw(lines, bars) {
    const tempi = lines.map(({ seconds }) => tempoOf(seconds));
    const all = tempi.flat().filter(Number.isFinite).sort((a, b) => a - b);
    const [least, most] = [all[Math.floor(all.length * 0.01)], all[Math.ceil(all.length * 0.99) - 1]];
    const x = (index) => edge.left + (index / Math.max(bars.length - 2, 1)) * (wide - edge.left - edge.right);
    const y = (tempo) => high - edge.bottom
      - ((Math.min(Math.max(tempo, least), most) - least) / Math.max(most - least, 1e-6)) * (high - edge.top
        - edge.bottom);
    const svg = frame(high, `Tempo of ${lines.length} recordings, bar by bar`);
    const step = Math.max(Math.ceil(bars.length / 12), 1);
    for (let index = 0; index < bars.length - 1; index += step) {
      svg.append(draw("line", { x1: x(index), x2: x(index), y1: edge.top, y2: high - edge.bottom, class: "grid-line" }),
        text(x(index), high - 8, bars[index].printed, "middle", "chart-word"));
    }
    for (const tempo of [least, most]) {
      svg.append(text(edge.left - 6, y(tempo) + 4, tempo.toFixed(0), "end", "chart-word"));
    }
    tempi.forEach((values, line) => {
      const points = values.map((value, index) => (Number.isFinite(value)
        ? `${x(index).toFixed(1)} ${y(value).toFixed(1)}`
        : null)).filter(Boolean);
      svg.append(draw("path", { d: `M${points.join("L")}`, class: `curve curve-${line % 6}` }));
    });
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const share = (((event.clientX - box.left) / box.width) * wide - edge.left) / (wide - edge.left - edge.right);
      this.#editor.choose(Math.round(share * (bars.length - 2)), { seeks: true });
    });
    this.element.replaceChildren(make("figcaption", { text: "Bars a minute, by bar" }), svg,
      make("ul", { class: "legend" }, ...lines.map(({ name }, line) =>
        make("li", { class: `curve-name curve-${line % 6}`, text: name }))));
  }
}

/** Bars a minute from the bars' beginnings, each as the middle of three. */
export function tempoOf(seconds) {
  const each = seconds.slice(1).map((value, index) => 60 / Math.max(value - seconds[index], 0.05));
  return each.map((value, index) => [each[index - 1] ?? value, value, each[index + 1] ?? value]
    .sort((a, b) => a - b)[1]);
}
