// The titles of one piece as they are worked on: changed here at once, sent, joined with what others do, undone.
import { ask } from "/shared/api.js";
import { Renewal } from "/shared/changes.js";
import { Outbox, fateOf } from "/shared/outbox.js";
import { sentenceOf } from "/shared/savedwords.js";
import { UndoStack } from "/shared/undo.js";
import { Unsent, peopleWithUnsent } from "/shared/unsent.js";
import { difference, keyOf, merge, withIDs } from "./titlemerge.js";
import { newID } from "./tree.js";

const pause = 600; // ms without typing after which a text is sent
const look = 2_000; // ms between two looks at what others did
const joined = 1_500; // ms within which typing in one field is one step to undo
export const unsentTitles = "baton.edit.titles."; // where browsers keep what is not sent

/** Earlier versions named the person before the piece's folder, and kept the rows without a list around them. */
export const titlesShape = (_, { folder, server, rows, ...value }) =>
  (rows ? { ...value, of: folder, entries: [{ server, rows }] } : value);

/** Other people whose titles of a piece wait in this browser. */
export const peopleWithTitles = (folder, me) => peopleWithUnsent(unsentTitles, folder, me, titlesShape);

export const emptyTitle = () =>
  ({ texts: {}, place: null, played: null, measure: null, lead: 0, fadeIn: 0, fadeOut: 0, doubleCut: null,
    position: null, note: "", label: "" });

export class TitleBook {
  rows = []; // [{id, title}]
  languages = [];
  refusals = new Map(); // id → the server's sentence
  conflicts = []; // [{id, mine, theirs}]
  piece = null; // {piece, name, folder}; `piece` is null outside tonight's programme; null if it is not prepared
  state = { name: "saved", sentence: "" };
  #folder;
  #changed;
  #kept;
  #outbox;
  #server = [];
  #revision = "";
  #steps = new UndoStack(); // { changes, field, at }: `field` in which somebody typed last at that time
  #renewal = new Renewal(() => this.#load());
  #looking = 0;
  #due = 0; // of performance.now(): when a pause in typing is over
  #stuck = null; // the rows as they were when something was refused of which it is not known which title it is

