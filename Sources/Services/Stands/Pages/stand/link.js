// The connection to a room: events down in one stream, what was made here up by POST. It opens again by itself.
import { Refusal } from "/shared/api.js";
import { Outbox } from "/shared/outbox.js";
import { EventStream } from "/shared/stream.js";
import { metActs, mostAtOnce, postActs } from "./unsentacts.js";

/** Milliseconds until the next connection; null if only the player opens it again. */
function retryAfter(trials, refusal) {
  // One stand too many of this account: otherwise stands would put one another out for ever.
  if (refusal?.code === "too-many") return null;
  if (refusal) return refusal.status >= 500 ? 500 : 4_000;
  // The spread keeps a full orchestra from connecting all at once.
  return Math.min(150 * 2 ** trials, 2_000) + Math.random() * 200;
}

export class Link {
  #stream;
  #isStopped = false;
  #outbox = new Outbox({
    entries: () => (this.joined ? this.#messages() : []),
    atOnce: mostAtOnce,
    send: (messages) => this.#send(messages),
    met: metActs,
    refused: ([message], { code, message: sentence }) => this.#giveUp(message, { code, sentence }),
    said: (_, __, refusal) => refusal && this.#refused(refusal),
  });
  #hand = null; // what the player's hand did last: { own: page } or { fallIn: true }
  #answered = new Set(); // ids the hub has answered on this connection

  /**
   * `copy` is the StandCopy of `user` to deliver from; `listener` takes message(value), state("joining", "joined" or
   * "lost") and refused(Refusal). After the code "too-many" nothing is asked again until reopen(). Its vouch() is
   * waited for before anything goes to the server, and throws a Refusal where that holds the sign-in of somebody else.
   */
  constructor(room, stand, user, copy, listener) {
    this.room = room;
    this.stand = stand;
    this.user = user;
    this.copy = copy;
    this.listener = listener;
    this.#stream = new EventStream(() => this.#path(), {
      heard: (name, value) => name === "message" && listener.message(value),
      state: (state) => this.#tell(state),
      closed: (refusal) => refusal && listener.refused(refusal),
    }, { silentAfter: 5_000, doubtAfter: 2_500, retryAfter }); // the hub beats every two seconds
  }

  get joined() {
    return this.#stream.joined;
  }

  /** True if this network holds back live data. */
  get isHeldBack() {
    return this.#stream.isHeldBack;
  }

  start() {
    this.#stream.start();
  }

  stop() {
    this.#isStopped = true;
    this.#outbox.close();
    this.#stream.stop();
  }

  /** The player wants this stand, after another was closed. */
  reopen() {
    this.#stream.reopen();
  }

  /** Leaves and joins anew, saying how far the copy has got. */
  join() {
    this.#stream.join();
  }

  async #path() {
    try {
      await this.listener.vouch();
    } catch (refusal) {
      // A server in trouble has not refused this stand.
      throw refusal.status >= 500 ? new Refusal(refusal.message, 0, "no-answer") : refusal;
    }
    const { room, stand, user, copy } = this;
    return `/api/rooms/${room}/stream?stand=${stand}&user=${user}&programme=1&seen=${copy.hello}`;
  }

  #tell(state) {
    if (state === "joined") this.#answered.clear();
    this.listener.state(state);
    if (state === "joined") this.#outbox.flush();
  }

  /** Sends what waits. The player's own page goes first: only the newest counts. */
  deliver(ownPage = null, score = null) {
    if (ownPage !== null) this.#hand = { own: ownPage, ...(score === null ? {} : { score }) };
    this.#outbox.soon();
  }

  /** The hub does not know yet what the player's hand did: what it says of pages is of before. */
  get owesHand() {
    return this.#hand?.own !== undefined;
  }

  /** Another score lies there: actions by hand in the one before do not count any more. */
  forgetHand() {
    this.#hand = null;
  }

  /** The player wants the music's page again. */
  fallIn() {
    this.#hand = { fallIn: true };
    this.#outbox.soon();
  }

  #messages() {
    const events = this.copy.undelivered.filter((event) => !this.#answered.has(event.id));
    return this.#hand === null ? events : [this.#hand, ...events];
  }

  /** An act that no server can read is taken back. */
  #giveUp(message, refused) {
    if (message === this.#hand) this.#hand = null;
    else this.listener.message({ id: message.id, refused });
  }

  async #send(messages) {
    const answers = await postActs("room", this.room, this, messages);
    if (this.#isStopped) return;
    if (messages.includes(this.#hand)) this.#hand = null;
    for (const { id } of messages) this.#answered.add(id);
    for (const answer of answers) this.listener.message(answer);
  }

  #refused(refusal) {
    if (this.#isStopped || refusal.status === 0 || refusal.status >= 500) return;
    this.#hand = null;
    this.listener.refused(refusal);
  }
}
