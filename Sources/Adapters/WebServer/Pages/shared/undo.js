// Undo and redo of what one person did on a page, step by step.

/** What keys ask for, on every page: "undo" (Ctrl Z), "redo" (Ctrl Shift Z, Ctrl Y) or null. */
export function undoKey({ ctrlKey, metaKey, altKey, shiftKey, key }) {
  if ((!ctrlKey && !metaKey) || altKey || !["z", "y"].includes(key.toLowerCase())) return null;
  return shiftKey || key.toLowerCase() === "y" ? "redo" : "undo";
}

export class UndoStack {
  #done = [];
  #undone = [];
  #most;

  /** Keeps the newest `most` steps. What a step holds is the page's own affair, except for `label`, its name. */
  constructor(most = 500) {
    this.#most = most;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  get undoLabel() {
    return this.#done.at(-1)?.label ?? null;
  }

  get redoLabel() {
    return this.#undone.at(-1)?.label ?? null;
  }

  /** A new step; what was undone before cannot be redone any more. */
  push(step) {
    this.#done.push(step);
    if (this.#done.length > this.#most) this.#done.shift();
    this.#undone = [];
  }

  /** The last step, to be continued: what was undone before cannot be redone any more. Null if there is none. */
  continued() {
    this.#undone = [];
    return this.#done.at(-1) ?? null;
  }

  /** The last step that was done; null if there is none. */
  get last() {
    return this.#done.at(-1) ?? null;
  }

  /**
   * Takes the last step back: `turn(step)` does it and gives the step that does it again, or null if nothing could be
   * done; the step is gone then. Gives `{ step, isDone }`, or null if there was none.
   */
  undo(turn) {
    return this.#go(this.#done, this.#undone, turn);
  }

  redo(turn) {
    return this.#go(this.#undone, this.#done, turn);
  }

  /** Changes every step, those that were undone too. */
  each(change) {
    for (const step of [...this.#done, ...this.#undone]) change(step);
  }

  clear() {
    [this.#done, this.#undone] = [[], []];
  }

  #go(from, to, turn) {
    const step = from.pop();
    if (!step) return null;
    const reverse = turn(step);
    if (reverse) to.push(reverse);
    return { step, isDone: Boolean(reverse) };
  }
}
