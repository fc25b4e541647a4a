// One live stream of events from the server. It watches for silence and connects again by itself.
import { Refusal } from "./api.js";

const watchEvery = 250; // ms between two looks for silence

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
  #early;
  #connection = null; // AbortController of the connection that is open or being opened
  #openedAt = 0; // ms, when that connection was begun
  #heardAt = 0; // ms, when the server last sent something; 0 before it ever did
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
   * `greeting` is the event that joins, before which all others are ignored: without one, being connected is enough;
   * `early` is a first connection that was begun already, as `{ response, stop }`: a promise and its AbortController.
   */
  constructor(path, listener,
    { silentAfter = Infinity, doubtAfter = silentAfter, retryAfter, greeting = null, early }) {
      this.#path = path;
      this.#listener = listener;
      this.#silentAfter = silentAfter;
      this.#doubtAfter = doubtAfter;
      this.#retryAfter = retryAfter;
      this.#greeting = greeting;
      this.#early = early ?? null;
    }

  get joined() {
    return this.#state === "joined";
  }

  /** Milliseconds since the server last sent something; infinite before it ever did. */
  get silence() {
    return this.#heardAt ? Math.max(0, Date.now() - this.#heardAt) : Infinity;
  }

  start() {
    const { signal } = this.#page;
    const on = (target, name, run) => target.addEventListener(name, run, { signal });
    this.join();
    this.#watch = setInterval(() => this.#look(), watchEvery);
    on(document, "visibilitychange", () => document.visibilityState === "visible" && this.#wake());
    on(document, "resume", () => this.#wake());
    on(window, "focus", () => this.#wake());
    on(window, "online", () => this.join());
    // A browser may keep a page that was left, with its connection, of which it has six for a server.
    on(window, "pagehide", () => this.#close());
    on(window, "pageshow", (event) => event.persisted && this.join());
  }

  /** Ends it for good. */
  stop() {
    this.#close();
    clearInterval(this.#watch);
    this.#page.abort();
    this.#state = "stopped";
  }

  /** Closes this connection and opens another now. */
  join() {
    if (this.#state === "stopped" || this.#isHeld) return;
    this.#close();
    this.#tell("joining");
    this.#openedAt = Date.now();
    const early = this.#early;
    this.#early = null;
    const connection = early?.stop ?? new AbortController();
    this.#connection = connection;
    this.#run(connection, early).then((refusal) => connection === this.#connection && this.#fail(refusal));
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
    try {
      const response = await (early?.response ?? this.#fetch(connection.signal));
      if (!response.ok || !response.body) {
        const answer = await response.json().catch(() => null);
        const sentence = answer?.error ?? `The server refused (${response.status}).`;
        return new Refusal(sentence, response.status, answer?.code ?? "", answer);
      }
      if (connection === this.#connection && this.#greeting === null) this.#count("joined");
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
    }
  }

  async #fetch(signal) {
    const path = await this.#path();
    const headers = { Accept: "text/event-stream" };
    return fetch(path, { headers, cache: "no-store", credentials: "same-origin", signal });
  }

  #hear({ name, data }) {
    let value;
    try {
      value = JSON.parse(data);
    } catch {
      return; // The next greeting puts right what this event would have said.
    }
    this.#count(name === this.#greeting ? "joined" : null);
    if (!this.joined) return;
    try {
      this.#listener.heard(name, value);
    } catch (error) {
      // A mistake of the page is reported as such; the stream goes on.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** The server sent something. */
  #count(state) {
    this.#heardAt = Date.now();
    this.#trials = 0;
    if (state) this.#tell(state);
  }

  #close() {
    clearTimeout(this.#retry);
    this.#retry = null;
    this.#connection?.abort();
    this.#connection = null;
  }

  #fail(refusal) {
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
    // Before the greeting no other event counts: a stream that forgot its greeting is no use.
    const since = this.joined ? Math.max(this.#heardAt, this.#openedAt) : this.#openedAt;
    if (!this.#connection || Date.now() - since <= this.#silentAfter) return;
    this.#tell("lost");
    this.join();
  }

  /** Timers stood still while the device slept, so that only the clock tells how long it was. */
  #wake() {
    const since = Math.max(this.#heardAt, this.#openedAt);
    if (!this.#connection || Date.now() - since > this.#doubtAfter) this.join();
  }

  #tell(state) {
    // A repeated attempt is still the same loss.
    if (state === this.#state || (state === "joining" && this.#state === "lost")) return;
    this.#state = state;
    this.#listener.state?.(state);
  }
}
