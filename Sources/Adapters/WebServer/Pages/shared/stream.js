// One live stream of events from the server. It watches for silence and connects again by itself.
import { Refusal } from "./api.js";
import { probe } from "./probe.js";
import { canShare, openStream, request, silent } from "./streamsharing.js";
import { wallClock } from "./wallclock.js";

const watchEvery = 250; // ms between two looks for silence
const firstWithin = 2_500; // ms for the first event of a connection; half as much more after each one without any
const longestFirst = 10_000; // ms
const usualProbes = [2, 5]; // requests at once after a connection on which nothing came; more where none is answered
const held = 2; // connections without an event, while other requests are answered: this network holds streams back
const pollEvery = 1_000; // ms between two snapshots where it does
const streamAgainAfter = 60_000; // ms until a stream is tried again where it does
const unseenFor = 10_000; // ms after which a hidden page gives its stream up, where pages cannot share connections

/** Cuts text that arrives in pieces into events. */
export class EventParser {
  #rest = "";

  /** Gives the events that are complete by now, as `{ name, data }`. */
  feed(text) {
    // A line end at the very end of a piece may be the first half of one.
    const all = this.#rest + text;
    const held = all.endsWith("\r") ? "\r" : "";
    const blocks = all.slice(0, all.length - held.length).replace(/\r\n?/g, "\n").split("\n\n");
    this.#rest = blocks.pop() + held;
    return blocks.map(parse).filter(Boolean);
  }
}

function parse(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return data.length > 0 || name !== "message" ? { name, data: data.join("\n") } : null;
}

/**
 * Read by fetch and not by EventSource, which does not tell with which status a stream was refused.
 * Nothing is sent up this stream.
 */
export class EventStream {
  #path;
  #listener;
  #silentAfter;
  #doubtAfter;
  #retryAfter;
  #greeting;
  #beat;
  #early;
  #probes;
  #connection = null; // AbortController of the connection that is open or being opened
  #openedAt = 0; // ms of the page's clock, when that connection was begun
  #heardAt = null; // ms of the page's clock, when the server last sent something; null before it ever did
  #wallAt = 0; // ms of the wall clock, which goes on while the device sleeps, at the later one of these two
  #isHeard = false; // whether something came on the present connection
  #waiting = []; // events of the present connection that came before it joined, as [name, value]
  #silences = 0; // connections in a row that were given up because nothing came
  #heldBack = 0; // those of them while other requests were answered
  #lastPath = "/";
  #pollsSince = null; // ms of the page's clock, since snapshots are asked for instead of a stream
  #isPoll = false; // whether the present connection asks for a snapshot only
  #unseen = null; // timer of a hidden page
  #trials = 0; // connections in a row on which nothing was heard
  #retry = null; // timer of the next connection
  #watch = null; // timer of the looks for silence
  #state = null;
  #isHeld = false; // closed until reopen()
  #page = new AbortController(); // takes this stream's listeners off the page

  /**
   * `path()` gives the address for each connection; it may be a promise, and may throw a Refusal.
   * `listener` has heard(name, value) with each event's JSON, and where it wants them state("joining", "joined" or
   * "lost") and closed(refusal) after each connection, with null if the server gave no reason.
   * Options: `silentAfter` ms without an event the connection is given up; after `doubtAfter` ms already when the page
   * wakes; `retryAfter(trials, refusal)` gives the ms until the next connection, null for none until reopen();
   * `greeting` is the event that joins: without one, being connected is enough; `beat` is another event that joins: a
   * stream that is repeated by a relay has no greeting, and only its beat shows that the relay lives. What came before
   * either of them is heard then;
   * `early` is a first connection that was begun already, as `{ response, stop }`: a promise and its AbortController;
   * `probes` are fewer requests than usual, for pages that thousands have open.
   * @param {() => string | Promise<string>} path
   * @param {{ heard: (name: string, value: any) => void, state?: (state: string) => void,
   *   closed?: (refusal: any) => void }} listener
   * @param {{ silentAfter?: number, doubtAfter?: number, retryAfter: (trials: number, refusal: any) => number | null,
   *   greeting?: string | null, beat?: string | null, early?: any, probes?: number[] }} how
   */
  constructor(path, listener,
    { silentAfter = Infinity, doubtAfter = silentAfter, retryAfter, greeting = null, beat = null, early,
      probes = usualProbes }) {
      this.#path = path;
      this.#listener = listener;
      this.#silentAfter = silentAfter;
      this.#doubtAfter = doubtAfter;
      this.#retryAfter = retryAfter;
      this.#greeting = greeting;
      this.#beat = beat;
      this.#early = early ?? null;
      this.#probes = probes;
    }

