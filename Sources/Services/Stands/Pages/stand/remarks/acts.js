// The acts made here, for undo and redo. Only one's own; the room's order decides what they do.

import { UndoStack } from "/shared/undo.js";

const most = 300;
const edited = (act) => act.edit?.remark ?? act.erase;

export class Acts {
  #steps = new UndoStack(most); // { back, forth }: acts that take a step back, and that do it again

  /** `listener` takes changed() after each act. */
  constructor(book, send, listener) {
    this.book = book;
    this.send = send;
    this.listener = listener;
  }

  /** Forgets what was done, as when other music lies here. */
  clear() {
    this.#steps.clear();
  }

  get canUndo() {
    return this.#steps.canUndo;
  }

  get canRedo() {
    return this.#steps.canRedo;
  }

  /** Does one or several acts as one step. */
  do(...acts) {
    const back = [];
    for (const act of acts) {
      const inverse = this.book.inverse(act);
      if (!inverse) continue;
      back.unshift(inverse);
      this.#carryOut(act);
    }
    if (back.length === 0) return;
    // A remark that was placed once is restored by its id, not placed again.
    this.#steps.push({ back, forth: acts.map((act) => (act.place ? { restore: act.place.id } : act)) });
    this.listener.changed();
  }

  /** True if something was taken back. */
  undo() {
    return this.#step("undo");
  }

  redo() {
    return this.#step("redo");
  }

  /** Steps of which nothing is left are passed over. */
  #step(course) {
    let turn;
    do turn = this.#steps[course]((step) => this.#takeBack(step)); while (turn && !turn.isDone);
    this.listener.changed();
    return turn !== null;
  }

  #takeBack({ back, forth }) {
    // A remark that another stand of the same person deleted meanwhile cannot be changed any more.
    const acts = back.filter((act) => !edited(act) || this.book.get(edited(act)));
    for (const act of acts) this.#carryOut(act);
    return acts.length > 0 ? { back: forth, forth: back } : null;
  }

  #carryOut(act) {
    this.book.apply(act);
    this.send(act);
  }
}
