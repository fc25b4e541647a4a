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

  at(key) {
    return this.#elements.get(key) ?? null;
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

  toJSON() {
    return this.elements;
  }
}
