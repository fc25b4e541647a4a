// The remarks of one score on this device: kept over a crash, delivered as soon as there is a network, and told of what
// the user's other devices and others write.
import { Refusal, ask } from "/shared/api.js";
import { newID } from "/shared/ids.js";
import { Outbox } from "/shared/outbox.js";
import { EventStream } from "/shared/stream.js";
import { things } from "../store.js";
import { ScoreState } from "./scorestate.js";

const mostAtOnce = 200; // events in one request
const rest = 400; // ms between two writings of the state
const again = 30_000; // ms between two readings of everything
const crowded = 30_000; // ms until a stand too many of this account asks again

const boxKey = (user, score) => `remarkbox:${user}:${score}`;
const boxesKey = (user) => `remarkboxes:${user}`;

/** The scores of a user in which something waits to be delivered. */
const waitingScores = async (user) => (await things.get(boxesKey(user))) ?? [];

async function keepBox(user, score, events) {
  await things.putDurably(boxKey(user, score), events);
  const others = (await waitingScores(user)).filter((each) => each !== score);
  await things.putDurably(boxesKey(user), events.length > 0 ? [...others, score] : others);
}

/** Sends events of a user. Gives the answers by the events' ids; throws Refusal. */
async function post(user, score, events) {
  const answers = await ask(`/api/scores/${score}/remarks?user=${user}`,
    { method: "POST", json: events.map((event) => ({ v: 1, ...event })), patience: 15_000 });
  return new Map(answers.map((answer) => [answer.receipt ?? answer.id, answer]));
}

/** Delivers what waits in scores that are not open. Says nothing: what fails is tried again another time. */
export async function deliverWaiting(device, openScore = null) {
  const user = device.currentID;
  if (!user) return;
  for (const score of await waitingScores(user)) {
    if (score === openScore) continue;
    try {
      await device.vouch();
      const events = (await things.get(boxKey(user, score))) ?? [];
      const answers = events.length > 0 ? await post(user, score, events.slice(0, mostAtOnce)) : new Map();
      if (user !== device.currentID) return;
      await keepBox(user, score, events.filter(({ id }) => !answers.has(id)));
    } catch {
      return;
    }
  }
}

export class ScoreWire {
  undelivered = [];
  isJoined = false;
  isSignedOut = false; // the server holds the sign-in of nobody, or of somebody else
  #state;
  #shown = null;
  #stream = null;
  #keeping = null;
  #isStopped = false;
  #busy = { reading: false, wanted: false };
  #readWhole = -Infinity;
  #erased = new Map();
  #outbox = new Outbox({
    entries: () => this.undelivered,
    atOnce: mostAtOnce,
    send: (events) => this.#send(events),
    met: () => "wait", // what musicians wrote is never given up; another server may take it
    said: (state) => (state === "out" || state === "other") && this.#signOut(),
  });

  /** `listener` takes changed() and refused(sentence). */
  constructor(device, score, listener) {
    this.device = device;
    this.score = score;
    this.listener = listener;
    this.user = device.currentID;
    this.#state = new ScoreState(this.user);
  }

  /** Loads the kept copy, then connects to the server. */
  async start() {
    const { user, score } = this;
    const [kept, undelivered] = [await things.get(`remarks:${user}:${score}`), await things.get(boxKey(user, score))];
    if (this.#isStopped) return;
    if (kept && this.#state.revision === 0) this.#state = new ScoreState(user, kept);
    this.undelivered = [...(undelivered ?? []), ...this.undelivered];
    this.#changed();
    this.#stream = new EventStream(async () => {
      await this.device.vouch();
      return `/api/scores/${score}/remarks/stream?user=${user}`;
    }, {
      heard: (name, value) => name === "message" && value.changed && this.#read(),
      state: (state) => this.#tell(state),
      closed: (refusal) => refusal?.status === 401 && this.#signOut(),
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
    keepBox(this.user, this.score, this.undelivered);
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

  /** Undelivered acts wait until their author has signed in. */
  #signOut() {
    this.device.doubt();
    this.isSignedOut = true;
    this.listener.changed();
  }

  #tell(state) {
    this.isJoined = state === "joined";
    if (this.isJoined) {
      this.isSignedOut = false;
      this.#read();
      this.#outbox.flush();
    }
    this.listener.changed();
  }

  async #send(events) {
    await this.device.vouch();
    const answers = await post(this.user, this.score, events);
    if (answers.size === 0) throw new Refusal("The server's answer has nothing of this.", 0, "unreadable");
    for (const event of events) {
      const answer = answers.get(event.id);
      if (answer?.refused) this.listener.refused(answer.refused.sentence);
      else if (answer) this.#state.apply(event);
    }
    this.undelivered = this.undelivered.filter(({ id }) => !answers.has(id));
    await keepBox(this.user, this.score, this.undelivered);
    this.#changed();
    this.#read();
  }

  /** Asks for what changed since; once more where something came meanwhile. */
  async #read() {
    this.#busy.wanted = true;
    if (this.#busy.reading) return;
    this.#busy.reading = true;
    try {
      while (this.#busy.wanted && !this.#isStopped) {
        this.#busy.wanted = false;
        const isRight = await this.#readOn(this.#state.revision);
        if (!isRight && performance.now() - this.#readWhole > again) {
          this.#readWhole = performance.now();
          await this.#readOn(0);
        }
      }
    } catch {
      // The stream tells when the server is back.
    } finally {
      this.#busy.reading = false;
    }
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
