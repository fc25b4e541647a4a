// The acts made here, for undo and redo. Only one's own; the room's order decides what they do.

const most = 300;
const edited = (act) => act.edit?.remark ?? act.erase;

export class Acts {
  #done = [];
  #undone = [];

  /** `listener` takes changed() after each act. */
  constructor(book, send, listener) {
    this.book = book;
    this.send = send;
    this.listener = listener;
  }

  /** Forgets what was done, as when other music lies here. */
  clear() {
    this.#done = [];
    this.#undone = [];
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** Does one or several acts as one step. */
  do(...acts) {
    const backwards = [];
    for (const act of acts) {
      const inverse = this.book.inverse(act);
      if (!inverse) continue;
      backwards.unshift(inverse);
      this.#carryOut(act);
    }
    if (backwards.length === 0) return;
    // A remark that was placed once is restored by its id, not placed again.
    const forwards = acts.map((act) => (act.place ? { restore: act.place.id } : act));
    this.#done.push({ forwards, backwards });
    if (this.#done.length > most) this.#done.shift();
    this.#undone = [];
    this.listener.changed();
  }

  /** True if something was taken back. */
  undo() {
    return this.#step(this.#done, this.#undone, "backwards");
  }

  redo() {
    return this.#step(this.#undone, this.#done, "forwards");
  }

  #step(from, to, direction) {
    while (from.length > 0) {
      const step = from.pop();
      // A remark that another stand of the same person deleted meanwhile cannot be changed any more.
      const acts = step[direction].filter((act) => !edited(act) || this.book.get(edited(act)));
      if (acts.length === 0) continue;
      for (const act of acts) this.#carryOut(act);
      to.push(step);
      this.listener.changed();
      return true;
    }
    this.listener.changed();
    return false;
  }

  #carryOut(act) {
    this.book.apply(act);
    this.send(act);
  }
}
