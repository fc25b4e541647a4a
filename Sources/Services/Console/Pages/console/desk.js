// The console's state: the newest value of each section, and the listeners to its changes.

export class Desk {
  #sections = new Map();
  #listeners = new Map();

  /**
   * The newest object of a section; undefined before the first.
   * @template {keyof import("/shared/exchanged").Sections} Name
   * @param {Name} name
   * @returns {import("/shared/exchanged").Sections[Name] | undefined}
   */
  get(name) {
    return this.#sections.get(name);
  }

  /**
   * Calls `listener(value)` now (where there is a value) and whenever the section changes.
   * @template {keyof import("/shared/exchanged").Sections} Name
   * @param {Name} name
   * @param {(value: import("/shared/exchanged").Sections[Name]) => void} listener
   */
  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, []);
    this.#listeners.get(name).push(listener);
    if (this.#sections.has(name)) listener(this.#sections.get(name));
  }

  /** Takes a section's new object and paints it in the same turn. One listener's mistake stays its own. */
  set(name, value) {
    this.#sections.set(name, value);
    this.tell(name, value);
  }

  /** Tells listeners without remembering (notices). */
  tell(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        listener(value);
      } catch (mistake) {
        console.error(`Section “${name}” could not be shown:`, mistake);
      }
    }
  }
}