  /** `changed(why)` is called after each change: "rows", "title" (with its id), "state", "gone". */
  constructor(folder, me, changed) {
    this.#folder = folder;
    this.#changed = changed;
    this.#kept = new Unsent(unsentTitles, folder, me, { shape: titlesShape,
      left: () => this.#takeLeft().catch(() => {}),
      taken: () => {
        [this.rows, this.conflicts] = [this.#server, []];
        this.refusals.clear();
        this.load().catch(() => {});
      } });
    this.#outbox = new Outbox({
      kept: this.#kept,
      entries: () => this.#differences,
      pause: () => this.#due - performance.now(),
      send: ([whole]) => this.#send(whole, me),
      met: (refusal) => this.#met(refusal),
      refused: ([whole], { message }) => this.#refuse(whole, message),
      said: (state, sentence) => this.#say(state === "saved" ? undefined : state, sentence),
    });
  }

  async open() {
    await this.#find();
    if (!this.piece) return;
    // What other pages left comes in one by one, for the rows of each have ids of their own.
    const [kept] = this.#kept.take(1);
    if (kept) [this.#server, this.rows] = [kept.server, kept.rows];
    await this.load();
    this.#looking = setInterval(() => this.#look(), look);
    if (this.hasUnsent) this.flush();
  }

  async #takeLeft() {
    if (!this.piece || this.hasUnsent || this.#outbox.isSending) return;
    const [left] = this.#kept.takeLeft(1);
    [this.#server, this.rows] = [left.server, left.rows];
    await this.load();
    this.flush();
  }

  close() {
    clearInterval(this.#looking);
    this.isClosed = true;
    return this.flush().finally(() => this.#outbox.close());
  }

  get hasUnsent() {
    return difference(this.#server, this.rows) !== null;
  }

  /** The list's address: by the piece's folder, so that another order of the programme changes nothing. */
  get address() {
    return `/api/titles/@${this.#folder}`;
  }

  async #find() {
    const pieces = await ask("/api/titles", { patience: 10_000 });
    this.piece = pieces.find(({ folder }) => folder === this.#folder) ?? null;
    return this.piece;
  }

  /** Reads the list, and joins it with what is not sent yet. */
  load() {
    return this.#renewal.ask();
  }

  async #load() {
    const read = await ask(this.address, { patience: 15_000 });
    this.#revision = read.revision;
    for (const tag of read.languages) if (!this.languages.includes(tag)) this.languages.push(tag);
    const base = this.#server;
    const theirs = withIDs(read.titles, base, newID);
    const { rows, conflicts } = merge(base, this.rows, theirs);
    this.#server = theirs;
    this.rows = rows;
    for (const conflict of conflicts) {
      this.conflicts = this.conflicts.filter(({ id }) => id !== conflict.id).concat(conflict);
    }
    this.#keep();
    if (!this.isClosed) this.#changed("rows");
    this.#say();
  }

  /** Looks whether somebody else changed the list. */
  async #look() {
    if (this.#outbox.isSending || document.visibilityState === "hidden") return;
    try {
      await this.#find();
      if (!this.piece) return this.#changed("gone");
      if (this.piece.revision !== this.#revision) await this.load();
      else if (this.state.name === "waiting" && !this.hasUnsent) this.#say();
    } catch (refusal) {
      if (fateOf(refusal) === "out") this.#say("out", sentenceOf("out"));
    }
  }

  // MARK: Changing

  index(id) {
    return this.rows.findIndex((row) => row.id === id);
  }

  title(id) {
    return this.rows[this.index(id)]?.title ?? null;
  }

  /** Changes fields of a title; `typing` names the field in which somebody types. */
  set(id, fields, typing = null) {
    this.#kept.look();
    const before = this.title(id);
    if (!before) return;
    const after = { ...before, ...fields };
    if (keyOf(before) === keyOf(after)) return;
    const { last } = this.#steps;
    const field = `${id} ${typing}`;
    if (typing && last?.field === field && performance.now() - last.at < joined) {
      this.#apply([{ set: id, before, after }]);
      this.#steps.continued();
      last.changes[0].after = after;
      last.at = performance.now();
      this.#soon(pause);
      return;
    }
    this.#do([{ set: id, before, after }], typing ? pause : 0, typing ? field : null);
  }

  /** Puts a new title after another one, or first; gives its id. */
  insert(title, after) {
    const id = newID();
    this.#do([{ insert: id, title, after }]);
    return id;
  }

  remove(id) {
    this.#do([this.#removal(id)]);
  }

  /** Puts a title elsewhere; its bar goes with it, and the server says whether the bars still rise. */
  move(from, to) {
    const row = this.rows[from];
    const others = this.rows.filter((one) => one !== row);
    this.#do([this.#removal(row.id), { insert: row.id, title: row.title, after: others[to - 1]?.id ?? null }]);
  }

  /** Divides a title: the second part of each text goes into a new title after it. */
  split(id, texts, rest) {
    const before = this.title(id);
    const next = newID();
    this.#do([{ set: id, before, after: { ...before, texts: { ...before.texts, ...texts } } },
      { insert: next, title: { ...emptyTitle(), fadeIn: before.fadeIn, fadeOut: before.fadeOut,
        position: before.position, texts: rest }, after: id }]);
    return next;
  }

  #removal(id) {
    const index = this.index(id);
    return { remove: id, title: this.rows[index].title, after: this.rows[index - 1]?.id ?? null };
  }

  #do(changes, wait = 0, field = null) {
    this.#kept.look();
    this.#apply(changes);
    this.#steps.push({ changes, field, at: performance.now() });
    this.#soon(wait);
  }

  #apply(changes) {
    let why = "title";
    let id = null;
    for (const change of changes) {
      if (change.set) {
        const index = this.index(change.set);
        if (index >= 0) this.rows = this.rows.with(index, { id: change.set, title: change.after });
        id = change.set;
        this.refusals.delete(id);
      } else if (change.insert) {
        const at = change.after === null ? 0 : this.index(change.after) + 1;
        this.rows = this.rows.toSpliced(at, 0, { id: change.insert, title: change.title });
        why = "rows";
      } else {
        this.rows = this.rows.filter((row) => row.id !== change.remove);
        this.refusals.delete(change.remove);
        why = "rows";
      }
    }
    this.#changed(why, id);
  }

  /** Undoes the last step of this person, or makes it again: "undo" or "redo". Null if there is none, false if it could
      not be done. */
  step(course) {
    return this.#steps[course](({ changes }) => this.#takeBack(changes))?.isDone ?? null;
  }

  #takeBack(done) {
    const changes = done.map(inverse).reverse();
    // A title that somebody else has changed since is left as it is.
    const fits = changes.every((change) => {
      if (change.insert) return this.index(change.insert) < 0;
      const title = this.title(change.set ?? change.remove);
      return title && keyOf(title) === keyOf(change.before ?? change.title);
    });
    // A move is a removal and an insertion of the same row.
    const isMove = changes.length === 2 && changes[0].remove && changes[0].remove === changes[1].insert;
    if (!fits && !(isMove && this.title(changes[0].remove))) return null;
    this.#apply(changes);
    this.#soon(0);
    return { changes };
  }

  /** Gives up what was refused: the title is again as it is saved. */
  leave(id) {
    const saved = this.#server.find((row) => row.id === id);
    this.refusals.delete(id);
    if (saved) this.set(id, saved.title);
    else if (this.title(id)) this.remove(id);
  }

  /** Ends a conflict: `takes` is "mine" or "theirs". */
  decide(conflict, takes) {
    this.conflicts = this.conflicts.filter((one) => one !== conflict);
    const { id, mine } = conflict;
    if (takes === "mine") {
      if (mine === null) this.remove(id);
      else if (this.title(id)) this.set(id, mine);
      else this.insert(mine, this.rows.at(-1)?.id ?? null);
    }
    this.#say();
  }

  // MARK: Sending

  #soon(wait) {
    [this.#due, this.#stuck] = [performance.now() + wait, null];
    this.refusals.clear(); // another title may have been the reason
    this.#keep();
    this.#say("saving");
    this.#outbox.soon();
  }

  /** Sends what is not sent; true if everything is saved. */
  async flush() {
    return (await this.#outbox.flush()) && !this.hasUnsent;
  }

  /** What is to be sent, as the one difference of `rows` from the server's list; none where only refused titles differ.
      `of` are the rows with the refused ones. */
  get #differences() {
    const rows = this.#sendable();
    const whole = this.rows === this.#stuck ? null : difference(this.#server, rows);
    return whole ? [{ ...whole, rows, of: this.rows }] : [];
  }

  /** The rows without what the server refused: such a title is sent as the server has it, a new one not at all. */
  #sendable() {
    if (this.refusals.size === 0) return this.rows;
    const saved = new Map(this.#server.map(({ id, title }) => [id, title]));
    return this.rows.flatMap((row) => (!this.refusals.has(row.id) ? [row]
      : saved.has(row.id) ? [{ id: row.id, title: saved.get(row.id) }] : []));
  }

  /** Somebody else changed the list: what both did is joined. */
  async #met({ code }) {
    if (code !== "titles-changed") return null;
    await this.load();
    return "again";
  }

  /** Notes which title was refused; what else was changed can be saved then, unless it is not known which one. */
  #refuse({ index, insert, rows, of }, sentence) {
    const saved = new Map(this.#server.map(({ id, title }) => [id, title]));
    const isChanged = ({ id, title }) => !saved.has(id) || keyOf(saved.get(id)) !== keyOf(title);
    // The sentence names one title, or two of which either may be the one that was changed.
    const named = [...sentence.matchAll(/(?:[Tt]itles?|and) ([0-9]+)/g)].map(([, number]) => rows[number - 1]);
    const found = named.filter(Boolean).find(isChanged);
    this.refusals.set((found ?? named.find(Boolean) ?? insert[0] ?? rows[index])?.id, sentence);
    if (!found) this.#stuck = of;
    this.#keep();
    if (!this.isClosed) this.#changed("rows");
  }

  async #send({ index, remove, insert }, by) {
    const before = this.#server;
    const answer = await ask(`${this.address}/edits`, { method: "POST", patience: 15_000,
      json: { base: this.#revision, index, remove, insert: insert.map(({ title }) => sent(title)) }, by });
    this.#revision = answer.revision;
    const saved = insert.map(({ id, title }, at) => {
      const { played, measure } = answer.inserted[at];
      return { id, title: { ...title, played, measure } };
    });
    this.#server = before.toSpliced(index, remove, ...saved);
    const ids = new Map(saved.map((row, at) => [row.id, [row, insert[at]]]));
    this.rows = this.rows.map((row) => {
      const [found, was] = ids.get(row.id) ?? [];
      return found && row.title === was.title ? found : row;
    });
    this.#keep();
    if (!this.isClosed) for (const { id } of saved) this.#changed("saved", id);
  }

  #say(name, sentence = "") {
    if (this.isClosed) return;
    this.state = name !== undefined ? { name, sentence } : this.conflicts.length > 0
      ? { name: "conflict", sentence: sentenceOf("conflict") } : this.refusals.size > 0
        ? { name: "refused", sentence: [...this.refusals.values()][0] } : this.hasUnsent
          ? { name: "saving", sentence: "" } : { name: "saved", sentence: "" };
    this.#changed("state");
  }

  #keep() {
    this.#kept.keep(this.hasUnsent ? [{ server: this.#server, rows: this.rows }] : []);
  }
}

const inverse = (change) => (change.set ? { set: change.set, before: change.after, after: change.before }
  : change.insert ? { remove: change.insert, title: change.title, after: change.after }
    : { insert: change.remove, title: change.title, after: change.after });

const sent = ({ texts, place, lead, fadeIn, fadeOut, doubleCut, position, note, label }) => ({
  texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")), place, lead, fadeIn, fadeOut,
  doubleCut, position, note, label: label ?? "" });
