// Long lists whose rows are built when they come near to what is seen; until then each is its words alone, to be read,
// searched and dragged past. A concert may have hundreds of slides, and each row some forty parts.
import { make, write } from "/shared/dom.js";

const fewest = 40; // a shorter list is built at once
const ahead = "1600px"; // of what is seen

export class Nearby {
  #build;
  #words;
  #count;
  #rows = new Map(); // element → row
  #seer = null;

  /**
   * `build(item, element)` fills an empty element and gives `update(item, index)`; `words(item)` stand there until
   * then; `count()` is how many rows the list has.
   */
  constructor({ build, words, count }) {
    [this.#build, this.#words, this.#count] = [build, words, count];
  }

  /** A row for `keyed`: `traits` are those of its element. */
  row(item, traits) {
    const element = make("li", traits);
    const plain = make("p", { class: "unbuilt" });
    element.append(plain);
    let update = null;
    let last = null;
    const fill = () => {
      if (update) return;
      this.#forget(element);
      plain.remove();
      update = this.#build(item, element);
      if (last) update(...last);
    };
    if (this.#count() <= fewest) fill();
    else this.#watch(element, fill);
    return {
      element, fill,
      update: (now, index) => {
        last = [now, index];
        if (update) update(now, index);
        else write(plain, this.#words(now, index));
      },
      gone: () => this.#forget(element),
    };
  }

  close() {
    this.#seer?.disconnect();
    this.#rows.clear();
  }

  #watch(element, fill) {
    this.#seer ??= new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.#rows.get(target)?.();
    }, { root: document.getElementById("main"), rootMargin: `${ahead} 0px` });
    this.#rows.set(element, fill);
    this.#seer.observe(element);
  }

  #forget(element) {
    this.#rows.delete(element);
    this.#seer?.unobserve(element);
  }
}

/** Builds the row of a node in a list now, so that it can be scrolled to. */
export function buildRow(list, id) {
  list.keyedRows?.get(id)?.fill?.();
}
