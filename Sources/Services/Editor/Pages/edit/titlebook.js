// The titles of one piece as they are worked on: changed here at once, sent, joined with what others do, undone.
import { ask } from "/shared/api.js";
import { wallClock } from "/shared/wallclock.js";
import { titlesPrefix } from "./kept.js";
import { difference, keyOf, merge, withIDs } from "./titlemerge.js";
import { newID } from "./tree.js";

const pause = 600; // ms without typing after which a text is sent
const retry = 2_500; // ms until an unreachable server is asked again
const look = 2_000; // ms between two looks at what others did
const joined = 1_500; // ms within which typing in one field is one step to undo
const mostSteps = 500;
const mostTrials = 40; // requests of one sending: refused titles are left out one by one
const forgottenAfter = 15_000; // ms without a sign of life of the page that kept something

export const emptyTitle = () =>
  ({ texts: {}, place: null, played: null, measure: null, lead: 0, fadeIn: 0, fadeOut: 0, doubleCut: null,
    position: null, note: "" });

export class TitleBook {
  rows = []; // [{id, title}]
  languages = [];
  refusals = new Map(); // id → the server's sentence
  conflicts = []; // [{id, mine, theirs}]
  piece = null; // {piece, name, folder}; `piece` is null outside tonight's programme; null if it is not prepared
  state = { name: "saved", sentence: "" };
  #folder;
  #me;
  #changed;
  #server = [];
  #revision = "";
  #undo = [];
  #redo = [];
  #timer = 0;
  #looking = 0;
  #sending = null;

  /** `changed(why)` is called after each change: "rows", "title" (with its id), "state", "gone". */
  constructor(folder, me, changed) {
    this.#folder = folder;
    this.#me = me;
    this.#changed = changed;
  }

  async open() {
    await this.#find();
    if (!this.piece) return;
    const kept = this.#kept();
    if (kept) {
      this.#server = kept.server;
      this.rows = kept.rows;
    }
    await this.load();
    this.#looking = setInterval(() => this.#look(), look);
    if (this.hasUnsent) this.flush();
  }

