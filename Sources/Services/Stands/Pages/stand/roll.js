// Things in the order in which they came, each found by its key at once. A list in JSON.

export class Roll {
  #elements = new Map();
  #key;

  constructor(elements = [], key = "id") {
    this.#key = key;
    for (const element of elements) this.append(element);
  }

  get elements() {
    return [...this.#elements.values()];
  }

  get count() {
    return this.#elements.size;
  }

  at(key) {
    return this.#elements.get(key) ?? null;
  }

  has(key) {
    return this.#elements.has(key);
  }

  /** False if the key is there already; nothing changes then. */
  append(element) {
    if (this.#elements.has(element[this.#key])) return false;
    this.#elements.set(element[this.#key], element);
    return true;
  }

  /** Replaces an element by itself with other fields, in its place; false if there is no such key. */
  update(key, fields) {
    const element = this.#elements.get(key);
    if (!element) return false;
    this.#elements.set(key, { ...element, ...fields });
    return true;
  }

  remove(key) {
    return this.#elements.delete(key);
  }

  /** A roll that changes apart from this one. The elements are shared, for none is ever changed in place. */
  copy() {
    const other = new Roll([], this.#key);
    other.#elements = new Map(this.#elements);
    return other;
  }

  toJSON() {
    return this.elements;
  }
}
