// The servers of the show. A screen listens to both servers of a pair all the time and shows what the leading one says,
// so that it is right as soon as the backup server has taken over: it need not find it first.
import { EventStream } from "/shared/stream.js";
import { knownQuery } from "./known.js";

const retryAfter = [50, 250]; // ms until the next connection: in the first seconds without the server, and later
const soonTrials = 200;
const strangerRetryAfter = 3000; // ms, for a server that was never heard

/** One server, by the address of its pages: "" for the one that this page comes from. */
class HeardServer {
  isHere = false;
  wasHere = false;
  server = null; // whether it leads, as it says; docs/console-api.md has the fields of all four
  screen = null;
  settings = null;
  film = null;

  constructor(base) {
    this.base = base;
  }
}

/**
 * The server that a screen should believe, of those that it hears: the leading one with the highest term; without any,
 * the one that it believes while that one is current, else another current one, else the same as before.
 */
export function believed(heard, present) {
  const here = heard.filter((one) => one.isHere && one.server);
  const leading = here.filter((one) => one.server.leads).sort((a, b) => b.server.term - a.server.term);
  const current = here.filter((one) => one.server.isCurrent);
  return leading[0] ?? (current.includes(present) ? present : current[0]) ?? present;
}

export class Servers {
  #name;
  #changed;
  #own = new HeardServer("");
  #other = null;
  #otherStream = null;
  #present = this.#own;

  /** `changed(server, isAnother)` is called with what the believed server says, whenever that changes. */
  constructor(name, changed) {
    [this.#name, this.#changed] = [name, changed];
  }

  start() {
    this.#listen(this.#own);
  }

  /** The address of the other server's pages; null without one. */
  get otherBase() {
    return this.#other?.base ?? null;
  }

  /** The believed server. */
  get present() {
    return this.#present;
  }

  #listen(one) {
    const stream = new EventStream(() => `${one.base}/api/screens/${this.#name}/stream${knownQuery()}`, {
      heard: (name, value) => this.#hear(one, name === "snapshot" ? value : { [name]: value }),
      state: (state) => {
        // A server counts as here with its greeting, not before.
        if (state !== "joined") one.isHere = false;
        this.#choose();
      },
    }, { greeting: "snapshot", silentAfter: 3500, doubtAfter: 2000,
      retryAfter: (trials) => (one.wasHere || one === this.#own ? retryAfter[trials < soonTrials ? 0 : 1]
        : strangerRetryAfter) });
    stream.start();
    return stream;
  }

  #hear(one, { server, screen, settings, film }) {
    if (server) one.server = server;
    if (screen) one.screen = screen;
    if (settings) one.settings = settings;
    if (film) one.film = film;
    // A server that has just started says first that nothing is shown, and this section with what is.
    one.isHere = Boolean(one.server);
    one.wasHere ||= one.isHere;
    if (one === this.#own && server?.other) this.#meet(server.other);
    if (!this.#choose() && one === this.#present && one.isHere) this.#changed(one, false);
  }

  /** Listens to the other server too, from now on: an encrypted page reads nothing that is not. */
  #meet(told) {
    const address = location.protocol === "https:" ? told.replace(/^http:/, "https:") : told;
    if (this.#other?.base === address || address === location.origin) return;
    this.#otherStream?.stop();
    this.#other = new HeardServer(address);
    this.#otherStream = this.#listen(this.#other);
  }

  /** True if another server is believed from now on. */
  #choose() {
    const best = believed([this.#own, this.#other].filter(Boolean), this.#present);
    if (best === this.#present || !best.screen) return false;
    this.#present = best;
    this.#changed(best, true);
    return true;
  }
}
