// Works on whole tabs: makes, copies and deletes them, reads them from files and writes files. Each is kept in this
// browser first; the server gets it with the next sync.
import { Refusal, ask } from "/shared/api.js";
import { newID } from "/shared/ids.js";
import { notice } from "/shared/notice.js";
import { wallClock } from "/shared/wallclock.js";
import { download, readTabFile, writeTabFile } from "./files.js";
import { confirmImport } from "./preview.js";
import { followAddress, makeFollow } from "./following.js";
import { newTab } from "./instruments.js";
import { Shelf } from "./shelf.js";
import { ownCopy } from "./sync.js";

/** The time in which a deleted tab can be had back before the server hears of it, in milliseconds. */
const regretting = 8_500;

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** Says what a Refusal says; other errors are mistakes of ours. */
async function sayingWhyNot(say, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(error.message, "bad");
  }
}

export class Library {
  #store;
  #sync;
  #say;
  #shelf;

  /** `sync()` is the Sync; `say(sentence, tone)` tells the person. */
  constructor({ store, sync, say }) {
    [this.#store, this.#sync, this.#say] = [store, sync, say];
    this.#shelf = new Shelf({
      create: () => this.#create(newTab(`Tab ${day.format()}`)),
      open: ({ id }) => (location.hash = `#/${id}`), copy: (kept) => this.#copy(kept),
      remove: (kept) => this.#remove(kept), bring: (file) => this.#bring(file),
    });
  }

  /** The tabs of the person who is signed in, and those of nobody. */
  async tabs() {
    return (await this.#store.all()).filter((each) => this.#sync().isOurs(each));
  }

  async show() {
    const tabs = await this.tabs();
    this.#shelf.show(tabs, this.#sync().account !== undefined);
  }

  showSync(told) {
    this.#shelf.showSync(told);
  }

  /** Shows no pieces and scores, because they may be another person's. */
  forgetPieces() {
    this.#shelf.showPieces([]);
    this.#shelf.showScores([]);
  }

  /** Shows the prepared pieces and the person's scores, where this server has any. */
  async findPieces() {
    const [{ pieces }, { scores }] = await Promise.all([
      ask("/api/practice/pieces").catch(() => ({ pieces: [] })),
      ask("/api/stand/home").catch(() => ({ scores: [] })),
    ]);
    this.#shelf.showPieces(pieces);
    this.#shelf.showScores(scores);
  }

  async #create(tab) {
    const kept = { id: newID(), tab, changed: wallClock(), version: 0, isDirty: true, isShared: false, owner: null,
      account: this.#sync().account ?? null };
    await this.#store.write(kept);
    location.hash = `#/${kept.id}`;
    this.#sync().run();
  }

  async #copy(kept) {
    const title = `${kept.tab.title} (copy)`.slice(0, 200);
    const copy = ownCopy(kept, this.#sync().account ?? null);
    await this.#store.write({ ...copy, changed: wallClock(), tab: { ...kept.tab, title } });
    await this.show();
    this.#sync().run();
  }

  async #remove(kept) {
    await this.#store.update(kept.id, (now) => now && { ...now, isRemoved: true });
    await this.show();
    const title = kept.tab?.title || kept.title || "Untitled";
    const done = kept.owner ? "removed from your list" : "deleted";
    notice(`“${title}” was ${done}.`, { seconds: 8, action: "Undo", act: async () => {
      await this.#store.update(kept.id, (now) => ({ ...(now ?? kept), isRemoved: false,
        ...kept.owner ? {} : { isDirty: true, changed: wallClock() } }));
      await this.show();
      this.#sync().run();
    } });
    setTimeout(() => this.#sync().run(), regretting);
  }

  #bring(file) {
    return sayingWhyNot(this.#say, async () => {
      this.#say(`Reading “${file.name}” …`);
      const { tab, remarks } = await readTabFile(file);
      this.#say("");
      if (!await confirmImport(file.name, tab, remarks)) return;
      const title = freeTitle(tab.title, new Set((await this.tabs()).map((kept) => kept.tab?.title)));
      await this.#create({ ...tab, title });
      const renamed = title === tab.title ? "" : `You have a tab “${tab.title}” already; this one is “${title}”.`;
      if (renamed) this.#say(renamed);
    });
  }

  /** Goes to the page that follows its player through a tab, and makes the tab follow before, where needed. */
  follow(kept) {
    return sayingWhyNot(this.#say, async () => {
      location.href = await followAddress(kept.id, kept.changed) ?? await makeFollow(kept, this.#say);
    });
  }

  /** Gives the person a tab as a file of a kind. */
  give(tab, kind) {
    return sayingWhyNot(this.#say,
      async () => download(await writeTabFile(tab, kind), `${tab.title || "Tab"}.${kind}`));
  }
}

/** A title that no other tab has, so that a file that is brought twice makes two tabs that can be told apart. */
export function freeTitle(title, taken) {
  if (!title || !taken.has(title)) return title;
  let number = 2;
  const next = () => `${title.slice(0, 190)} (${number})`;
  while (taken.has(next())) number += 1;
  return next();
}