  get joined() {
    return this.#state === "joined";
  }

  /** Milliseconds since the server last sent something; infinite before it ever did. */
  get silence() {
    return this.#heardAt === null ? Infinity : performance.now() - this.#heardAt;
  }

  /** True if requests were answered since something came on a stream. */
  get reachesServer() {
    return this.#heldBack > 0;
  }

  /** True if requests are answered but nothing comes on streams, as with a proxy that waits for their ends. */
  get isHeldBack() {
    return this.#heldBack >= held;
  }

  start() {
    const { signal } = this.#page;
    const on = (target, name, run) => target.addEventListener(name, run, { signal });
    this.join();
    this.#watch = setInterval(() => this.#look(), watchEvery);
    on(document, "visibilitychange", () => (document.visibilityState === "visible" ? this.#wake() : this.#hide()));
    on(document, "resume", () => this.#wake());
    on(window, "focus", () => this.#wake());
    on(window, "online", () => {
      this.#heldBack = 0;
      this.join();
    });
    // A browser may keep a page that was left, with its connection, of which it has six for a server.
    on(window, "pagehide", () => this.#close());
    on(document, "freeze", () => this.#close());
    on(window, "pageshow", (event) => event.persisted && this.join());
  }

  /** Ends it for good. */
  stop() {
    this.#close();
    clearTimeout(this.#unseen);
    clearInterval(this.#watch);
    this.#page.abort();
    this.#state = "stopped";
  }

  /** Closes this connection and opens another now. */
  join() {
    if (this.#state === "stopped" || this.#isHeld) return;
    this.#close();
    this.#isPoll = this.#mustPoll();
    if (!this.#isPoll || !this.joined) this.#tell("joining");
    const early = this.#early;
    this.#early = null;
    const connection = early?.stop ?? new AbortController();
    this.#begin(connection);
    this.#run(connection, early).then((refusal) => connection === this.#connection && this.#fail(refusal));
  }

  #begin(connection) {
    this.#connection = connection;
    this.#isHeard = false;
    this.#waiting = [];
    this.#openedAt = performance.now();
    this.#wallAt = wallClock();
  }

  /** Snapshots are there for the streams whose greeting is one. */
  #mustPoll() {
    if (!this.isHeldBack || this.#greeting !== "snapshot") return false;
    this.#pollsSince ??= performance.now();
    if (performance.now() - this.#pollsSince < streamAgainAfter) return true;
    this.#pollsSince = null;
    return false;
  }

  /** Closes this connection and opens another after so many milliseconds. */
  rejoinAfter(milliseconds) {
    this.#close();
    this.#tell("lost");
    this.#retry = setTimeout(() => this.join(), milliseconds);
  }

  /** Opens it again after `retryAfter` gave null. */
  reopen() {
    this.#isHeld = false;
    this.join();
  }

  /** Reads one connection to its end. Gives the server's Refusal, or null. */
  async #run(connection, early) {
    let release = () => {};
    try {
      const opened = await this.#open(connection, early);
      release = opened.release ?? release;
      const { response } = opened;
      if (!response.ok || !response.body) {
        const answer = await response.json().catch(() => null);
        const sentence = answer?.error ?? `The server refused (${response.status}).`;
        return new Refusal(sentence, response.status, answer?.code ?? "", answer);
      }
      if (connection === this.#connection && this.#greeting === null) this.#count("joined", false);
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      const parser = new EventParser();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return null;
        for (const event of parser.feed(decoder.decode(value, { stream: true }))) {
          if (connection !== this.#connection) return null;
          this.#hear(event);
        }
      }
    } catch (error) {
      return error instanceof Refusal && error.status > 0 ? error : null;
    } finally {
      release();
    }
  }

  async #open(connection, early) {
    const path = await this.#path();
    this.#lastPath = path;
    if (this.#isPoll) {
      return { response: await request(`${path}${path.includes("?") ? "&" : "?"}brief=1`, connection.signal) };
    }
    return openStream(path, connection.signal,
      { early: early?.response, moved: () => connection === this.#connection && this.join() });
  }

  #hear({ name, data }) {
    let value;
    try {
      value = JSON.parse(data);
    } catch {
      return; // The next greeting puts right what this event would have said.
    }
    this.#count(name === this.#greeting || name === this.#beat ? "joined" : null);
    this.#waiting.push([name, value]);
    while (this.joined && this.#waiting.length > 0) {
      const [event, told] = this.#waiting.shift();
      try {
        this.#listener.heard(event, told);
      } catch (error) {
        // A mistake of the page is reported as such; the stream goes on.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** The server sent something: an event, or the head of an answer. */
  #count(state, isEvent = true) {
    this.#heardAt = performance.now();
    this.#wallAt = wallClock();
    this.#trials = 0;
    if (isEvent) {
      this.#isHeard = true;
      this.#silences = 0;
      if (!this.#isPoll) [this.#heldBack, this.#pollsSince] = [0, null];
    }
    if (state) this.#tell(state);
  }

  #close(reason) {
    clearTimeout(this.#retry);
    this.#retry = null;
    this.#connection?.abort(reason);
    this.#connection = null;
  }

  #fail(refusal) {
    if (this.#isPoll && this.#isHeard) {
      this.#connection = null;
      this.#retry = setTimeout(() => this.join(), pollEvery);
      return;
    }
    const wait = this.#retryAfter(this.#trials, refusal);
    this.#trials += 1;
    this.#isHeld = wait === null;
    if (this.#isHeld) {
      this.#close();
      this.#tell("lost");
    } else this.rejoinAfter(wait);
    this.#listener.closed?.(refusal);
  }

  #look() {
    // Before it has joined no event counts: a stream that forgot its greeting, or has lost its beat, is no use.
    const first = Math.min(this.#silentAfter, firstWithin) * 1.5 ** this.#silences;
    const isBegun = this.joined && (this.#isHeard || this.#greeting === null);
    const [since, limit] = isBegun ? [Math.max(this.#heardAt, this.#openedAt), this.#silentAfter]
      : [this.#openedAt, this.#silentAfter === Infinity ? Infinity : Math.min(first, longestFirst)];
    if (!this.#connection || performance.now() - since <= limit) return;
    this.#tell("lost");
    this.#replace();
  }

  /** Opens another connection in the place of one on which nothing came, without those that lead nowhere. */
  async #replace() {
    const wasHeard = this.#isHeard;
    this.#close(silent);
    const connection = new AbortController();
    this.#begin(connection);
    let isAnswered = false;
    for (const count of this.#probes) {
      isAnswered ||= await probe(count, this.#lastPath, connection.signal);
      if (connection !== this.#connection) return;
    }
    this.#silences += 1;
    this.#heldBack = isAnswered && !wasHeard ? this.#heldBack + 1 : 0;
    this.join();
    if (this.#heldBack === held) this.#listener.state?.(this.#state);
  }

  #wake() {
    clearTimeout(this.#unseen);
    const latest = Math.max(this.#heardAt ?? 0, this.#openedAt);
    // The page's clock may have stood still while the device slept.
    const slept = Math.max(0, wallClock() - this.#wallAt - (performance.now() - latest));
    if (this.#heardAt !== null) this.#heardAt -= slept;
    this.#wallAt += slept;
    if (!this.#connection || performance.now() - latest + slept > this.#doubtAfter) this.join();
  }

  #hide() {
    if (!canShare) this.#unseen = setTimeout(() => this.#close(), unseenFor);
  }

  #tell(state) {
    // A repeated attempt is still the same loss.
    if (state === this.#state || (state === "joining" && this.#state === "lost")) return;
    this.#state = state;
    this.#listener.state?.(state);
  }
}
