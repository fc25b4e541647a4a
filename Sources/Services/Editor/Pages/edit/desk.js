// One concert on the desk: its book, its check, its preview, its recording, and who else works on it.
import { notice } from "/shared/notice.js";
import { complain, showSaved } from "/shared/saved.js";
import { Book } from "./book.js";
import { Checking } from "./checking.js";
import { decide } from "./conflict.js";
import { focusField, refreshFields } from "./fields.js";
import { showLists } from "./lists.js";
import { fieldName, nameOf, placeOf } from "./names.js";
import { Player } from "./player.js";
import { Preview } from "./preview.js";

export class Desk {
  book;
  checking;
  preview;
  player = new Player();
  #changed;

  /** Calls `changed(why)` after each change of the concert, and `gone()` when a view's node no longer exists. */
  constructor(concert, { changed, gone, me }) {
    this.#changed = changed;
    this.gone = gone;
    this.me = me;
    this.book = new Book(concert, {
      // A concert that was left goes on sending; what it says belongs to no page any more.
      state: (name, sentence) => this.isClosed || showSaved(name, sentence, name === "refused" ? this.#refusals() : []),
      conflict: (entry, conflicts) => decide(this.book, entry, conflicts),
      // Shown at its field and in the banner until somebody mends it or leaves it out.
      refused: () => refreshFields("dropped"),
    }, me);
  }

  async open() {
    await this.book.open();
    this.checking = new Checking(this.book);
    this.preview = new Preview(this.book);
    this.book.onChange((why) => {
      if (this.isClosed) return;
      refreshFields(why);
      showLists(this.book);
      this.#changed(why);
    });
    showLists(this.book);
  }

  close() {
    this.isClosed = true;
    this.player.stop();
    this.book.close();
  }

  /** The refused edits, as the banner shows them. */
  #refusals() {
    const { book } = this;
    return book.refusals.map((refusal) => {
      const [change] = refusal.changes;
      const node = change.set ?? change.move ?? change.remove;
      const place = node && book.tree.get(node) ? placeOf(book, node) : null;
      return {
        text: place ? `${nameOf(book.tree, node)}${change.field ? `, ${fieldName(change.field)}` : ""}` : refusal.label,
        sentence: refusal.sentence,
        show: place ? () => {
          if (!focusField(node, change.field)) location.hash = place;
        } : null,
        leave: () => book.leave(refusal),
      };
    });
  }

  undo() {
    return this.#step("undo");
  }

  redo() {
    return this.#step("redo");
  }

  #stuck = null; // the notice that an edit could not be taken back

  async #step(course) {
    this.#stuck?.remove();
    try {
      if (!(await this.book.step(course))) notice("Not yet: something is still on its way to the server.");
    } catch (refusal) {
      if (refusal.code === "nothing") notice(refusal.message);
      else if (refusal.value?.stuck !== undefined) {
        this.#stuck = notice(refusal.message,
          { tone: "bad", seconds: 12, action: `${course === "undo" ? "Undo" : "Redo"} the one before`,
            act: () => this.#step(course) });
      } else complain(refusal);
    }
  }
}