  close() {
    clearInterval(this.#looking);
    clearTimeout(this.#timer);
    this.isClosed = true;
    return this.flush();
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
  async load() {
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
    if (this.hasUnsent) this.#keep(); // a sign of life
    if (this.#sending || document.visibilityState === "hidden") return;
    try {
      await this.#find();
      if (!this.piece) return this.#changed("gone");
      if (this.piece.revision !== this.#revision) await this.load();
      else if (this.state.name === "waiting" && !this.hasUnsent) this.#say();
    } catch (refusal) {
      if (refusal.status === 401) this.#say("out", "You are signed out. Sign in, and you come back to this place.");
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
    const before = this.title(id);
    if (!before) return;
    const after = { ...before, ...fields };
    if (keyOf(before) === keyOf(after)) return;
    const last = this.#undo.at(-1);
    const step = `${id} ${typing}`;
    if (typing && last?.step === step && performance.now() - last.at < joined) {
      this.#apply([{ set: id, before, after }]);
      last.changes[0].after = after;
      last.at = performance.now();
      this.#redo = [];
      this.#soon(pause);
      return;
    }
    this.#do([{ set: id, before, after }], typing ? pause : 0, typing ? step : null);
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

  #do(changes, wait = 0, step = null) {
    this.#apply(changes);
    this.#undo.push({ changes, step, at: performance.now() });
    if (this.#undo.length > mostSteps) this.#undo.shift();
    this.#redo = [];
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

  /** Undoes the last step of this person, or makes it again; false if there is none. */
  step(course) {
    const [from, to] = course === "undo" ? [this.#undo, this.#redo] : [this.#redo, this.#undo];
    const step = from.pop();
    if (!step) return null;
    const changes = course === "undo" ? step.changes.map(inverse).reverse() : step.changes;
    // A title that somebody else has changed since is left as it is.
    const fits = changes.every((change) => {
      if (change.insert) return this.index(change.insert) < 0;
      const title = this.title(change.set ?? change.remove);
      return title && keyOf(title) === keyOf(change.before ?? change.title);
    });
    // A move is a removal and an insertion of the same row.
    const isMove = changes.length === 2 && changes[0].remove && changes[0].remove === changes[1].insert;
    if (!fits && !(isMove && this.title(changes[0].remove))) return false;
    this.#apply(changes);
    to.push({ ...step, step: null });
    this.#soon(0);
    return true;
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
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), wait);
    this.#say("saving");
  }

  /** Sends what is not sent; true if everything is saved. */
  flush() {
    clearTimeout(this.#timer);
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #send() {
    this.refusals.clear();
    for (let trial = 0; trial < mostTrials; trial += 1) {
      const rows = this.#sendable();
      const whole = difference(this.#server, rows);
      if (!whole) break;
      try {
        await this.#sendOne(whole);
      } catch (refusal) {
        if (refusal.code === "titles-changed") {
          if (!(await this.load().then(() => true, () => false))) break;
        } else if (refusal.code === "bad-titles") {
          if (!this.#refuse(refusal.message, rows, whole)) break;
        } else {
          this.#wait(refusal);
          return false;
        }
      }
    }
    this.#keep();
    if (this.refusals.size > 0 && !this.isClosed) this.#changed("rows");
    this.#say();
    return !this.hasUnsent;
  }

  /** The rows without what the server refused: such a title is sent as the server has it, a new one not at all. */
  #sendable() {
    if (this.refusals.size === 0) return this.rows;
    const saved = new Map(this.#server.map(({ id, title }) => [id, title]));
    return this.rows.flatMap((row) => (!this.refusals.has(row.id) ? [row]
      : saved.has(row.id) ? [{ id: row.id, title: saved.get(row.id) }] : []));
  }

  /** Notes which title was refused; what else was changed can be saved then. False if it is not known which one. */
  #refuse(sentence, rows, { index, insert }) {
    const saved = new Map(this.#server.map(({ id, title }) => [id, title]));
    const isChanged = ({ id, title }) => !saved.has(id) || keyOf(saved.get(id)) !== keyOf(title);
    // The sentence names one title, or two of which either may be the one that was changed.
    const named = [...sentence.matchAll(/(?:[Tt]itles?|and) ([0-9]+)/g)].map(([, number]) => rows[number - 1]);
    const found = named.filter(Boolean).find(isChanged);
    this.refusals.set((found ?? named.find(Boolean) ?? insert[0] ?? rows[index])?.id, sentence);
    return found !== undefined;
  }

  async #sendOne({ index, remove, insert }) {
    const before = this.#server;
    const answer = await ask(`${this.address}/edits`, { method: "POST", patience: 15_000,
      json: { base: this.#revision, index, remove, insert: insert.map(({ title }) => sent(title)) } });
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
    if (!this.isClosed) for (const { id } of saved) this.#changed("saved", id);
  }

  #wait(refusal) {
    if (refusal.status === 401) {
      return this.#say("out", "You are signed out. Sign in, and you come back to this place.");
    }
    this.#say("waiting", `${refusal.message} What you write is kept in this browser and sent when it can be.`);
    if (!this.isClosed) this.#timer = setTimeout(() => this.flush(), retry);
  }

  #say(name, sentence = "") {
    if (this.isClosed) return;
    const isWaiting = name === undefined;
    this.state = !isWaiting ? { name, sentence } : this.conflicts.length > 0
      ? { name: "conflict", sentence: "Somebody else wrote the same title." } : this.refusals.size > 0
        ? { name: "refused", sentence: [...this.refusals.values()][0] } : this.hasUnsent
          ? { name: "saving", sentence: "" } : { name: "saved", sentence: "" };
    this.#changed("state");
  }

  // MARK: Kept in the browser

  get #places() {
    return `${titlesPrefix}${encodeURIComponent(this.#me)}.${this.#folder}.`;
  }

  #keep() {
    try {
      const place = this.#places + pageName();
      if (!this.hasUnsent) localStorage.removeItem(place);
      else {
        localStorage.setItem(place, JSON.stringify({ beat: wallClock(), by: this.#me, folder: this.#folder,
          server: this.#server, rows: this.rows }));
      }
    } catch {
      // No room or not allowed: it lives as long as the page.
    }
  }

  /** The edits that this page kept before it was reloaded, or that a closed page kept; never another person's. */
  #kept() {
    try {
      const own = this.#places + pageName();
      const found = Object.keys(localStorage).filter((key) => key.startsWith(this.#places))
        .map((key) => ({ key, value: JSON.parse(localStorage.getItem(key)) }))
        .find(({ key, value }) => key === own || wallClock() - value.beat > forgottenAfter);
      if (found && found.key !== own) localStorage.removeItem(found.key);
      return found?.value ?? null;
    } catch {
      return null;
    }
  }
}

function pageName() {
  try {
    const name = sessionStorage.getItem("baton.edit.page") ?? newID();
    sessionStorage.setItem("baton.edit.page", name);
    return name;
  } catch {
    return "only";
  }
}

const inverse = (change) => (change.set ? { set: change.set, before: change.after, after: change.before }
  : change.insert ? { remove: change.insert, title: change.title, after: change.after }
    : { insert: change.remove, title: change.title, after: change.after });

const sent = ({ texts, place, lead, fadeIn, fadeOut, doubleCut, position, note }) => ({
  texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")), place, lead, fadeIn, fadeOut,
  doubleCut, position, note });
