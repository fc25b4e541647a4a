// Sending commands: with the epoch seen, in order, never kept for later.
import { ask, newCommandID } from "/shared/api.js";
import { deviceID } from "/shared/deviceid.js";
import { onlyLooks } from "/shared/rights.js";
import { goToSignIn } from "/shared/signin.js";
import { newerEpoch } from "/shared/epoch.js";
import { looksOnly } from "./rights.js";

// These never wait for an earlier answer and never fail for an old epoch.
const urgent = new Set(["panic", "panic-over", "note"]);
const patience = 3000;

export class Commands {
  #desk;
  #connection;
  #answered = null;
  #running = Promise.resolve();
  #runningSince = null;
  #waiting = 0;

  constructor(desk, connection) {
    this.#desk = desk;
    this.#connection = connection;
    // Each joining brings the history; from then on the stream alone says which epoch it is.
    desk.on("history", () => {
      this.#answered = null;
    });
  }

  /** The newest epoch known: of the stream, or of an answer that came before the stream's word. */
  get epoch() {
    const shown = this.#desk.get("position")?.epoch;
    return this.#answered ? newerEpoch(this.#answered, shown) : shown;
  }

  /** Sends `name arguments…`; true if the server obeyed. A failure is shown with the server's sentence. */
  async send(name, ...words) {
    if (looksOnly(this.#desk)) return this.refuseToLooker(name);
    if (!this.#connection.linked && !urgent.has(name)) {
      return this.#refuse(name,
        `“${[name, ...words].join(" ")}” was not sent: no connection. It is not kept for later.`);
    }
    if (urgent.has(name)) return this.#post(name, words, null);
    if (this.#waiting > 0 && performance.now() - this.#runningSince > 1000) {
      return this.#refuse(name,
        `“${[name, ...words].join(" ")}” was not sent: the server has not answered the one before.`);
    }
    this.#waiting += 1;
    const turn = this.#running.then(() => {
      this.#runningSince = performance.now();
      return this.#post(name, words, this.epoch);
    });
    this.#running = turn.catch(() => {}).then(() => {
      this.#waiting -= 1;
    });
    if (this.#waiting === 1) this.#runningSince = performance.now();
    return turn;
  }

  /** Says to whoever may only look that nothing was sent. */
  refuseToLooker(control) {
    return this.#refuse(control, onlyLooks);
  }

  async #post(command, words, epoch) {
    const body = { command, arguments: words.map(String), device: deviceID, id: newCommandID() };
    if (epoch) body.epoch = epoch;
    try {
      this.#note(await ask("/api/command", { method: "POST", json: body, patience, isRepeatable: true }));
      return true;
    } catch (refusal) {
      if (refusal.code === "not-written") {
        // The command was done: the operator must not repeat it, and must know that the disk is full.
        this.#note(refusal.value);
        this.#refuse(command, refusal.message);
        return true;
      }
      if (refusal.status === 401) goToSignIn();
      // The guard's mis-fire has a notice of its own on the stream; an answer without one shows it here.
      return this.#refuse(command, refusal.message, refusal.code === "misfire" ? "misfire" : "refused",
        refusal.code);
    }
  }

  #note({ epoch }) {
    if (epoch) this.#answered = this.#answered ? newerEpoch(epoch, this.#answered) : epoch;
  }

  #refuse(control, sentence, kind = "refused", code = null) {
    this.#desk.tell("notice", { kind, sentence, control, code });
    return false;
  }
}
