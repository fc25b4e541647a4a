// Which of two words about the music is the newer. An epoch is `term.change`: a server's reign and the takeovers in it.

/** Reads “1.4”; null where the text is no epoch. */
export function readEpoch(text) {
  const match = /^(\d{1,10})\.(\d{1,10})$/.exec(text ?? "");
  return match ? [Number(match[1]), Number(match[2])] : null;
}

/** Below zero where `a` is older than `b`, above where newer, by number and not by letter. */
export function compareEpochs(a, b) {
  const [left, right] = [readEpoch(a), readEpoch(b)];
  if (!left || !right) return Number(Boolean(left)) - Number(Boolean(right));
  return left[0] - right[0] || left[1] - right[1];
}

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
    try {
      this.#known = JSON.parse(store?.getItem(place) ?? "null");
    } catch {
      this.#known = null;
    }
  }

  get epoch() {
    return this.#known?.epoch ?? null;
  }

  /** Whether this live position may be believed; if so it is what later ones are measured by. */
  admits(live, now = Date.now()) {
    const known = this.#known && now - this.#known.at < day ? this.#known : null;
    if (known) {
      // A show is named by when it began; epochs of two shows say nothing of each other.
      const shows = compareShows(live.show, known.show);
      const order = shows || compareEpochs(live.epoch, known.epoch);
      if (order < 0 || (order === 0 && live.sequence < known.sequence)) return false;
    }
    this.#known = { show: live.show, epoch: live.epoch, sequence: live.sequence, at: now };
    this.#write(JSON.stringify(this.#known));
    return true;
  }

  /** The listener asked for everything anew: whatever the server says next is believed. */
  forget() {
    this.#known = null;
    this.#write(null);
  }

  #write(text) {
    try {
      if (text === null) this.#store?.removeItem(place);
      else this.#store?.setItem(place, text);
    } catch {
      // Full or forbidden: the fence then holds until the page is closed.
    }
  }
}
