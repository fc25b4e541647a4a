// The page of music: the lines of one track, drawn when they come near the window; the cursor and what sounds.
import { draw, make } from "/shared/dom.js";
import { drawLine } from "/shared/tabdrawing.js";
import { cellAt, columnAt, columnOfSlot, layout } from "/shared/tablayout.js";

export const zooms = [0.6, 0.8, 1, 1.25, 1.5, 2, 2.6];

export class Sheet {
  #element;
  #tab = null;
  #track = 0;
  #zoom = 1;
  #withNotation = false;
  #layout = null;
  #lines = [];
  #drawn = [];
  #watcher;
  #cursor = null;
  #loop = null;
  #shown = null;
  #width = 0;
  #cursorMark = draw("rect", { class: "cursor", rx: 4 });
  #soundMark = draw("rect", { class: "sounding", rx: 4 });

  /** `chosen(cell)` is called with the cell that was tapped, `banded(bar, extends)` with a bar whose head was. */
  constructor(element, { chosen, banded }) {
    this.#element = element;
    this.#watcher = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => {
      if (isIntersecting) this.#drawLine(Number(target.dataset.line));
    }), { root: element, rootMargin: "600px" });
    new ResizeObserver(() => this.#resized()).observe(element);
    element.addEventListener("click", (event) => {
      const cell = this.#cellOf(event);
      if (!cell) return;
      if (cell.isHead) banded(cell.bar, event.shiftKey);
      else chosen(cell);
    });
  }

  get zoom() {
    return this.#zoom;
  }

  get lines() {
    return this.#layout?.lines ?? [];
  }

  get layout() {
    return this.#layout;
  }

  /** Shows a track of a tab; only lines that changed are drawn anew. */
  show(tab, track) {
    const isOther = !this.#tab || track !== this.#track;
    const before = this.#tab;
    [this.#tab, this.#track] = [tab, track];
    this.#place(isOther ? null : before);
  }

  /** Another size; the cursor stays where it is in the window. */
  setZoom(zoom) {
    if (zoom === this.#zoom) return;
    const kept = this.#cursorTop();
    this.#zoom = zoom;
    if (!this.#tab) return;
    this.#place(null);
    const now = this.#cursorTop();
    if (kept !== null && now !== null) this.#element.scrollTop += now - kept;
    this.reveal();
  }

  get withNotation() {
    return this.#withNotation;
  }

  /** Shows notes above the tab, or does not. */
  setNotation(withNotation) {
    this.#withNotation = withNotation;
    if (this.#tab) this.#place(null);
    this.reveal();
  }

  setCursor(cursor) {
    this.#cursor = cursor;
    this.#markCursor();
  }

  setLoop(loop) {
    this.#loop = loop;
    this.#markLoop();
  }

  /** Marks the column that sounds: { bar, at } or null. Gives the column's element place, for those who look. */
  showSounding(place) {
    const found = place && this.#layout ? columnAt(this.#layout, place.bar, place.at) : null;
    if (!found) {
      this.#soundMark.remove();
      this.#shown = null;
      return null;
    }
    const key = `${found.part.bar} ${found.column.at}`;
    if (key === this.#shown && this.#soundMark.isConnected) return key;
    this.#shown = key;
    this.#mark(this.#soundMark, found, 6, this.#layout.measures.height + 12);
    this.#soundMark.dataset.bar = found.part.bar;
    this.#soundMark.dataset.at = found.column.at;
    this.#reveal(found.line.index, true);
    return key;
  }

  /** Brings the cursor's line into the window. */
  reveal() {
    const found = this.#found();
    if (found) this.#reveal(found.line.index, false);
  }

  #found() {
    return this.#cursor && this.#layout ? columnOfSlot(this.#layout, this.#cursor.bar, this.#cursor.slot) : null;
  }

  #cursorTop() {
    const found = this.#found();
    return found ? found.line.y - this.#element.scrollTop : null;
  }

  #reveal(index, ahead) {
    const { whole } = this.#layout.measures;
    const [top, bottom] = [index * whole, (index + 1) * whole];
    const { scrollTop, clientHeight } = this.#element;
    // The line that sounds shows the next one too.
    const wanted = ahead && clientHeight > 2 * whole ? bottom + whole : bottom;
    if (top < scrollTop) this.#element.scrollTop = top;
    else if (wanted > scrollTop + clientHeight) this.#element.scrollTop = Math.min(top, wanted - clientHeight);
  }

  #resized() {
    const width = this.#element.clientWidth;
    if (!this.#tab || width === this.#width || width === 0) return;
    const kept = this.#cursorTop();
    this.#place(null);
    const now = this.#cursorTop();
    if (kept !== null && now !== null) this.#element.scrollTop += now - kept;
    this.reveal();
  }

  #place(before) {
    this.#width = this.#element.clientWidth;
    this.#layout = layout(this.#tab, this.#track, this.#width, this.#zoom, this.#withNotation);
    const { lines, measures, width } = this.#layout;
    while (this.#lines.length > lines.length) {
      const line = this.#lines.pop();
      this.#watcher.unobserve(line);
      line.remove();
    }
    this.#drawn.length = Math.min(this.#drawn.length, lines.length);
    lines.forEach((line, index) => {
      let element = this.#lines[index];
      if (!element) {
        element = make("div", { class: "line", "data-line": index });
        this.#lines.push(element);
        this.#element.append(element);
      }
      element.style.height = `${measures.whole}px`;
      if (!before || !this.#isSame(before, line, this.#drawn[index], width)) {
        this.#drawn[index] = null;
        element.replaceChildren();
        this.#watcher.unobserve(element);
        this.#watcher.observe(element);
        if (this.#isNear(line)) this.#drawLine(index);
      } else {
        this.#drawn[index] = line;
      }
    });
    this.#shown = null;
    this.#markCursor();
    this.#markLoop();
  }

  #isNear(line) {
    const { scrollTop, clientHeight } = this.#element;
    return line.y < scrollTop + clientHeight + 200 && line.y + this.#layout.measures.whole > scrollTop - 200;
  }

  /** True if a drawn line still shows the same. */
  #isSame(before, line, drawn, width) {
    return Boolean(drawn) && drawn.stave === line.stave && drawn.bars.length === line.bars.length
      && drawn.drawnWidth === width && line.bars.every((part, index) => {
      const old = drawn.bars[index];
      return old.bar === part.bar && old.columns.length === part.columns.length
        && Math.abs(old.x - part.x) < 0.01 && Math.abs(old.width - part.width) < 0.01
        && old.isBegin === part.isBegin && old.isEnd === part.isEnd
        && before.bars[part.bar] === this.#tab.bars[part.bar]
        && before.tracks[this.#track].bars[part.bar] === this.#tab.tracks[this.#track].bars[part.bar]
        && before.tracks[this.#track].strings === this.#tab.tracks[this.#track].strings
        && before.tracks[this.#track].capo === this.#tab.tracks[this.#track].capo
        && (part.bar === this.#tab.bars.length - 1) === (part.bar === before.bars.length - 1);
    });
  }

  #drawLine(index) {
    const line = this.#layout?.lines[index];
    if (!line || this.#drawn[index] === line) return;
    line.drawnWidth = this.#layout.width;
    this.#drawn[index] = line;
    this.#lines[index].replaceChildren(drawLine(this.#tab, this.#track, this.#layout, line));
    this.#markCursor();
    this.#markLoop(index);
  }

  #markCursor() {
    const found = this.#found();
    if (!found) return this.#cursorMark.remove();
    const { gap } = this.#layout.measures;
    const y = (this.#cursor.string - 1) * gap - gap * 0.5;
    this.#mark(this.#cursorMark, found, -y, gap);
  }

  #mark(mark, { line, column }, above, height) {
    const svg = this.#lines[line.index]?.firstChild;
    if (!svg) return;
    const { top, zoom } = this.#layout.measures;
    const width = Math.min(column.width, 30 * zoom);
    for (const [name, value] of Object.entries({ x: column.x - width / 2, y: top - above, width, height })) {
      mark.setAttribute(name, value);
    }
    if (mark.parentNode !== svg) svg.prepend(mark);
  }

  #markLoop(only = null) {
    if (!this.#layout) return;
    this.#layout.lines.forEach((line, index) => {
      if (only !== null && only !== index) return;
      const svg = this.#lines[index]?.firstChild;
      if (!svg) return;
      svg.querySelectorAll(".looped").forEach((each) => each.remove());
      if (!this.#loop) return;
      for (const part of line.bars) {
        if (part.bar < this.#loop[0] || part.bar > this.#loop[1]) continue;
        const { top, height } = this.#layout.measures;
        svg.prepend(draw("rect", { class: "looped", x: part.x, y: top - 26 * this.#zoom, width: part.width,
          height: height + 30 * this.#zoom }));
      }
    });
  }

  #cellOf(event) {
    if (!this.#layout) return null;
    const box = this.#element.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top + this.#element.scrollTop;
    const strings = Math.max(1, this.#tab.tracks[this.#track].strings.length);
    const cell = cellAt(this.#layout, x, y, strings);
    const { whole, top, gap, zoom } = this.#layout.measures;
    const above = top - y % whole;
    return cell && { ...cell, isHead: above > 0.6 * gap && above < 34 * zoom };
  }
}
