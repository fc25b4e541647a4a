// One concert on the desk: its book, its check, its preview, its recording, and who else works on it.
import { Book } from "./book.js";
import { Checking } from "./checking.js";
import { decide } from "./conflict.js";
import { refreshFields, refuseAt } from "./fields.js";
import { showLists } from "./lists.js";
import { complain, notice } from "./notices.js";
import { Player } from "./player.js";
import { Preview } from "./preview.js";
import { showSaved } from "./saved.js";

export class Desk {
  book;
  checking;
  preview;
  player = new Player();
  #changed;

  /** `changed(why)` is called after each change of the concert, `gone()` where a view's node is no more. */
  constructor(concert, { changed, gone }) {
    this.#changed = changed;
    this.gone = gone;
    this.book = new Book(concert, {
      state: showSaved,
      conflict: (entry, conflicts) => decide(this.book, entry, conflicts),
      refused: (entry, refusal) => {
        if (!refuseAt(entry, refusal.message)) complain(refusal);
      },
    });
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

  undo() {
    return this.#step("undo");
  }

  redo() {
    return this.#step("redo");
  }

  async #step(course) {
    try {
      if (!(await this.book.step(course))) notice("Not yet: something is still on its way to the server.");
    } catch (refusal) {
      if (refusal.code === "nothing") notice(refusal.message);
      else if (refusal.code === "conflict") notice(`${refusal.message} It was not undone.`, { tone: "bad", seconds: 9 });
      else complain(refusal);
    }
  }
}
