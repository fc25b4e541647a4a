// Runs once for all pages of a browser (SharedWorker). A browser opens at most six connections to a server: here the
// pages' streams get connections of their own while there are few, and share one, a carrier, when there are more.
// docs/console-api.md has the carrier's side of the server.

const mostDirect = 2; // streams of one server with a connection of their own
const askEvery = 5_000; // ms between two questions whether a page is still there
const goneAfter = 20_000; // ms without an answer: the page has crashed, or the browser has frozen it
const quietAfter = 1_500; // ms without a byte on a carrier, which brings a heartbeat each second
const idleFor = 3_000; // ms that a carrier without streams stays open

const pages = new Set();
const carriers = new Map(); // by the server's origin

/** The connection over which the streams of several pages come. */
class Carrier {
  #origin;
  #id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  #stop = new AbortController();
  #streams = new Map(); // by their numbers: { page, key }
  #newest = 0;
  #heardAt = performance.now();
  #idle = null;
  #isOver = false;
  #begin;

  constructor(origin) {
    this.#origin = origin;
    /** Settles with true as soon as streams can be added, or with the status of a refusal; 0 without any answer. */
    this.ready = new Promise((begin) => (this.#begin = begin));
    this.#run().catch(() => 0).then((status) => this.end(status));
  }

  /** Gives the next stream's place, as the server wants it. */
  add(page, key) {
    clearTimeout(this.#idle);
    this.#newest += 1;
    this.#streams.set(this.#newest, { page, key });
    return { number: this.#newest, place: `${this.#id}.${this.#newest}` };
  }

  /** A page has left its stream, or given it up because nothing came. */
  drop(number, isSilent) {
    this.#streams.delete(number);
    if (isSilent && performance.now() - this.#heardAt > quietAfter) return this.end(0);
    this.#leave(number);
    if (this.#streams.size === 0) this.#idle = setTimeout(() => this.end(0), idleFor);
  }

  #leave(number) {
    fetch(`${this.#origin}/api/streams/end?carrier=${this.#id}.${number}`,
      { method: "POST", headers: { "X-Baton": "1" }, credentials: "same-origin" }).catch(() => {});
  }

  end(status) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop.abort();
    this.#begin(status);
    if (carriers.get(this.#origin) === this) carriers.delete(this.#origin);
    for (const { page, key } of this.#streams.values()) page.tell({ key, isOver: true });
    this.#streams.clear();
  }

  async #run() {
    const response = await fetch(`${this.#origin}/api/streams?carrier=${this.#id}`, {
      headers: { Accept: "text/event-stream" }, cache: "no-store", credentials: "same-origin",
      signal: this.#stop.signal,
    });
    if (!response.ok) return response.status;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    let number = 0; // the stream to which the next events belong; 0 is the carrier's own
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return 0;
      this.#heardAt = performance.now();
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop();
      const texts = new Map();
      for (const block of blocks) {
        if (block.startsWith("stream: ")) number = Number(block.slice(8));
        else if (block.startsWith("ended: ")) this.#pass(texts, Number(block.slice(7)), null);
        else if (number === 0) this.#begin(true);
        else texts.set(number, `${texts.get(number) ?? ""}${block}\n\n`);
      }
      for (const [each, text] of texts) this.#pass(texts, each, text);
    }
  }

  /** Gives a page what came for it; null where its stream has ended. */
  #pass(texts, number, text) {
    if (text === null && texts.has(number)) {
      this.#pass(texts, number, texts.get(number));
      texts.delete(number);
    }
    const stream = this.#streams.get(number);
    // A page that left before the server had added its stream.
    if (!stream) return text === null ? undefined : this.#leave(number);
    if (text === null) this.#streams.delete(number);
    stream.page.tell(text === null ? { key: stream.key, isOver: true } : { key: stream.key, text });
  }
}

/** One page, or one of the frames in it. */
class Page {
  #port;
  #direct = new Map(); // origins by the streams' keys
  #carried = new Map(); // { carrier, number } by the streams' keys; number is null while the carrier is not ready
  #heardAt = performance.now();

  constructor(port) {
    this.#port = port;
    port.onmessage = ({ data }) => this.#hear(data);
  }

  directStreams(origin) {
    return [...this.#direct.values()].filter((each) => each === origin).length;
  }

  tell(message) {
    this.#port.postMessage(message);
  }

  #hear({ open, origin, close, isSilent }) {
    this.#heardAt = performance.now();
    pages.add(this);
    if (open !== undefined) {
      this.tell({}); // shows that this worker lives: a carrier may take long
      this.#open(open, origin);
    }
    if (close !== undefined) this.#close(close, isSilent);
  }

  async #open(key, origin) {
    const direct = [...pages].reduce((sum, page) => sum + page.directStreams(origin), 0);
    if (direct < mostDirect) {
      this.#direct.set(key, origin);
      return this.tell({ key, place: "" });
    }
    const carrier = carriers.get(origin) ?? new Carrier(origin);
    carriers.set(origin, carrier);
    this.#carried.set(key, { carrier, number: null });
    const status = await carrier.ready;
    if (!this.#carried.has(key)) return;
    if (status !== true) {
      this.#carried.delete(key);
      return this.tell({ key, place: null, status });
    }
    const { number, place } = carrier.add(this, key);
    this.#carried.set(key, { carrier, number });
    this.tell({ key, place });
  }

  #close(key, isSilent = false) {
    this.#direct.delete(key);
    const { carrier, number } = this.#carried.get(key) ?? {};
    this.#carried.delete(key);
    if (number) carrier.drop(number, isSilent);
    else if (isSilent) carrier?.end(0);
  }

  /** Asks whether the page is still there. */
  look() {
    if (performance.now() - this.#heardAt < goneAfter) return this.tell({ isAsked: true });
    pages.delete(this);
    for (const key of [...this.#direct.keys(), ...this.#carried.keys()]) {
      this.#close(key);
      this.tell({ key, isOver: true });
    }
  }
}

globalThis.onconnect = ({ ports: [port] }) => pages.add(new Page(port));
setInterval(() => {
  for (const page of pages) page.look();
}, askEvery);
