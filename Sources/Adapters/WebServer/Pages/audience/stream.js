// The live stream: one connection, watched for silence, opened again by itself and at once on waking.

const silentAfter = 2_500; // ms without a word; the server beats each second
const doubtAfter = 1_200; // ms without a word that are suspicious when the phone has just woken

export class Stream {
  #source = null;
  #open = 0; // when the connection was begun
  #lastWord = 0;
  #trials = 0;
  #retry = null;
  #told = null;
  #listener;

  /** `listener` takes snapshot, live, message, content, source (their values) and state ("joining", "joined", "lost"). */
  constructor(listener) {
    this.#listener = listener;
  }

  get joined() {
    return this.#told === "joined";
  }

  /** Milliseconds since the server last said anything; infinite before it ever did. */
  get silence() {
    return this.#lastWord ? Date.now() - this.#lastWord : Infinity;
  }

  start() {
    this.join();
    setInterval(() => this.#watch(), 250);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.#wake());
    document.addEventListener("resume", () => this.#wake());
    addEventListener("focus", () => this.#wake());
    addEventListener("online", () => this.join());
    addEventListener("pageshow", (event) => event.persisted && this.join());
    addEventListener("pagehide", () => this.#close());
  }

  /** Leaves and joins anew, now. */
  join() {
    this.#close();
    this.#tell("joining");
    this.#open = Date.now();
    // The page's first lines have opened a stream already: it serves once.
    const early = window.batonStream?.source.readyState < 2 ? window.batonStream : null;
    window.batonStream = null;
    const source = early?.source ?? new EventSource("/api/audience/events");
    this.#source = source;
    for (const [name, text] of early?.words ?? []) this.#hear(name, text);
    if (early) early.words = null;
    for (const name of ["snapshot", "live", "message", "content", "source", "beat"]) {
      source.addEventListener(name, (event) => source === this.#source && this.#hear(name, event.data));
    }
    source.onerror = () => source === this.#source && this.#fail();
  }

  #hear(name, text) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      return; // A word we can't read says nothing; the next snapshot puts all right.
    }
    this.#lastWord = Date.now();
    this.#trials = 0;
    // Only a snapshot says where we are: until it has come, we have not joined.
    if (name === "snapshot") this.#tell("joined");
    else if (!this.joined) return;
    if (name !== "beat") this.#listener[name](value);
  }

  #close() {
    clearTimeout(this.#retry);
    this.#retry = null;
    this.#source?.close();
    this.#source = null;
  }

  #fail() {
    this.#close();
    this.#tell("lost");
    // The spread keeps a full hall from knocking all at once.
    const wait = Math.min(100 * 2 ** this.#trials, 500) + Math.random() * 200;
    this.#trials += 1;
    this.#retry = setTimeout(() => this.join(), wait);
  }

  #watch() {
    // Before the snapshot nothing else counts as a word: a stream that forgot it is no use.
    const since = this.joined ? Math.max(this.#lastWord, this.#open) : this.#open;
    if (this.#source && Date.now() - since > silentAfter) {
      this.#tell("lost");
      this.join();
    }
  }

  /** Timers stood still while the phone slept, so that only the clock tells how long it was. */
  #wake() {
    if (!this.#source || Date.now() - Math.max(this.#lastWord, this.#open) > doubtAfter) this.join();
  }

  #tell(state) {
    // A repeated attempt is still the same loss.
    if (state === this.#told || (state === "joining" && this.#told === "lost")) return;
    this.#told = state;
    this.#listener.state(state);
  }
}
