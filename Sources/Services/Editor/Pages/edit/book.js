// One concert while it is edited: what the server has, with what is not saved yet laid over it.
import { ask } from "/shared/api.js";
import { Renewal } from "/shared/changes.js";
import { Tree } from "./tree.js";
import { UnsentEdits } from "./unsentedits.js";

export class Book {
  concert;
  revision = 0;
  served = false;
  /** The tree that the page shows. */
  tree = new Tree();
  #sure = new Tree(); // what the server has
  #unsent;
  #takers = new Set();
  #mine = new Set(); // revisions this page made
  #renewal = new Renewal(() => this.#load());
  #why = "load"; // it is read anew
  #stale = false;
  #passing = {}; // course → the edit that could not be taken back
  #steps = null; // undos and redos that are not answered yet: {last: the newest, count, isOver: one was refused}

  /** `me` is the user's name: what one person typed is never sent as another's. */
  constructor(concert, told, me) {
    this.me = me;
    this.concert = concert;
    this.#unsent = new UnsentEdits(this, told, me);
  }

  /** Calls back after each change, with what it was: "load", "edit", "undo"; gives back how to stop. */
  onChange(take) {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  close() {
    this.#unsent.close();
    this.#takers.clear();
  }

  async open() {
    await this.load();
    this.#unsent.start();
  }

  get hasUnsent() {
    return this.#unsent.entries.length > 0;
  }

  /** Loads anew; true when it worked. */
  load(why = this.#why) {
    this.#why = why;
    return this.#renewal.ask();
  }

  async #load() {
    const why = this.#why;
    this.#why = "load";
    const { revision, served, nodes } = await ask(`/api/edit/concerts/${this.concert}`, { patience: 10_000 });
    // An answer that was overtaken says nothing new.
    if (revision < this.revision) return true;
    Object.assign(this, { revision, served });
    this.#sure = new Tree(nodes);
    this.#lay(why);
    return true;
  }

  /** Somebody edited: loads unless it was this page itself. */
  heard(revision) {
    if (revision <= this.revision) return;
    if (this.#unsent.isSending) this.#stale = true;
    else this.load().catch(() => {});
  }

  // MARK: Editing

  /** Makes changes here at once, and sends them. */
  edit(changes, label, options) {
    const noted = changes.map((change) => (change.set === undefined
      ? change : { seen: this.seen(change.set, change.field), ...change }));
    this.#passing = {};
    this.#unsent.add(noted, label, options);
    for (const change of noted) this.tree.apply(change);
    this.#tell("edit");
  }

  set(node, field, to, label, options) {
    this.edit([{ set: node, field, to, ...(options?.seen === undefined ? {} : { seen: options.seen }) }], label,
      options);
  }

  /** True if a field holds words that are not saved yet. */
  isUnsent(node, field) {
    return this.#unsent.entries.some(({ changes }) =>
      changes.some((change) => change.set === node && change.field === field));
  }

  /** The refused text of a field, with the reason: {to, sentence}; null if nothing was refused. */
  refusal(node, field) {
    for (const { changes, sentence } of this.#unsent?.refused ?? []) {
      const change = changes.find((one) => one.set === node && one.field === field);
      if (change) return { to: change.to ?? "", sentence };
    }
    return null;
  }

  get refusals() {
    return this.#unsent.refused;
  }

  /** Notes something typed that cannot be sent: it is kept and shown like what the server refused. */
  refuse(node, field, to, label, sentence) {
    this.#unsent.refuse([{ set: node, field, to }], label, sentence);
    this.#tell("dropped");
  }

  /** Gives up what was refused; the fields show what is saved. */
  leave(refusal) {
    this.#unsent.leave(refusal);
    this.#lay("undo");
  }

  /** Tells once more whether everything is saved. */
  say() {
    this.#unsent.say();
  }

  /** The revision that wrote a field, as far as this page knows. */
  seen(node, field) {
    const revisions = this.#sure.get(node)?.revisions ?? {};
    return (field === "played" ? Math.max(revisions.printed ?? 0, revisions.time ?? 0) : revisions[field]) ?? 0;
  }

  flush() {
    return this.#unsent.flush();
  }

  decide(entry) {
    this.#unsent.decide(entry && { ...entry, base: this.revision, insists: true });
    this.#lay("undo");
  }

  /**
   * Steps back or on in one's own edits. Steps go one after another: each is sent when the one before is answered and
   * shown. Throws Refusal; the steps that wait are given up then, since nobody who asked for them had read it.
   */
  step(course) {
    const steps = this.#steps ??= { last: Promise.resolve(), count: 0, isOver: false };
    steps.count += 1;
    const step = steps.last.then(() => steps.isOver || this.#step(course));
    steps.last = step.then((isDone) => (steps.isOver ||= !isDone), () => (steps.isOver = true)).then(() => {
      steps.count -= 1;
      if (steps.count === 0) this.#steps = null;
    });
    return step;
  }

  async #step(course) {
    // A refused edit was never done: giving it up is the first undo step.
    const refused = this.#unsent.refused.at(-1);
    if (course === "undo" && refused && !this.hasUnsent) {
      this.leave(refused);
      return true;
    }
    if (!(await this.flush())) return false;
    const other = course === "undo" ? "redo" : "undo";
    const passing = this.#passing[course];
    try {
      const { revision } = await ask(`/api/edit/concerts/${this.concert}/${course}`,
        { method: "POST", json: passing === undefined ? {} : { passing }, patience: 10_000 });
      delete this.#passing[other];
      this.#mine.add(revision);
    } catch (refusal) {
      // The next step goes on before what could not be taken back.
      if (refusal.value?.stuck !== undefined) this.#passing[course] = refusal.value.stuck;
      throw refusal;
    }
    await this.load("undo");
    return true;
  }

  /** A change that went another way than the outbox (upload, import, recording). */
  async did(revision) {
    this.#mine.add(revision);
    await this.load("undo");
  }

  // MARK: For the outbox

  /** An edit as it is sent: on the newest revision, unless others wrote the same meanwhile. */
  outgoing({ base, changes, insists }) {
    const isOurs = (revision, since) => revision <= since || this.#mine.has(revision);
    const older = insists ? [] : changes.flatMap((change) => {
      if (change.set !== undefined) {
        const since = change.seen ?? base;
        return isOurs(this.seen(change.set, change.field), since) ? [] : [since];
      }
      if (change.remove === undefined) return [];
      const revisions = [...this.#sure.below(change.remove)].flatMap((node) => Object.values(node.revisions));
      return revisions.every((revision) => isOurs(revision, base)) ? [] : [base];
    });
    return {
      base: Math.min(this.revision, ...older),
      changes: changes.map(({ seen, ...change }) => change),
    };
  }

  saved(entry, base, revision) {
    this.#mine.add(revision);
    const alone = revision === base + 1 && base === this.revision;
    for (const change of entry.changes) this.#sure.apply(change, revision);
    if (alone) this.revision = revision;
    else this.#stale = true;
    this.#tell("saved");
    if (this.#stale) {
      this.#stale = false;
      this.load().catch(() => {});
    }
  }

  /** True if the server has everything an edit makes. */
  has({ changes }) {
    return changes.every((change) => change.insert === undefined || this.#sure.get(change.id) !== null);
  }

  dropped() {
    this.#lay("dropped");
  }

  #lay(why) {
    this.tree = this.#sure.copy();
    for (const { changes } of this.#unsent?.entries ?? []) for (const change of changes) this.tree.apply(change);
    this.#tell(why);
  }

  #tell(why) {
    for (const take of [...this.#takers]) take(why);
  }
}
