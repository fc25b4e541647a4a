// The session of this speaker with the server: joining, the stream, and what is sent, one after another.
import { ask, Refusal } from "/shared/api.js";
import { keep, readKept } from "/shared/kept.js";
import { askInTurn } from "/shared/signin.js";
import { EventStream } from "/shared/stream.js";

const keptAs = "baton.present";

/** True if the stream cannot be opened again with the same token. */
const isFinal = (refusal) => ["no-session", "removed"].includes(refusal?.code);

export class Session {
  #kept = readKept(keptAs) ?? {}; // name, code, isAccount, token
  #stream = null;
  #listener;
  #line = Promise.resolve(); // requests are sent in order
  #isLeaving = false;

  /**
   * `listener` has heard(name, value) with `you`, `floor` and `clock`, state("joined" or "lost"), and ended(sentence)
   * when somebody has to join anew.
   */
  constructor(listener) {
    this.#listener = listener;
  }

  get kept() {
    return this.#kept;
  }

  get joined() {
    return this.#stream?.joined ?? false;
  }

  /** True if this network holds back live data. */
  get isHeldBack() {
    return this.#stream?.isHeldBack ?? false;
  }

  /** Goes on with the session that this browser has; false without one. */
  resume() {
    if (!this.#kept.token) return false;
    this.#open();
    return true;
  }

  /** Goes on with the session that another tab of this browser has begun meanwhile; false without one. */
  #adopt() {
    const kept = readKept(keptAs);
    if (!kept?.token || kept.token === this.#kept.token) return false;
    this.#kept = kept;
    this.#open();
    return true;
  }

  /** Begins a session with a name and the moderator's code, or as the signed-in user; `said` gets
      sentences while it has to wait. Throws a Refusal. */
  async join(name, code, isAccount, said) {
    this.#isLeaving = false;
    // Somebody who joins in two tabs is one speaker.
    if (readKept(keptAs)?.name === name && this.#adopt()) return;
    const path = isAccount ? "/api/present/join/account" : "/api/present/join";
    const { token } = await askInTurn(path, { name, code }, said);
    this.#keep({ name, code, isAccount, token });
    this.#open();
  }

  #keep(value) {
    this.#kept = value;
    keep(keptAs, value);
  }

  path(rest, more = "") {
    return `/api/present/${rest}?token=${encodeURIComponent(this.#kept.token ?? "")}${more}`;
  }

  /** The address of a picture of an own page; `size` "small" for a thumbnail. */
  picture(document, page, size) {
    return this.path(`pages/${document}/${page}`, size ? `&size=${size}` : "");
  }

  #open() {
    this.#stream?.stop();
    this.#stream = new EventStream(() => this.path("stream"), {
      heard: (name, value) => (name === "over" ? this.#end() : this.#listener.heard(name, value)),
      state: (state) => this.#listener.state(state),
      closed: (refusal) => this.#closed(refusal),
    }, {
      greeting: "you", silentAfter: 4000, doubtAfter: 2000,
      retryAfter: (trials, refusal) => (isFinal(refusal) ? null : Math.min(250 * (trials + 1), 2000)),
    });
    this.#stream.start();
  }

  #closed(refusal) {
    if (refusal?.code === "no-session") this.#rejoin();
    if (refusal?.code !== "removed") return;
    this.#kept = { ...this.#kept, code: undefined };
    this.#forget(refusal.message);
  }

  /** The server has forgotten the session, as after a restart more than a minute ago. */
  async #rejoin() {
    const { name, code, isAccount } = this.#kept;
    // A tab that nobody looks at lets the others join first, so that they find each other's session.
    await new Promise((done) => setTimeout(done, (document.hidden ? 2000 : 0) + 200 * Math.random()));
    if (this.#adopt()) return;
    try {
      await this.join(name, code, isAccount);
    } catch (refusal) {
      if ([0, 429, 503].includes(refusal.status)) return void setTimeout(() => this.#rejoin(), 2000);
      this.#forget(`You were away for too long. ${refusal.message}`);
    }
  }

  #end() {
    this.#forget(this.#isLeaving ? "" : "Your session was ended. Join again if you want to speak.");
  }

  #forget(sentence) {
    this.#stream?.stop();
    this.#stream = null;
    const { name, code, isAccount, token } = this.#kept;
    this.#kept = { name, code, isAccount };
    // Another tab may have begun a new session already; that one stays.
    if ([undefined, token].includes(readKept(keptAs)?.token)) keep(keptAs, this.#kept);
    this.#listener.ended(sentence);
  }

  /** Sends something after all that was sent before it. */
  #inLine(send) {
    const sent = this.#line.then(send);
    this.#line = sent.catch(() => {});
    return sent;
  }

  /** An action, such as act("lend", { presenter: 3, seconds: 60 }). */
  act(action, more = {}) {
    this.#isLeaving = action === "leave";
    return this.#inLine(() => ask(this.path("act"), { method: "POST", json: { action, ...more } }));
  }

  draw(type, bytes) {
    return this.#inLine(() => this.drawNow(type, bytes));
  }

  /** A drawing that does not wait for others: the laser pointer. */
  drawNow(type, bytes) {
    return ask(this.path("draw", `&type=${type}`),
      { method: "POST", text: bytes, kind: "application/octet-stream" });
  }

  /**
   * Sends a PDF or a video in pieces; `told(share, isChecked)` hears how far it is. Gives the document and its pages,
   * 0 for a video.
   */
  async upload(file, told, isVideo = false) {
    const announced = { bytes: file.size, ...isVideo ? { video: file.name } : {} };
    const begun = await ask(this.path("uploads"), { method: "POST", json: announced, patience: 10_000 });
    let { received } = begun;
    for (let failures = 0; ;) {
      try {
        const piece = file.slice(received, received + begun.pieceBytes);
        told(received / file.size, received + piece.size === file.size);
        const answer = await ask(this.path(`uploads/${begun.upload}`, `&offset=${received}`), {
          method: "PUT", text: piece, kind: "application/octet-stream",
          patience: received + piece.size === file.size ? 120_000 : 15_000,
        });
        failures = 0;
        ({ received } = answer);
        if (answer.pages !== null) return { document: answer.upload, pages: answer.pages };
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        failures += 1;
        if (refusal.code === "wrong-offset") ({ received } = refusal.value);
        else if (failures > 30 || ![0, 408, 429, 503].includes(refusal.status)) throw refusal;
        // A lost connection: the upload goes on where it was.
        await new Promise((done) => setTimeout(done, 300 * Math.min(failures, 6)));
      }
    }
  }
}
