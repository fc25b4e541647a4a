// Undo and redo: the tabs that were before, and those that were taken back.

const most = 500;

export class History {
  #past = [];
  #future = [];

  constructor(tab) {
    this.tab = tab;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Makes a changed tab the present one; false if nothing changed. `joins` keeps the step before as one. */
  change(tab, joins = false) {
    if (tab === this.tab) return false;
    if (!joins || this.#past.length === 0) this.#past.push(this.tab);
    if (this.#past.length > most) this.#past.shift();
    this.#future = [];
    this.tab = tab;
    return true;
  }

  /** Gives the tab another title, also in the steps that had the present one; this is no step itself. */
  retitle(title) {
    const old = this.tab.title;
    const renamed = (tab) => (tab.title === old ? { ...tab, title } : tab);
    [this.#past, this.#future] = [this.#past.map(renamed), this.#future.map(renamed)];
    this.tab = renamed(this.tab);
  }

  undo() {
    return this.#go(this.#past, this.#future);
  }

  redo() {
    return this.#go(this.#future, this.#past);
  }

  #go(from, to) {
    if (from.length === 0) return false;
    to.push(this.tab);
    this.tab = from.pop();
    return true;
  }
}
