// The piece that is being prepared: its copy, edits and undo, and what others and the server's jobs do to it.
import { Renewal } from "/shared/changes.js";
import { newID } from "/shared/ids.js";
import { Outbox } from "/shared/outbox.js";
import { UndoStack } from "/shared/undo.js";
import { Unsent, peopleWithUnsent } from "/shared/unsent.js";
import { Mirror } from "./mirror.js";
import { withoutOverwritten } from "./overwritten.js";
import { piece as fetchPiece, sendEdits, startJob, stopJob } from "./server.js";

export const isRunning = (job) => job?.state === "running" || job?.state === "waiting";

const missingFor = 700; // ms that an earlier revision is waited for before everything is loaded again
export const unsentBatches = "baton.prepare.unsent."; // where browsers keep them

/** Earlier versions kept a list under the piece's id and the person's name; at first without the name. */
export const batchesShape = (place, value) => {
  const [of, ...name] = place.split(".");
  return Array.isArray(value) ? { of, by: decodeURIComponent(name.join(".")) || undefined, entries: value } : value;
};

/** Other people whose changes of a piece wait in this browser. */
export const peopleWithChanges = (piece, me) => peopleWithUnsent(unsentBatches, piece, me, batchesShape);

export class Piece {
  id;
  job = null; // the newest job that was heard of
  #mirror = new Mirror();
  #undo = new UndoStack();
  #kept;
  #outbox;
  #isOnItsWay = false; // a batch is sent: whether an announced revision is this batch is known with its answer
  #takers = new Set();
  #events;
  #missing = null;
  #renewal = new Renewal(() => this.#load());
  #held = []; // events that came while a batch of this page was on its way
  #own = new Set(); // revisions that this page made
  #replaced = new Map(); // job → the bars before it

