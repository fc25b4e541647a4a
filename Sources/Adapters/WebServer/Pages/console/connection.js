// One live stream from the server, watched for silence and opened again by itself.
import { ask } from "/shared/api.js";
import { readEpoch } from "./epoch.js";

const silentAfter = 1700; // ms without a word (the server beats each second): shown as lost within 2 s
const stale = 6000; // ms: an open stream that says nothing is given up

export class Connection {
  #source = null;
  #lastWord = 0;
  #openedAt = 0;
  #trials = 0;
  #retryAt = 0;
  #asking = false;
  #distrusted = false;
  #refused = ""; // the server's sentence, where it has no place for this console
  #joined = false;
  #desk;
  #fence;
  #told = null;

  /** `state` on the desk is told: {linked, reason, ageMs, since}. */
  constructor(desk, fence) {
    this.#desk = desk;
    this.#fence = fence;
  }

  get linked() {
    return this.#joined && !this.#distrusted && performance.now() - this.#lastWord < silentAfter;
  }

  start() {
    this.#lastWord = performance.now();
    this.#open();
    setInterval(() => this.#watch(), 200);
    addEventListener("pagehide", () => this.#source?.close());
    addEventListener("pageshow", (event) => event.persisted && this.#open());
  }

  #open() {
    this.#source?.close();
    this.#joined = false;
    this.#openedAt = performance.now();
    const source = new EventSource("/api/events");
    this.#source = source;
    const hear = (name, take) => source.addEventListener(name, (event) => this.#hear(source, event, take));
    hear("snapshot", (sections) => this.#join(sections));
    hear("beat", () => {});
    hear("notice", (notice) => this.#desk.tell("notice", notice));
    for (const name of ["show", "position", "follower", "meters", "cues", "programme", "message", "help", "faults",
      "targets", "backup", "check"]) {
      hear(name, (value) => this.#take(name, value));
    }
    source.onerror = () => this.#fail(source);
  }

  #hear(source, event, take) {
    if (source !== this.#source) return;
    let value;
    try {
      value = JSON.parse(event.data);
    } catch {
      return;
    }
    this.#lastWord = performance.now();
    this.#trials = 0;
    take(value);
    this.#tell();
  }

  #join(sections) {
    const term = sections.show?.server?.term;
    this.#distrusted = !this.#fence.admits(term, `${sections.show?.started} ${sections.show?.title}`);
    if (this.#distrusted) return this.#leave();
    this.#joined = true;
    this.#refused = "";
    // The show first: it says which rules hold; history before the numbers that go on from it.
    for (const name of ["show", "history", "programme", ...Object.keys(sections)]) {
      if (name in sections) this.#desk.set(name, sections[name]);
    }
  }

  #take(name, value) {
    if (!this.#joined) return;
    const term = name === "show" ? value.server?.term : name === "position" ? readEpoch(value.epoch)?.term : undefined;
    if (!this.#fence.admits(term)) {
      this.#distrusted = true;
      return this.#leave();
    }
    this.#desk.set(name, value);
  }

  /** A server of an older reign: listen no further, ask again later whether the newer one is back. */
  #leave() {
    this.#joined = false;
    this.#source?.close();
    this.#retryAt = performance.now() + 1000;
  }

  #fail(source) {
    if (source !== this.#source) return;
    source.close();
    this.#joined = false;
    this.#trials += 1;
    this.#retryAt = performance.now() + Math.min(250 * this.#trials, 1500);
    this.#tell();
    this.#askWho();
  }

  /** A refused stream has no reason a page could read; asking who we are has, and asking again by hand. */
  async #askWho() {
    if (this.#asking) return;
    this.#asking = true;
    try {
      await ask("/api/me", { patience: 1500 });
      await ask("/api/events", { as: "text", patience: 500 });
    } catch (refusal) {
      if (refusal.status === 401) location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
      this.#refused = ["too-many", "full"].includes(refusal.code) ? refusal.message : "";
      this.#tell();
    } finally {
      this.#asking = false;
    }
  }

  #watch() {
    const now = performance.now();
    const closed = this.#source?.readyState === EventSource.CLOSED;
    if (closed && now >= this.#retryAt) this.#open();
    else if (!closed && now - Math.max(this.#lastWord, this.#openedAt) > stale) this.#open();
    this.#tell();
  }

  #tell() {
    const ageMs = Math.max(0, performance.now() - this.#lastWord);
    const linked = this.linked;
    const key = linked ? "linked" : `${this.#distrusted} ${this.#refused} ${Math.floor(ageMs / 1000)}`;
    if (key === this.#told) return;
    this.#told = key;
    this.#desk.set("link", { linked, ageMs, distrusted: this.#distrusted, refused: this.#refused, term: this.#fence.term });
  }
}
