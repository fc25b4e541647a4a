// The remarks of one score on this device: kept over a crash, delivered as soon as there is a network, and told of what
// the user's other devices and others write.
import { ask } from "/shared/api.js";
import { Renewal } from "/shared/changes.js";
import { newID } from "/shared/ids.js";
import { Outbox } from "/shared/outbox.js";
import { sentenceOf } from "/shared/savedwords.js";
import { EventStream } from "/shared/stream.js";
import { things } from "../store.js";
import { UnsentActs, endedBy, joinedWith, metActs, mostAtOnce, postActs } from "../unsentacts.js";
import { ScoreState } from "./scorestate.js";

const rest = 400; // ms between two writings of the state
const again = 30_000; // ms between two readings of everything
const crowded = 30_000; // ms until a stand too many of this account asks again

export class ScoreWire {
  undelivered = [];
  isJoined = false;
  /** Why acts wait, as the outbox says it: a state and a sentence. */
  waits = { state: "saved", sentence: "" };
  acts; // UnsentActs
  #state;
  #shown = null;
  #stream = null;
  #keeping = null;
  #isStopped = false;
  #renewal = new Renewal(() => this.#readNew());
  #readWhole = -Infinity;
  #erased = new Map();
  #outbox;

  /** `listener` takes changed() and refused(sentence). */
  constructor(device, score, listener) {
    this.device = device;
    this.score = score;
    this.listener = listener;
    this.user = device.currentID;
    this.#state = new ScoreState(this.user);
    this.acts = new UnsentActs("remarks", this.user, score);
    this.#outbox = new Outbox({
      kept: this.acts,
      entries: () => this.undelivered,
      atOnce: mostAtOnce,
      send: (events) => this.#send(events),
      met: metActs,
      refused: ([event], { message }) => {
        this.#forget(new Set([event.id]));
        listener.refused(message);
      },
      said: (state, sentence) => this.#say(state, sentence),
    });
  }

  /** Loads the kept copy, then connects to the server. */
  async start() {
    const { user, score } = this;
    const kept = await things.get(`remarks:${user}:${score}`);
    if (kept && this.#state.revision === 0) this.#state = new ScoreState(user, kept);
    await this.takeLeft();
    if (this.#isStopped) return;
    this.#stream = new EventStream(async () => {
      await this.device.vouch();
      return `/api/scores/${score}/remarks/stream?user=${user}`;
    }, {
      heard: (name, value) => name === "message" && value.changed && this.#read(),
      state: (state) => this.#tell(state),
      closed: (refusal) => refusal?.status === 401 && this.#say("out", sentenceOf("out")),
    }, { silentAfter: 6_000, doubtAfter: 3_000,
      retryAfter: (trials, refusal) => Math.random() * 300 + (refusal?.code === "too-many" ? crowded : refusal ? 4_000
        : Math.min(200 * 2 ** trials, 3_000)) });
    this.#stream.start();
  }

  stop() {
    this.#isStopped = true;
    this.#outbox.close();
    this.#stream?.stop();
    if (this.#keeping) this.#keep();
  }

  /** The remarks that are seen here: the server's, with this device's undelivered ones on top. */
  get shown() {
    return (this.#shown ??= this.#state.with(this.undelivered));
  }

  get undeliveredRemarks() {
    return new Set(this.undelivered.map((event) => event.place?.id ?? event.edit?.remark ?? event.erase
      ?? event.restore?.id).filter(Boolean));
  }

  /** Makes an act of remarks, of layers or of bookmarks; gives its event's id. */
  make(act) {
    const event = { ...this.#whole(act), id: newID() };
    this.undelivered.push(event);
    this.acts.keep(this.undelivered);
    this.#changed();
    this.#outbox.soon();
    return event.id;
  }

  /** The server keeps nothing of what was erased: it is brought back whole. */
  #whole(act) {
    if (act.erase) {
      const entry = this.shown.remarks.get(act.erase);
      if (entry) this.#erased.set(act.erase, entry.remark);
    }
    if (typeof act.restore === "string") return { restore: this.#erased.get(act.restore) };
    return act;
  }

  /** Takes what lies here from before the page was opened, or from other windows, and sends it too. */
  async takeLeft() {
    const left = await this.acts.take();
    if (this.#isStopped) return;
    this.undelivered = joinedWith(left, this.undelivered);
    this.#changed();
    this.#outbox.flush();
  }

  #say(state, sentence) {
    // Undelivered acts wait until their author has signed in.
    if (state === "out" || state === "other") this.device.doubt();
    if (state === this.waits.state && sentence === this.waits.sentence) return;
    this.waits = { state, sentence };
    this.listener.changed();
  }

  #tell(state) {
    this.isJoined = state === "joined";
    this.listener.changed();
    if (!this.isJoined) return;
    this.#read();
    this.takeLeft();
  }

  async #send(events) {
    await this.device.vouch();
    const answers = await postActs("remarks", this.score, this, events);
    for (const { receipt, refused } of answers) {
      if (refused) this.listener.refused(refused.sentence);
      else for (const event of events) if (event.id === receipt) this.#state.apply(event);
    }
    await this.#forget(new Set(answers.map(endedBy)));
    this.#read();
  }

  /** These acts do not wait any more, whatever became of them. */
  async #forget(ids) {
    this.undelivered = this.undelivered.filter(({ id }) => !ids.has(id));
    await this.acts.keep(this.undelivered);
    this.#changed();
  }

  /** Asks for what changed since. Without the server nothing is done: the stream tells when it is back. */
  #read() {
    if (!this.#isStopped) this.#renewal.ask().catch(() => {});
  }

  async #readNew() {
    const isRight = await this.#readOn(this.#state.revision);
    if (isRight || performance.now() - this.#readWhole < again) return;
    this.#readWhole = performance.now();
    await this.#readOn(0);
  }

  async #readOn(since) {
    let isRight = true;
    for (let from = since, isFirst = since === 0; ; isFirst = false) {
      const page = await ask(`/api/scores/${this.score}/remarks?since=${from}&user=${this.user}`, { patience: 15_000 });
      if (this.#isStopped) return true;
      isRight = this.#state.take(page, isFirst);
      from = page.revision;
      if (page.isAll) break;
    }
    this.#changed();
    this.#keepSoon();
    return isRight;
  }

  #changed() {
    this.#shown = null;
    if (!this.#isStopped) this.listener.changed();
  }

  #keepSoon() {
    this.#keeping ??= setTimeout(() => this.#keep(), rest);
  }

  #keep() {
    clearTimeout(this.#keeping);
    this.#keeping = null;
    things.put(`remarks:${this.user}:${this.score}`, JSON.parse(JSON.stringify(this.#state)));
  }
}