  /** `me` is the signed-in person's name; `events` has say(sentence, traits) and state(name, sentence). */
  constructor(id, me, events) {
    this.id = id;
    this.#events = events;
    const left = () => {
      if (this.#outbox.isSending || !this.draft) return;
      this.#mirror.restore(this.#kept.takeLeft());
      this.#tell("load");
      this.#outbox.flush();
    };
    const taken = () => {
      this.#mirror.dropAll();
      this.load().catch(() => {});
    };
    this.#kept = new Unsent(unsentBatches, id, me, { shape: batchesShape, left, taken });
    this.#mirror.restore(this.#kept.take());
    this.#outbox = new Outbox({
      kept: this.#kept,
      entries: () => this.#mirror.pending,
      send: ([batch]) => this.#send(batch, me),
      refused: ([batch], { message }) => {
        this.#drop(batch);
        events.say(`Not saved: ${batch.label}. ${message}`, { tone: "bad", seconds: 10 });
        this.load().catch(() => {});
        this.#tell("refused");
      },
      said: (state, sentence) => events.state(state, sentence),
    });
  }

  async open() {
    await this.load();
    this.#outbox.flush();
  }

  get draft() {
    return this.#mirror.shown;
  }

  get main() {
    return this.draft?.recordings.find(({ id }) => id === this.draft.main) ?? null;
  }

  get undoLabel() {
    return this.#undo.undoLabel;
  }

  get redoLabel() {
    return this.#undo.redoLabel;
  }

  get hasUnsent() {
    return this.#mirror.pending.length > 0;
  }

  /** Calls back with "edit", "others", "load", "job", "jobEnded", "refused" when something has changed. */
  onChange(take) {
    this.#takers.add(take);
    return () => this.#takers.delete(take);
  }

  /** Edits the piece here and at the server; gives whether anything was done. */
  edit(label, ...edits) {
    const step = this.#make(edits, label);
    if (!step) return false;
    this.#undo.push({ ...step, label });
    this.#tell("edit");
    return true;
  }

  undo() {
    this.#say(this.#undo.undo((step) => this.#takeBack(step, "Undo")), "Undone", "There is nothing to undo.");
  }

  redo() {
    this.#say(this.#undo.redo((step) => this.#takeBack(step, "Redo")), "Redone", "There is nothing to redo.");
  }

  load() {
    return this.#renewal.ask();
  }

  async #load() {
    const draft = await fetchPiece(this.id);
    if (draft.revision >= (this.#mirror.base?.revision ?? 0)) this.#mirror.load(draft);
    if (draft.job || isRunning(this.job)) this.job = draft.job ?? null;
    this.#tell("load");
  }

  /** An event of the server about this piece. */
  heard(event) {
    if (!this.#mirror.base) return;
    if (this.#isOnItsWay) return void this.#held.push(event);
    const { revision, batch = null, edits = null, author, label } = event;
    const found = this.#mirror.heard({ revision, id: batch, edits });
    if (found === "known") return;
    if (!this.#own.has(revision) && label && edits) this.#events.say(`${author}: ${label}`, { seconds: 4 });
    this.#follow(found);
  }

  /** An event of the server about a job of any piece. */
  heardJob(job) {
    // The trials for the forecast go on behind the scenes; their result comes as a change of the piece.
    if (job.piece !== this.id || job.kind === "forecast") return;
    const isNews = isRunning(job) || this.job?.id !== job.id || isRunning(this.job);
    // The sound of a further recording is prepared beside whatever else is done.
    const isBeside = job.kind === "listen" && isRunning(this.job) && this.job.kind !== "listen";
    if (!isBeside) this.job = job;
    this.#tell("job");
    if (isRunning(job) || !isNews) return;
    if (isBeside) return void this.load().catch(() => {});
    this.load().catch(() => {}).then(() => {
      const before = this.#replaced.get(job.id);
      this.#replaced.delete(job.id);
      if (before && job.state === "done") this.#remember(before, before.label);
      this.#tell("jobEnded");
    });
  }

  /** Starts a job; its refusal is thrown. `label` names what it replaces all bars by, for undo. */
  async start(job, label = null) {
    if (this.hasUnsent) await this.#outbox.flush();
    const { bars, end, marks } = this.draft;
    const { job: started } = await startJob(this.id, job);
    const id = started.id ?? started;
    if (label) this.#replaced.set(id, { bars, end, marks, label });
    if (this.job?.id !== id) {
      this.job = started.id ? started
        : { id, piece: this.id, kind: job.kind, stage: "", share: null, state: "waiting", sentence: null };
    }
    this.#tell("job");
  }

  /** Has the server replace all bars at once: `act` does it; undo brings the bars back. */
  async replace(label, act) {
    if (this.hasUnsent) await this.#outbox.flush();
    const { bars, end, marks } = this.draft;
    await act();
    await this.load();
    this.#remember({ bars, end, marks }, label);
    this.#tell("edit");
  }

  stop() {
    return this.job ? stopJob(this.id, this.job.id) : null;
  }

  flush() {
    return this.#outbox.flush();
  }

  close() {
    this.#outbox.close();
    clearTimeout(this.#missing);
    this.#takers.clear();
  }

  #make(edits, label) {
    this.#kept.look();
    const id = newID();
    const { inverse, skipped } = this.#mirror.make({ id, label, edits });
    for (const sentence of new Set(skipped)) this.#events.say(sentence, { tone: "bad" });
    if (inverse.length === 0) return null;
    this.#kept.keep(this.#mirror.pending);
    this.#outbox.soon();
    return { id, edits, inverse };
  }

  async #send(batch, by) {
    this.#isOnItsWay = true;
    try {
      this.#answered(batch, await sendEdits(this.id, batch, by));
      this.#drop(batch);
    } finally {
      this.#isOnItsWay = false;
      for (const event of this.#held.splice(0)) this.heard(event);
    }
  }

  #drop({ id }) {
    this.#mirror.drop(id);
    this.#kept.keep(this.#mirror.pending);
  }

  /** Makes the inverse of a step, except where somebody else has changed since what the step had made. */
  #takeBack({ label, edits: made = [], inverse }, word) {
    const nameOf = ({ printed }) => `bar ${printed}`;
    const { edits, sentences } = withoutOverwritten(inverse, made, this.draft, nameOf);
    for (const sentence of new Set(sentences)) this.#events.say(sentence, { tone: "bad", seconds: 8 });
    const back = edits.length > 0 ? this.#make(edits, `${word}: ${label}`) : null;
    return back && { ...back, label };
  }

  /** Says what was undone; if it could not be done, the reason was said. */
  #say(turn, done, none) {
    if (!turn || turn.isDone) this.#events.say(turn ? `${done}: ${turn.step.label}` : none, { seconds: 3 });
    if (turn) this.#tell("edit");
  }

  #answered(batch, answer) {
    this.#own.add(answer.revision);
    const found = this.#mirror.answered(batch.id, answer.revision);
    // The server's own inverse knows what others did meanwhile.
    if (answer.inverse) this.#undo.each((step) => step.id === batch.id && (step.inverse = answer.inverse));
    for (const sentence of new Set(answer.skipped ?? [])) {
      this.#events.say(`Not done: ${batch.label}. ${sentence}`, { tone: "bad", seconds: 8 });
    }
    if (answer.skipped?.length > 0) this.load().catch(() => {});
    else this.#follow(found);
  }

  #follow(found) {
    clearTimeout(this.#missing);
    if (found === "reload") this.load().catch(() => {});
    if (found === "missing") this.#missing = setTimeout(() => this.load().catch(() => {}), missingFor);
    if (found === "taken") this.#tell("others");
  }

  /** Makes a step of undo from the bars before something of the server's replaced them all. */
  #remember({ bars, end, marks }, label) {
    const { bars: now } = this.#mirror.base;
    if (now === bars) return;
    this.#undo.push({ id: newID(), label, inverse: [{ replaceBars: { bars, end: end ?? null, marks } }] });
  }

  #tell(why) {
    for (const take of [...this.#takers]) take(why);
  }
}
