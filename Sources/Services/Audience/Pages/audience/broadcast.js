// The hall's stream, later: for listeners who hear a broadcast. Files of ten seconds (baton relay --timeline) are read
// as they become complete, and their events are told when the broadcast is there.

const folder = "/timeline/";
const span = 10_000; // ms of a file
/** Seconds after which all that was said is in a file, and the file is here. */
export const leastLate = 12;
const readyAfter = 1_000; // ms from the end of a file's time until it is asked for
const spread = 5_000; // ms over which listeners ask for the same file, where they hear it late enough
const lookEvery = 150; // ms between looks at the index when a page begins, until it changes
const looks = 16; // without a change: the relay is gone
const againAfter = 60_000; // ms until the next look; 2 to 4 s while files are missing
const drift = 20; // ms by which the clocks may part in that time
const stepped = 10_000; // ms; the relay's clock was set
const patience = 5_000; // ms for an answer

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class Broadcast {
  #listener;
  #late;
  #connection = null; // AbortController of what is read now
  #ahead = -Infinity; // ms that the relay's clock is ahead of the page's
  #at = null; // what the index said last
  #until = -Infinity; // ms of the relay's clock until which everything is here
  #waiting = []; // [ms of the relay's clock, section, value] that are to be told
  #next = null; // number of the file to read; null for the one of the broadcast's place
  #isAnswered = false; // whether the last request was

  /**
   * `late()` gives by how many seconds the broadcast is late, `leastLate` or more. `listener` has begins(), called when
   * what is told next may be older than what was, and heard(section, value).
   * @param {() => number} late
   * @param {{ begins: () => void, heard: (section: string, value: any) => void }} listener
   */
  constructor(late, listener) {
    [this.#late, this.#listener] = [late, listener];
  }

  /** What the broadcast is at, in ms of the relay's clock. */
  get #now() {
    return performance.now() + this.#ahead - this.#late() * 1_000;
  }

  /** Milliseconds for which nothing is known of what is heard now. */
  get silence() {
    return this.#until === -Infinity ? Infinity : Math.max(0, this.#now - this.#until);
  }

  get joined() {
    return this.silence === 0;
  }

  get reachesServer() {
    return this.#isAnswered;
  }

  isHeldBack = false;

  start() {
    this.join();
    setInterval(() => this.#tell(), 100);
    // The page's clock may have stood still while the device slept.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.join());
    addEventListener("pageshow", (event) => event.persisted && this.join());
  }

  /** Begins anew at the place of the broadcast: after the listener has changed by how much it is late, or was away. */
  join() {
    this.#connection?.abort();
    this.#connection = new AbortController();
    this.#read(this.#connection.signal);
  }

  async #read(signal) {
    this.#next = null;
    while (!signal.aborted) {
      try {
        const { files } = await this.#look(signal);
        const wanted = this.#next ?? Math.floor(this.#now / span);
        const here = files.find((number) => number >= wanted);
        if (here !== undefined) {
          await this.#readFrom(here, signal);
          continue;
        }
      } catch {
        // What is missing, or cut off, is asked for again. Who begins anew, after a sleep maybe, knows nothing now.
        if (this.#next === null && !signal.aborted) this.#until = -Infinity;
      }
      await pause(2_000 + Math.random() * 2_000);
    }
  }

  /** Reads files until it is time to look at the clock again, or one is missing. */
  async #readFrom(number, signal) {
    const end = performance.now() + againAfter;
    const slack = Math.min(spread, (this.#late() - leastLate) * 1_000);
    while (performance.now() < end) {
      const begin = number * span;
      const isFirst = this.#next === null;
      const ready = begin + span + readyAfter - this.#ahead;
      await pause(ready - performance.now() + (isFirst ? 0 : Math.random() * slack));
      const events = await this.#ask(`${number}.json`, "default", signal);
      if (isFirst) {
        [this.#waiting, this.#until] = [[], Math.min(begin, this.#now)];
        this.#listener.begins();
      }
      // Of what no file tells nothing is known.
      if (begin > this.#until) this.#waiting.push([this.#until, "source", { isHeard: false }]);
      this.#waiting.push(...events);
      this.#until = begin + span;
      this.#next = number = number + 1;
      this.#tell();
    }
  }

  /** The index of files. It is written each second: just changed, it tells the relay's clock. */
  async #look(signal) {
    const isFirst = this.#next === null;
    let ahead = isFirst ? -Infinity : this.#ahead;
    for (let count = 1; count <= looks; count += 1) {
      const index = await this.#ask("index.json", "no-store", signal);
      const isNew = index.at !== this.#at;
      this.#at = index.at;
      const seen = index.at - performance.now();
      // One that was kept or held up on the way says less than an earlier one.
      if (isNew) ahead = seen > ahead || ahead - seen > stepped ? seen : ahead - drift;
      if (!isFirst || isNew && count > 1) {
        this.#ahead = ahead;
        return index;
      }
      await pause(lookEvery);
    }
    throw new Error("The index stands still.");
  }

  /** @param {string} name @param {RequestCache} cache @param {AbortSignal} signal */
  async #ask(name, cache, signal) {
    signal.throwIfAborted();
    this.#isAnswered = false;
    const answer = await fetch(folder + name, { cache, signal: AbortSignal.timeout(patience) });
    this.#isAnswered = true;
    const value = answer.ok ? await answer.json() : null;
    signal.throwIfAborted();
    if (value === null) throw new Error(`${name}: status ${answer.status}`);
    return value;
  }

  #tell() {
    while (this.#waiting.length > 0 && this.#waiting[0][0] <= this.#now) {
      const [, section, value] = this.#waiting.shift();
      this.#listener.heard(section, value);
    }
  }
}
