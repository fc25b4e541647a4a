// The last place of each user of this device, and since when: room, score, part, page and setlist. It is kept in both
// stores of the browser, because the quick one is written to the disk seconds later and a crash loses its last entries.
import { wallClock } from "/shared/wallclock.js";
import { quick, things } from "./store.js";

const fields = ["room", "score", "part", "page", "list", "entry"];
const isSame = (one, other) => fields.every((field) => (one[field] ?? null) === (other[field] ?? null));

export class Whereabouts {
  #user = null;
  #last = null;

  /** Keeps where a user is. What is the same as before keeps its time. */
  keep(user, where) {
    if (user === this.#user && this.#last && isSame(where, this.#last)) return;
    this.#user = user;
    this.#last = { ...where, at: wallClock() };
    quick.put(`where.${user}`, this.#last);
    things.put(`where:${user}`, this.#last);
  }

  /** The newest that is kept of a user; null if there is none. `at` is this device's clock, in milliseconds. */
  async read(user) {
    const kept = [quick.get(`where.${user}`), await things.get(`where:${user}`)].filter(Boolean);
    const newest = kept.reduce((best, one) => ((one.at ?? 0) > (best?.at ?? -1) ? one : best), null);
    [this.#user, this.#last] = [user, newest];
    return newest;
  }
}

/** True if the server's page is newer than this device's. The age of each is measured by its own clock. */
export function serverIsNewer(home, kept, now = wallClock()) {
  if (!home?.whereabouts?.at || !home.now || !kept?.at) return false;
  const here = now - kept.at;
  const there = home.now - home.whereabouts.at;
  return there + onItsWay < here;
}

const onItsWay = 500; // ms a turn may have taken to the server: what was turned after it here is newer all the same
