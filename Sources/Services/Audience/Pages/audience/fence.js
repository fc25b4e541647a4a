// Decides which of two live positions is the newer.
import { compareEpochs } from "/shared/epoch.js";
import { keep, readKept } from "/shared/kept.js";
import { wallClock } from "/shared/wallclock.js";

/** Above zero where `a` began later; zero where one has no name. */
function compareShows(a, b) {
  if (!a || !b || a === b) return 0;
  return a > b ? 1 : -1;
}

const day = 24 * 3600 * 1000;
const place = "baton.audience.epoch";

/**
 * Lets newer words through and holds older ones back, also over a reload: a server that was cut off and still
 * believes itself in charge can't turn slides back. What was known longer than a day ago binds nobody.
 */
export class Fence {
  #store;
  #known = null; // {show, epoch, sequence, at}

  /** `store` is like localStorage; null for none. */
  constructor(store = null) {
    this.#store = store;
    this.#known = readKept(place, store);
  }

  get epoch() {
    return this.#known?.epoch ?? null;
  }

  /** True if this live position may be believed; if so, later ones are compared with it. */
  admits(live, now = wallClock()) {
    const known = this.#known && now - this.#known.at < day ? this.#known : null;
    if (known) {
      // A show is named by when it began; epochs of two shows say nothing of each other.
      const shows = compareShows(live.show, known.show);
      const order = shows || compareEpochs(live.epoch, known.epoch);
      if (order < 0 || (order === 0 && live.sequence < known.sequence)) return false;
    }
    this.#known = { show: live.show, epoch: live.epoch, sequence: live.sequence, at: now };
    keep(place, this.#known, this.#store);
    return true;
  }

  /** The listener asked for everything anew: whatever the server says next is believed. */
  forget() {
    this.#known = null;
    keep(place, null, this.#store);
  }
}
