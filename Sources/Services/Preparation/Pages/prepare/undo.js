// The edits that this page's person can undo: each is undone by another edit, one step at a time.

const most = 500;

export class UndoStack {
  #done = []; // {id, label, edits, inverse}
  #undone = [];

  get undoLabel() {
    return this.#done.at(-1)?.label ?? null;
  }

  get redoLabel() {
    return this.#undone.at(-1)?.label ?? null;
  }

  /** A new step; what was undone before cannot be redone any more. */
  push(step) {
    this.#done.push(step);
    if (this.#done.length > most) this.#done.shift();
    this.#undone = [];
  }

  /**
   * Takes the last step back: `send(edits, label, step)` applies its inverse and gives the step that undoes that, or
   * null if nothing could be done. Gives `{label, isDone}` of the step, or null if there was none.
   */
  undo(send) {
    return this.#turn(this.#done, this.#undone, send, "Undo: ");
  }

  redo(send) {
    return this.#turn(this.#undone, this.#done, send, "Redo: ");
  }

  /** The server's own inverse of a step, which knows what others did meanwhile. */
  settle(id, inverse) {
    for (const step of [...this.#done, ...this.#undone]) if (step.id === id) step.inverse = inverse;
  }

  #turn(from, to, send, word) {
    const step = from.pop();
    if (!step) return null;
    const back = send(step.inverse, word + step.label, step);
    if (back) to.push({ ...back, label: step.label });
    return { label: step.label, isDone: Boolean(back) };
  }
}
