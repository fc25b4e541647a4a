// Tells one human act from the next. A contact that bounces and a pedal that repeats by itself act once; so does a key
// that is held. The server does the same for desks (Podium+RepeatedActs.swift). All times are those of the events, in
// ms: a page that was busy handles two acts at once.

/** For so long after a press, another one of the same trigger belongs to it, unless one of another trigger lies
    between. Contacts bounce for less, pedals repeat every 30 to 60 ms, and nobody turns two pages on purpose so soon.
    */
export const leastBetweenPresses = 150;
const afterRelease = 60; // a contact that opens may close again
const held = 1000; // without another keydown for so long, a key counts as released, though no keyup came

const nameOf = ({ code, key }) => code || key;

export class OneAct {
  least = leastBetweenPresses; // ms; a page for a worn pedal may set more
  #last = null; // the last trigger, and the time from which another press of it is an act of its own
  #down = new Map(); // key → the time of its last keydown

  /** True if a press of the trigger, such as a button's name or a MIDI note, begins a new act. */
  begins(trigger, { timeStamp }) {
    const isNew = this.#last?.trigger !== trigger || timeStamp >= this.#last.newFrom;
    this.#last = { trigger, newFrom: timeStamp + this.least };
    return isNew;
  }

  /** The same for a keydown: a key that is held, or was pressed a moment ago, begins nothing. */
  beginsWithKey(event) {
    const name = nameOf(event);
    const isHeld = event.repeat || event.timeStamp - (this.#down.get(name) ?? -Infinity) < held;
    this.#down.set(name, event.timeStamp);
    return this.begins(name, event) && !isHeld;
  }

  release(event) {
    const name = nameOf(event);
    this.#down.delete(name);
    if (this.#last?.trigger !== name) return;
    this.#last.newFrom = Math.max(this.#last.newFrom, event.timeStamp + afterRelease);
  }

  /** Keys may be released while another window has the focus. */
  releaseAll() {
    this.#down.clear();
  }
}

const oneStep = 1_000; // ms in which a great step is taken once
const taken = new Map(); // step → when it was taken last, in ms

/** True if a great step, such as ending the evening, was taken less than a second ago: two clicks are one. */
export function isTakenTwice(step, now = performance.now()) {
  const isSoon = now - (taken.get(step) ?? -Infinity) < oneStep;
  if (!isSoon) taken.set(step, now);
  return isSoon;
}

/** The acts on this page. */
export const acts = new OneAct();
addEventListener("keyup", (event) => acts.release(event), { capture: true });
addEventListener("blur", () => acts.releaseAll());
