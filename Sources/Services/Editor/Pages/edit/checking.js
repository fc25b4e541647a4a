// The findings of the server's check, refreshed after each change and shown next to their objects.
import { ask } from "/shared/api.js";
import { make, mark } from "/shared/dom.js";

const nothing = [];
const signs = { error: "Error", warning: "Warning", hint: "Hint" };

export class Checking {
  #book;
  #byNode = new Map();
  #takers = new Set();
  #timer = null;
  all = [];

  constructor(book) {
    this.#book = book;
    book.onChange((why) => why !== "edit" && this.look());
    this.look();
  }

  onChange(take) {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  of(node) {
    return this.#byNode.get(node) ?? nothing;
  }

  /** Findings of a node and all below it. */
  countBelow(id) {
    let count = 0;
    for (const node of this.#book.tree.below(id)) count += this.of(node.id).length;
    return count;
  }

  look() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), 350);
  }

  async #look() {
    try {
      this.all = await ask(`/api/edit/concerts/${this.#book.concert}/findings`, { patience: 10_000 });
    } catch {
      return; // the next change asks again
    }
    this.#byNode = new Map();
    for (const finding of this.all) {
      const list = this.#byNode.get(finding.node) ?? [];
      this.#byNode.set(finding.node, [...list, finding]);
    }
    for (const take of [...this.#takers]) take();
  }
}

/** A list that shows the findings of one node; `show()` brings it up to date. */
export function findingsOf(checking, node) {
  /** @type {any} */
  const list = make("ul", { class: "finding-list" });
  let shown = "[]";
  let last = nothing;
  list.show = () => {
    const found = checking.of(node);
    if (found === last) return;
    last = found;
    const key = JSON.stringify(found);
    if (key === shown) return;
    shown = key;
    list.replaceChildren(...found.map(findingRow));
    mark(list, "hidden", found.length ? null : true);
  };
  list.hidden = true;
  list.show();
  return list;
}

export const findingRow = ({ rule, severity, sentence }) =>
  make("li", { class: "finding", "data-rule": rule, "data-severity": severity },
    make("span", { class: "severity", text: signs[severity] ?? severity }), make("span", { text: sentence }));
