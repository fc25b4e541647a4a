// What was made here and is not with the server yet: it goes out in its order, again and again until the server has it.
// docs/editing.md says what happens when, the same for everything that people edit.
import { Refusal } from "./api.js";
import { sentenceOf } from "./savedwords.js";

const [firstWait, longestWait] = [1_000, 10_000]; // ms between two attempts
const awake = ["online", "focus", "pageshow"]; // after these a wait may be over: a network is back, a device slept
const mostFailures = 40; // in a row, after which something that is mended again and again waits too

/**
 * What a refusal means for what was to be sent: "out" (nobody is signed in), "other" (somebody else is), "barred" (the
 * account may not), "waiting" (the server cannot now): it stays here and is sent again. "refused": never as it is.
 */
export function fateOf({ status, code }) {
  if (code === "other-person" || code === "other-user") return "other";
  if (status === 401) return "out";
  if (status === 403) return "barred";
  // An answer that is not the server's own, such as a network's sign-in page, refuses nothing.
  return status < 400 || code === "foreign" || status === 429 || status >= 500 ? "waiting" : "refused";
}

export class Outbox {
  #kind;
  #timer = null;
  #wait = 0; // ms that the last refusal asks for
  #notBefore = 0; // of performance.now(): when that is over
  #sending = null;
  #isUrgent = false;
  #isHeld = false;
  #isClosed = false;
  #alone = 0; // entries that go out one by one, because the server refused them together
  #retry = () => this.#wait > 0 && document.visibilityState !== "hidden" && this.flush();

  /**
   * `kind` says what is sent, and how:
   * - `entries()`: what waits, the oldest first. It is kept on this device already.
   * - `send(entries)`: sends it; afterwards `entries()` is without what the server has. Throws Refusal.
   * - `refused(entries, refusal)`: takes out of `entries()`, and keeps for a person, what the server will never take.
   * - `met(refusal, entries)`, where others may have changed the same: "again" when it has merged both, "hold" until a
   *   person has decided and `release()` is called, "wait" where the server may take it later; anything else is
   *   refused. May throw Refusal.
   * - `said(state, sentence, refusal)`, where it is shown: "saving", "saved", "conflict", or why it waits, as
   *   ./savedwords.js has it.
   * - `pause(entry)`, where people type: ms for which the first entry may still change.
   * - `atOnce`: entries in one request, 1 unless given.
   * - `kept`: what keeps them on this device, as Unsent does; its `isKept` is false if there is no room for them.
   */
  constructor(kind) {
    this.#kind = { atOnce: 1, kept: null, pause: () => 0, met: () => null, said: () => {}, ...kind };
    for (const event of awake) addEventListener(event, this.#retry);
    document.addEventListener("visibilitychange", this.#retry);
  }

  /** True while something is on its way. */
  get isSending() {
    return this.#sending !== null;
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#kind.kept?.close?.();
    for (const event of awake) removeEventListener(event, this.#retry);
    document.removeEventListener("visibilitychange", this.#retry);
  }

  /** Sends what there is as soon as it may: not while somebody types, nor too soon after a refusal. */
  soon() {
    if (!this.#sending) this.#after(this.#notBefore - performance.now());
  }

  /** Sends what there is now; true if all of it is saved then. */
  flush() {
    [this.#wait, this.#notBefore, this.#isUrgent] = [0, 0, true];
    return this.#begin();
  }

  /** A person has decided what held everything up. */
  release() {
    this.#isHeld = false;
    this.soon();
  }

  #after(ms) {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#begin(), Math.max(ms, 0));
  }

  #begin() {
    clearTimeout(this.#timer);
    this.#sending ??= this.#send();
    return this.#sending;
  }

  async #send() {
    const kind = this.#kind;
    await null; // so that whoever asked knows that it is being sent
    try {
      for (let failures = 0; !this.#isHeld && !this.#isClosed;) {
        kind.kept?.look?.();
        const entries = kind.entries().slice(0, this.#alone > 0 ? 1 : kind.atOnce);
        if (entries.length === 0) {
          kind.said("saved", "");
          return true;
        }
        const pause = this.#isUrgent ? 0 : kind.pause(entries[0]);
        if (pause > 0) {
          this.#after(pause);
          return false;
        }
        if (this.#wait === 0) kind.said("saving", "");
        try {
          await kind.send(entries);
          this.#wait = failures = 0;
          if (this.#alone > 0) this.#alone -= 1;
        } catch (refusal) {
          failures += 1;
          if (!(await this.#isMended(refusal, entries, failures > mostFailures))) return false;
        }
      }
      return false;
    } finally {
      [this.#sending, this.#isUrgent] = [null, false];
    }
  }

  /** True if what comes next is sent at once. */
  async #isMended(refusal, entries, isEnough) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (fateOf(refusal) !== "refused" || isEnough) return this.#waitFor(refusal);
    // One of them is the reason; it must not hold up the others.
    if (entries.length > 1) return Boolean(this.#alone = entries.length);
    let met;
    try {
      met = await this.#kind.met(refusal, entries);
    } catch (another) {
      return this.#waitFor(another);
    }
    if (met === "wait") return this.#waitFor(refusal);
    if (met === "hold") {
      this.#isHeld = true;
      this.#kind.said("conflict", sentenceOf("conflict"));
    } else if (met !== "again") {
      await this.#kind.refused(entries, refusal);
      if (this.#alone > 0) this.#alone -= 1;
    }
    return true;
  }

  #waitFor(refusal) {
    const fate = fateOf(refusal) === "refused" ? "waiting" : fateOf(refusal);
    this.#wait = fate === "waiting" ? Math.min(Math.max(2 * this.#wait, firstWait), longestWait) : longestWait;
    this.#notBefore = performance.now() + this.#wait;
    this.#kind.said(fate, sentenceOf(fate, refusal, this.#kind.kept?.isKept ?? true), refusal);
    this.#after(this.#wait);
    return false;
  }
}
