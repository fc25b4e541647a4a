// The console's live stream: which server is believed, and whether what is shown is still true.
import { readEpoch } from "/shared/epoch.js";
import { goToSignIn } from "/shared/signin.js";
import { EventStream } from "/shared/stream.js";

const silentAfter = 1_700; // ms without an event (the server beats each second): shown as lost within 2 s
const older = 1_000; // ms until a server of an older term is asked again
const sections = new Set(["show", "position", "follower", "meters", "cues", "programme", "message", "help", "faults",
  "targets", "backup", "check", "recording", "titles", "screens", "floor", "microphones", "timecode", "film"]);

export class Connection {
  #stream;
  #startedAt = performance.now();
  #distrusted = false;
  #refused = ""; // the server's sentence, where it has no place for this console
  #desk;
  #fence;
  #told = null;

  /** Sets the desk's section `link`: { linked, ageMs, distrusted, refused, term, isHeldBack }. */
  constructor(desk, fence) {
    this.#desk = desk;
    this.#fence = fence;
    this.#stream = new EventStream(() => "/api/events", {
      heard: (name, value) => this.#hear(name, value),
      closed: (refusal) => this.#close(refusal),
    }, { greeting: "snapshot", silentAfter: 3_500, retryAfter: (trials) => Math.min(250 * (trials + 1), 1_500) });
  }

  get linked() {
    return this.#stream.joined && !this.#distrusted && this.#stream.silence < silentAfter;
  }

  start() {
    this.#stream.start();
    setInterval(() => this.#tell(), 200);
  }

  #hear(name, value) {
    if (name === "snapshot") this.#join(value);
    else if (name === "notice") this.#desk.tell("notice", value);
    else if (sections.has(name)) this.#take(name, value);
    this.#tell();
  }

  #join(snapshot) {
    const { server, started, title } = snapshot.show ?? {};
    this.#distrusted = !this.#fence.admits(server?.term, `${started} ${title}`);
    if (this.#distrusted) return this.#stream.rejoinAfter(older);
    this.#refused = "";
    // The show first: it says which rules hold; history before the numbers that go on from it.
    for (const name of ["show", "history", "programme", ...Object.keys(snapshot)]) {
      if (name in snapshot) this.#desk.set(name, snapshot[name]);
    }
  }

  #take(name, value) {
    const term = name === "show" ? value.server?.term
      : name === "position" ? readEpoch(value.epoch)?.term : undefined;
    if (!this.#fence.admits(term)) {
      this.#distrusted = true;
      return this.#stream.rejoinAfter(older);
    }
    this.#desk.set(name, value);
  }

  #close(refusal) {
    if (refusal?.status === 401) goToSignIn();
    this.#refused = ["too-many", "full"].includes(refusal?.code) ? refusal.message : "";
    this.#tell();
  }

  #tell() {
    const ageMs = Math.min(this.#stream.silence, performance.now() - this.#startedAt);
    const linked = this.linked;
    const { isHeldBack } = this.#stream;
    const key = linked ? `linked ${isHeldBack}` : `${this.#distrusted} ${this.#refused} ${Math.floor(ageMs / 1000)}`;
    if (key === this.#told) return;
    this.#told = key;
    const state = { linked, ageMs, distrusted: this.#distrusted, refused: this.#refused, term: this.#fence.term,
      isHeldBack };
    this.#desk.set("link", state);
  }
}
