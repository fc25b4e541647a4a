// The wire to a room: events down in one stream, what was made here up by POST. Opens again by itself, for ever.
import { ask } from "/shared/api.js";
import { readEvents } from "./events.js";

const silentAfter = 5_000; // ms without a word; the hub beats every two seconds
const doubtAfter = 2_500; // ms that are suspicious when the tablet has just woken
const mostAtOnce = 200; // messages in one POST

export class Link {
  #stop = null;
  #lastWord = 0;
  #retry = null;
  #trials = 0;
  #state = null;
  #watch = null;
  #posting = false;
  #hand = null; // what the player's hand did last: { own: page } or { fallIn: true }
  #isSurplus = false; // one stand too many of this account: only the player opens it again
  #answered = new Set(); // ids the hub has answered on this connection
  #wakes = () => document.visibilityState === "visible" && this.#wake();
  #rejoins = () => this.join();

  /**
   * `copy` is the StandCopy of `user` to deliver from; `listener` takes message(value),
   * state("joining"|"joined"|"lost") and refused({ status, sentence, code }). After the code "too-many" nothing is
   * asked again until reopen(): otherwise stands would put one another out for ever. Its vouch() is waited for before
   * anything goes to the server, and throws a Refusal where that holds the sign-in of somebody else.
   */
  constructor(room, stand, user, copy, listener) {
    Object.assign(this, { room, stand, user, copy, listener });
  }

  get joined() {
    return this.#state === "joined";
  }

  start() {
    this.join();
    this.#watch = setInterval(() => this.#lastWord && Date.now() - this.#lastWord > silentAfter && this.#fail(), 500);
    document.addEventListener("visibilitychange", this.#wakes);
    addEventListener("focus", this.#wakes);
    addEventListener("online", this.#rejoins);
  }

  stop() {
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    document.removeEventListener("visibilitychange", this.#wakes);
    removeEventListener("focus", this.#wakes);
    removeEventListener("online", this.#rejoins);
    this.#stop?.abort();
    this.#stop = null;
    this.#state = "left";
  }

  /** The player wants this stand, after another was closed. */
  reopen() {
    this.#isSurplus = false;
    this.join();
  }

  /** Leaves and joins anew, saying how far the copy has got. */
  join() {
    if (this.#state === "left" || this.#isSurplus) return;
    clearTimeout(this.#retry);
    this.#stop?.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.#lastWord = Date.now();
    this.#tell("joining");
    this.#read(stop).then(
      (answer) => stop === this.#stop && (answer.status === 200 ? this.#fail() : this.#refuse(answer)),
      (error) => stop === this.#stop && (error?.status > 0 && error.status < 500 ? this.#refuse({ status: error.status, sentence: error.message, code: error.code }) : this.#fail()));
  }

  async #read(stop) {
    await this.listener.vouch();
    const path = `/api/rooms/${this.room}/stream?stand=${this.stand}&user=${this.user}&seen=${this.copy.hello}`;
    return readEvents(path, stop.signal, (event) => stop === this.#stop && this.#hear(event));
  }

  /** Sends what waits. The player's own page goes first: only the newest counts. */
  deliver(ownPage = null) {
    if (ownPage !== null) this.#hand = { own: ownPage };
    if (this.joined) this.#post();
  }

  /** The hub does not know yet what the player's hand did: what it says of pages is of before. */
  get owesHand() {
    return this.#hand?.own !== undefined;
  }

  /** The player wants the music's page again. */
  fallIn() {
    this.#hand = { fallIn: true };
    if (this.joined) this.#post();
  }

  async #post() {
    if (this.#posting) return;
    this.#posting = true;
    try {
      for (;;) {
        const events = this.copy.undelivered.filter((event) => !this.#answered.has(event.id)).slice(0, mostAtOnce - 1);
        const hand = this.#hand;
        if (events.length === 0 && hand === null) return;
        const messages = events.map((event) => ({ v: 1, ...event }));
        if (hand !== null) messages.unshift({ v: 1, ...hand });
        const answers = await ask(`/api/rooms/${this.room}/send?stand=${this.stand}&user=${this.user}`, { method: "POST", json: messages, patience: 8_000 });
        if (this.#state === "left") return;
        if (hand === this.#hand) this.#hand = null;
        for (const event of events) this.#answered.add(event.id);
        for (const answer of Array.isArray(answers) ? answers : []) this.listener.message(answer);
      }
    } catch (refusal) {
      if (this.#state === "left") return;
      if (refusal.status === 0 || refusal.status >= 500) setTimeout(() => this.joined && this.#post(), 1_000);
      else {
        this.#hand = null;
        this.listener.refused({ status: refusal.status, sentence: refusal.message, code: refusal.code });
      }
    } finally {
      this.#posting = false;
    }
  }

  #hear({ name, data }) {
    this.#lastWord = Date.now();
    this.#trials = 0;
    if (name === "open") {
      this.#answered.clear();
      this.#tell("joined");
      this.#post();
    } else if (name === "message") {
      let value = null;
      try {
        value = JSON.parse(data);
      } catch {
        return; // A word we cannot read says nothing; the next hello puts all right.
      }
      this.listener.message(value);
    }
  }

  #refuse(answer) {
    this.#tell("lost");
    this.#isSurplus = answer.code === "too-many";
    if (this.#isSurplus) this.#lastWord = 0;
    this.listener.refused(answer);
    if (!this.#isSurplus) this.#again(answer.status >= 500 ? 500 : 4_000);
  }

  #fail() {
    this.#stop?.abort();
    this.#stop = null;
    this.#lastWord = 0;
    this.#tell("lost");
    // The spread keeps a full orchestra from knocking all at once.
    this.#again(Math.min(150 * 2 ** this.#trials, 2_000) + Math.random() * 200);
    this.#trials += 1;
  }

  #again(wait) {
    clearTimeout(this.#retry);
    if (this.#state !== "left") this.#retry = setTimeout(() => this.join(), wait);
  }

  /** Timers stood still while the tablet slept, so that only the clock tells how long it was. */
  #wake() {
    if (Date.now() - this.#lastWord > doubtAfter) this.join();
  }

  #tell(state) {
    // A repeated attempt is still the same loss.
    if (state === this.#state || this.#state === "left" || (state === "joining" && this.#state === "lost")) return;
    this.#state = state;
    this.listener.state(state);
  }
}
